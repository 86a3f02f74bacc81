package im.zonda.cluster.port;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.replica.HomePart;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.module.Envelope;
import im.zonda.stanza.StanzaError;
import im.zonda.store.ClusterLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The homes of this node, as other nodes use them.
public interface LocalHomes extends SessionGate {
  /// Delivers a stanza to its home, which is on this node. Returns at once.
  void accept(Envelope envelope);

  /// Answers the sender of a stanza with an error. Returns at once.
  void reject(Envelope envelope, StanzaError error);

  /// Unloads these homes, which have left this node, after their changes are in the log. Blocks for
  /// some seconds at most.
  ///
  /// @return their state, which moves with them
  List<HomePart> unload(Predicate<Jid> homes);

  /// Waits until all changes of this node's homes so far are durable.
  ///
  /// @throws im.zonda.store.StoreException if the database is away, or the store is closed
  void flush();

  /// Whether an address exists: an account if it is a bare JID, otherwise a session. Returns at
  /// once; the answer comes on any thread.
  void find(Jid address, Consumer<Boolean> answer);

  /// A stanza of a session that has moved here was handled at the former home; ignored if it is
  /// counted. Returns at once.
  void handled(Jid account, String session, long number);

  /// Finds entries of the message log by their origins ([ClusterLog#findOrigins]). Blocks.
  Map<Long, ClusterLog.Known> findOrigins(Set<Long> origins, Duration age);

  /// Keeps the state that a home had on another node until the home is here, which it is not yet:
  /// nothing happens at the home before it has its state. Returns at once. What the home does not
  /// take it removes ([Replication#copy]).
  ///
  /// @param state the parts by their keys
  void restore(Jid home, Map<String, StanzaBytes> state);

  /// Says [Replication#copy] for what has changed since the last time and is not said at once.
  /// Returns at once; called some times a second.
  void copyChanges();

  /// The account has been removed, on any node. Returns at once.
  void forget(Jid account);

  /// Another node has sent a value. Returns at once.
  void receive(Member from, NodeMessage value);

  /// A node is missed; [#placed] follows when it is back or evicted. Returns at once.
  default void memberMissed() {}

  /// This node begins to take over homes of a lost node, or has finished. Messages wait for that,
  /// so other work should wait. Returns at once.
  default void takingOver(boolean begun) {}

  /// Sets the nodes of the cluster. Homes that leave this node are not unloaded yet, and homes that
  /// move here are not open. Returns at once.
  void placed(Set<Member> members);

  /// Called before homes open here. No other process writes for them, and all changes of their
  /// former nodes are durable. Returns at once.
  void opening();

  /// Homes are open here, with the state that they were given ([#restore]). Returns at once.
  void opened();
}
