package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.Placement;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.module.Envelope;
import im.zonda.node.copy.CopyListener;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The nodes of a cluster as the homes of this one see them. Any thread may call.
public interface Nodes extends Placement {
  /// A server without a cluster: everything is here.
  Nodes NONE =
      new Nodes() {
        @Override
        public boolean isHere(Jid home) {
          return true;
        }

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
        public boolean hasStandby(Jid home) {
          return false;
        }

        @Override
        public boolean copies() {
          return false;
        }

        @Override
        public void copy(
            Jid home, Map<String, byte @Nullable []> parts, @Nullable CopyListener listener) {}

        @Override
        public void forget(Jid account) {
          throw new IllegalStateException("there is no other node");
        }

        @Override
        public SessionGate gate(SessionGate local) {
          return local;
        }

        @Override
        public @Nullable Member homeOf(Jid home) {
          return null;
        }

        @Override
        public @Nullable Member self() {
          return null;
        }

        @Override
        public boolean isMember(String process) {
          return false;
        }

        @Override
        public void post(Member to, Post value) {
          throw new IllegalStateException("there is no other node");
        }

        @Override
        public void postToOthers(Post value) {}
      };

  /// Whether a stanza may be handed to its home, which is then on this node. Not while stanzas that
  /// were sent before are still on their way to it.
  boolean isDirect(Jid home, Envelope envelope);

  /// Brings a stanza to a home on another node, or to one that is about to come to this node.
  /// Returns at once. Stanzas of one sender to one home keep their order. The stanza is held until
  /// it has been handled there.
  void forward(Jid home, Envelope envelope);

  /// Runs an action whose stanzas of one home to homes on other nodes ([#forward]) may leave at its
  /// end, to cost those nodes less. Nothing else waits.
  ///
  /// @param sender the bare address of the home, in whose mailbox the caller runs
  default void together(Jid sender, Runnable forwards) {
    forwards.run();
  }

  /// Asks the home of an account on another node whether an address exists: an account if it is a
  /// bare JID, otherwise a session. Returns at once.
  ///
  /// @param answer called on any thread; must not block. True also if too many answers are awaited
  void find(Jid address, Consumer<Boolean> answer);

  /// A stanza of a session that has moved to another node has been handled.
  ///
  /// @param session the id of the session, hashed
  /// @param number which of its stanzas
  void handled(Jid account, String session, long number);

  /// Whether other nodes keep copies of the state of homes. Never changes.
  default boolean copies() {
    return true;
  }

  /// Whether there is another node that keeps copies of the state of a home of this one.
  boolean hasStandby(Jid home);

  /// Parts of the state of a home of this node have changed: another node is to have them if this
  /// one dies. Returns at once; does nothing for a home that is not here any more.
  ///
  /// @param parts taken over, by their keys, and sent in this order; null for a part that there is
  ///   not any more
  /// @param listener learns when the other node has all of them
  void copy(Jid home, Map<String, byte @Nullable []> parts, @Nullable CopyListener listener);

  /// As [#copy(Jid, Map, CopyListener)], of one part.
  default void copy(Jid home, String key, byte @Nullable [] state) {
    copy(home, Collections.singletonMap(key, state), null);
  }

  /// The gate for streams of this node: opens links to sessions, on whatever node they are.
  ///
  /// @param local opens links to sessions of this node
  SessionGate gate(SessionGate local);

  /// The account has been removed: its home on another node ends its sessions and forgets what was
  /// loaded. Returns at once.
  void forget(Jid account);

  /// The node of a home; null without a cluster, and while the node has no placement.
  @Nullable Member homeOf(Jid home);

  /// For how long, in ms, sessions of a home that were lost with their node may be made again by
  /// their streams; 0 if none was lost.
  default long awaitsSessions(Jid home) {
    return 0;
  }

  /// This node; null without a cluster, and while the node is no member of it.
  @Nullable Member self();

  /// All nodes, this one too; empty without a cluster, and while this node has no placement.
  default Set<Member> members() {
    return Set.of();
  }

  /// The members but this node.
  default Set<Member> othersOf(Set<Member> members) {
    Member self = self();
    return members.stream()
        .filter(each -> !each.equals(self))
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Whether a process is a member, by the text of its [Member]. True of all while this node has no
  /// placement.
  boolean isMember(String process);

  /// Says something to a node, which may be this one ([LocalHomes#receive]). Returns at once; does
  /// nothing if the node is no member.
  void post(Member to, Post value);

  /// Says something to all other nodes. Returns at once.
  void postToOthers(Post value);
}
