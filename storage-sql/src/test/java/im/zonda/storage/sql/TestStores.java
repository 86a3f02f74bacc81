package im.zonda.storage.sql;

import im.zonda.config.copy.RecordCopy;
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
    return RecordCopy.with(Limits.defaults(), "logQueueBytes", queueBytes);
  }
}
