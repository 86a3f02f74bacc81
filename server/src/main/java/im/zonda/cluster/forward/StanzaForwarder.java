package im.zonda.cluster.forward;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import java.util.function.Consumer;

/// Forwards stanzas to homes on other nodes, and other values for these homes. Any thread may call;
/// calls return at once.
public interface StanzaForwarder {
  /// A server without a cluster, which forwards nothing.
  StanzaForwarder NONE =
      new StanzaForwarder() {
        @Override
        public boolean isDirect(Jid home, Envelope envelope) {
          return true;
        }

        @Override
        public void forward(Jid home, Envelope envelope) {
          throw new IllegalStateException("there is no other node");
        }

        @Override
        public void find(Jid address, Consumer<Boolean> answer) {
          throw new IllegalStateException("there is no other node");
        }

        @Override
        public void handled(Jid account, String session, long number) {
          throw new IllegalStateException("there is no other node");
        }

        @Override
        public void forget(Jid account) {
          throw new IllegalStateException("there is no other node");
        }
      };

  /// Whether a stanza may be delivered directly to its home, which is then on this node. False
  /// while earlier stanzas are on their way to the home.
  boolean isDirect(Jid home, Envelope envelope);

  /// Forwards a stanza to a home on another node, or to one that moves to this node. Stanzas of one
  /// sender to one home keep their order. The stanza's origin is held until the home has handled
  /// it.
  void forward(Jid home, Envelope envelope);

  /// Runs an action and sends its stanzas of one home to homes on other nodes ([#forward]) as one
  /// batch at its end, which costs those nodes less. Stanzas of other senders do not wait.
  ///
  /// @param sender the bare address of the home, in whose mailbox the caller runs
  default void inBatch(Jid sender, Runnable forwards) {
    forwards.run();
  }

  /// Asks the home of an account on another node whether an address exists: an account if it is a
  /// bare JID, otherwise a session.
  ///
  /// @param answer called on any thread; must not block. True also if too many answers are awaited
  void find(Jid address, Consumer<Boolean> answer);

  /// A stanza of a session that has moved to another node has been handled.
  ///
  /// @param session the id of the session, hashed
  /// @param number which of its stanzas
  void handled(Jid account, String session, long number);

  /// The account has been removed: its home on another node ends its sessions and unloads its
  /// state.
  void forget(Jid account);
}
