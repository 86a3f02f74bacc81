package im.zonda.node;

import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.module.Envelope;
import im.zonda.stanza.StanzaError;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The homes of this node, as other nodes use them.
public interface LocalHomes extends SessionGate {
  /// Brings a stanza to its home, which is on this node. Returns at once.
  void accept(Envelope envelope);

  /// Answers the sender of a stanza with an error. Returns at once.
  void reject(Envelope envelope, StanzaError error);

  /// Unloads these homes, none of which is here any more; what they have done is durable then.
  /// Blocks for some seconds at most.
  ///
  /// @return the state that moves with them
  List<MovedState> evict(Predicate<Jid> homes);

  /// Whether an address exists: an account if it is a bare JID, otherwise a session. Returns at
  /// once; the answer comes on any thread.
  void find(Jid address, Consumer<Boolean> answer);

  /// A stanza of a session that has moved here has been handled by the node that it came from; does
  /// nothing if that is known. Returns at once.
  void handled(Jid account, String session, long number);

  /// Gives a home that is here from now on the state that has moved with it. Returns at once;
  /// nothing else happens at the home before.
  void restore(StanzaBytes state);
}
