package im.zonda.app.noloss.cluster;

import im.zonda.testkit.history.Journal;
import im.zonda.testkit.history.MessageLedger;
import java.util.stream.Stream;

/// What a cluster does not promise yet, as docs/cluster.md says. Nor does it promise that occupants
/// of a room get only stored messages when the room's node is killed, and all messages when their
/// own node is cut off.
final class ClusterPromise {
  /// A message that a dying node had delivered and the database did not have may come twice, with
  /// another stanza-id: once more for each crash since it was first sent.
  static final boolean TWICE_AFTER_A_CRASH = true;

  /// A session whose home was on a node that died begins again if its client had been sent what the
  /// copy at the standby had not: in the last milliseconds, in which the clients of a run are
  /// always sent something. The next home logs each with this event. So does, without it, one that
  /// has just begun or whose copy could not be made in time.
  static final String AHEAD_OF_THE_COPY = "session_newer_than_its_copy";

  private ClusterPromise() {}

  /// Whether an error in a log is none of the server's.
  ///
  /// The store cannot be written while the database is away or the node is evicted. JGroups closes
  /// a connection between two nodes while it reads a message from it, which the other node sends
  /// again on the next one; or that node is killed meanwhile. Infinispan has lost entries of its
  /// cache with two nodes; nothing is in that cache, only its placement is used. Or a node confirms
  /// a move of segments that the loss of another node has ended.
  static boolean isExpected(String error) {
    return error.contains("store_failing")
        || (error.contains("failed handling incoming message")
            && Stream.of("closed", "Connection reset", "EOFException").anyMatch(error::contains))
        || error.contains("No live owners found for segments")
        || error.contains("we don't have a rebalance in progress");
  }

  /// The ledger that judges by this.
  static MessageLedger ledger(Journal journal) {
    return TWICE_AFTER_A_CRASH ? MessageLedger.federated(journal) : new MessageLedger(journal);
  }
}
