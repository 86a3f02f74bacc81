package im.zonda.storage.sql;

import im.zonda.config.limits.Limits;
import im.zonda.storage.contract.StoresFactory;

/// Opens stores for tests.
final class TestStores {
  private TestStores() {}

  /// The stores of a kind of database.
  static StoresFactory on(TestDatabase database) {
    return (folder, settings, limits, time) ->
        SqlStores.open(folder, database.settings(folder, settings), limits, time);
  }

  /// The default limits with another bound of the queue.
  static Limits limits(long queueBytes) {
    Limits all = Limits.defaults();
    return new Limits(
        all.beforeAuthentication(),
        all.client(),
        all.negotiationTime(),
        all.unauthenticatedBytes(),
        all.connectionsPerAddress(),
        all.connections(),
        all.login(),
        all.sessionsPerAccount(),
        all.detachedSessionsPerAccount(),
        all.rosterItems(),
        all.rosterGroups(),
        all.rosterBytes(),
        all.outboundBytes(),
        all.allOutboundBytes(),
        all.inboundBytes(),
        all.presenceBytes(),
        all.resumeTime(),
        all.unacknowledgedStanzas(),
        all.unacknowledgedBytes(),
        all.allUnacknowledgedBytes(),
        all.mailboxTasks(),
        all.homes(),
        all.domainRequests(),
        queueBytes,
        all.cacheBytes(),
        all.offlineMessages(),
        all.roomHistoryBytes(),
        all.allRoomHistoryBytes(),
        all.allRoomStateBytes(),
        all.idleTime(),
        all.pingTime(),
        all.vcardBytes(),
        all.privateBytes(),
        all.directedPresences(),
        all.blockedAddresses(),
        all.blockedBytes(),
        all.pushServices(),
        all.pushBytes(),
        all.pushRate(),
        all.invitations(),
        all.saslFailures(),
        all.tokenTime(),
        all.clients(),
        all.pubsub(),
        all.addressing(),
        all.proxy(),
        all.http());
  }
}
