package im.zonda.app.noloss.cluster;

import im.zonda.testkit.history.Journal;
import im.zonda.testkit.history.MessageLedger;

/// What a cluster does not promise yet, as docs/cluster.md says. Each constant is to become false;
/// then the checker counts what it allows as a violation.
final class ClusterPromise {
  /// A message that a dying node had delivered and the database did not have may come twice, with
  /// another stanza-id: once more for each crash since it was first sent.
  static final boolean TWICE_AFTER_A_CRASH = true;

  /// Sessions whose home was on a node that died have to begin again.
  static final boolean SESSIONS_DIE_WITH_THEIR_HOME = true;

  private ClusterPromise() {}

  /// The ledger that judges by this.
  static MessageLedger ledger(Journal journal) {
    return TWICE_AFTER_A_CRASH ? MessageLedger.federated(journal) : new MessageLedger(journal);
  }
}
