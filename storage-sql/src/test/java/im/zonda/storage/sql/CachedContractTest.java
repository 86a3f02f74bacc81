package im.zonda.storage.sql;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.storage.cache.CachedStores;
import im.zonda.storage.contract.AccountStoreContract;
import im.zonda.storage.contract.AuditStoreContract;
import im.zonda.storage.contract.ClusterLogContract;
import im.zonda.storage.contract.HistoryStoreContract;
import im.zonda.storage.contract.ItemRangeContract;
import im.zonda.storage.contract.JournalStoreContract;
import im.zonda.storage.contract.KeyValueStoreContract;
import im.zonda.storage.contract.MessageLogContract;
import im.zonda.storage.contract.MessageLogStormContract;
import im.zonda.storage.contract.PubSubStoreContract;
import im.zonda.storage.contract.RemoteQueueStoreContract;
import im.zonda.storage.contract.RemovedRoomContract;
import im.zonda.storage.contract.RoomStoreContract;
import im.zonda.storage.contract.RosterStoreContract;
import im.zonda.storage.contract.SizeStoreContract;
import im.zonda.storage.contract.StoresFactory;
import im.zonda.storage.contract.TraceStoreContract;
import im.zonda.storage.contract.UploadStoreContract;
import im.zonda.store.Stores;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;

/// The contract tests of the stores on SQLite behind caches.
class CachedContractTest {
  private static Stores open(Path folder, Storage settings, Limits limits, InstantSource time) {
    return CachedStores.over(SqlStores.open(folder, settings, limits, time), limits, time);
  }

  @Nested
  class Accounts extends AccountStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class Rosters extends RosterStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class Rooms extends RoomStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class RemovedRooms extends RemovedRoomContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class PubSub extends PubSubStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class ItemRanges extends ItemRangeContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class RemoteQueues extends RemoteQueueStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class Uploads extends UploadStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class Audit extends AuditStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class History extends HistoryStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class Journal extends JournalStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class Sizes extends SizeStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class Traces extends TraceStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class KeyValues extends KeyValueStoreContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class Messages extends MessageLogContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class ClusterLogs extends ClusterLogContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }

  @Nested
  class Storms extends MessageLogStormContract {
    @Override
    protected StoresFactory factory() {
      return CachedContractTest::open;
    }
  }
}
