package im.zonda.testkit.server;

import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.size.SizeStore;
import im.zonda.store.AccountStore;
import im.zonda.store.AuditStore;
import im.zonda.store.ClusterLog;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RemoteQueueStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import im.zonda.trace.TraceStore;

/// Stores that pass every call on to others. A test overrides what it observes or changes.
public interface ForwardingStores extends Stores {
  /// The stores that get the calls.
  Stores inner();

  @Override
  default AccountStore accounts() {
    return inner().accounts();
  }

  @Override
  default RosterStore rosters() {
    return inner().rosters();
  }

  @Override
  default RoomStore rooms() {
    return inner().rooms();
  }

  @Override
  default PubSubStore pubSub() {
    return inner().pubSub();
  }

  @Override
  default UploadStore uploads() {
    return inner().uploads();
  }

  @Override
  default AuditStore audit() {
    return inner().audit();
  }

  @Override
  default JournalStore journal() {
    return inner().journal();
  }

  @Override
  default TraceStore traces() {
    return inner().traces();
  }

  @Override
  default SizeStore sizes() {
    return inner().sizes();
  }

  @Override
  default HistoryStore history() {
    return inner().history();
  }

  @Override
  default RemoteQueueStore remoteQueues() {
    return inner().remoteQueues();
  }

  @Override
  default KeyValueStore keyValues(String name) {
    return inner().keyValues(name);
  }

  @Override
  default MessageLog messages() {
    return inner().messages();
  }

  @Override
  default ClusterLog clusterLog() {
    return inner().clusterLog();
  }

  @Override
  default MessageArchive archive() {
    return inner().archive();
  }

  @Override
  default void close() {
    inner().close();
  }
}
