package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.module.Envelope;
import im.zonda.node.copy.HomePart;
import im.zonda.stanza.StanzaError;
import im.zonda.store.MessageLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The homes of this node, as other nodes use them.
public interface LocalHomes extends SessionGate {
  /// Brings a stanza to its home, which is on this node. Returns at once.
  void accept(Envelope envelope);

  /// Answers the sender of a stanza with an error. Returns at once.
  void reject(Envelope envelope, StanzaError error);

  /// Unloads these homes, none of which is here any more; what they have done is in the log then.
  /// Blocks for some seconds at most.
  ///
  /// @return their state, which moves with them
  List<HomePart> evict(Predicate<Jid> homes);

  /// Waits until what the homes of this node have done so far is durable.
  ///
  /// @throws im.zonda.store.StoreException if the database is away, or the store is closed
  void flush();

  /// Whether an address exists: an account if it is a bare JID, otherwise a session. Returns at
  /// once; the answer comes on any thread.
  void find(Jid address, Consumer<Boolean> answer);

  /// A stanza of a session that has moved here has been handled by the node that it came from; does
  /// nothing if that is known. Returns at once.
  void handled(Jid account, String session, long number);

  /// Finds entries of the message log by their origins ([MessageLog#findOrigins]). Blocks.
  Map<Long, MessageLog.Known> findOrigins(Set<Long> origins, Duration age);

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

  /// Another node has said something. Returns at once.
  void receive(Member from, Post value);

  /// A node is missed, and what is decided about it is said later ([#placed]). Returns at once.
  default void memberMissed() {}

  /// This node begins to take over what a lost node had, or has done so. Meanwhile messages wait
  /// for what it does. Returns at once.
  default void takingOver(boolean begun) {}

  /// These are the nodes from now on. Homes that have left this node are still to be unloaded, and
  /// those that have come are not here yet. Returns at once.
  void placed(Set<Member> members);

  /// More homes are about to be here. No other process does anything for them any more: what their
  /// former nodes have done is durable. Returns at once.
  void opening();

  /// More homes are here, with what they have been given ([#restore]). Returns at once.
  void opened();
}
