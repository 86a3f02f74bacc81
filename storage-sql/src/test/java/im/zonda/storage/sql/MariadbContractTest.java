package im.zonda.storage.sql;

import im.zonda.storage.contract.AccountStoreContract;
import im.zonda.storage.contract.AuditStoreContract;
import im.zonda.storage.contract.ClusterLogContract;
import im.zonda.storage.contract.HistoryStoreContract;
import im.zonda.storage.contract.ItemRangeContract;
import im.zonda.storage.contract.JournalStoreContract;
import im.zonda.storage.contract.KeyValueStoreContract;
import im.zonda.storage.contract.MessageArchiveContract;
import im.zonda.storage.contract.MessageLogContract;
import im.zonda.storage.contract.MessageLogStormContract;
import im.zonda.storage.contract.PubSubStoreContract;
import im.zonda.storage.contract.RemoteQueueStoreContract;
import im.zonda.storage.contract.RemovedRoomContract;
import im.zonda.storage.contract.RoomStoreContract;
import im.zonda.storage.contract.RosterStoreContract;
import im.zonda.storage.contract.SharedMessageContract;
import im.zonda.storage.contract.SizeStoreContract;
import im.zonda.storage.contract.StoresFactory;
import im.zonda.storage.contract.TraceStoreContract;
import im.zonda.storage.contract.UploadStoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The contract tests of the stores on MariaDB.
@EnabledIfSystemProperty(named = "zonda.test.mariadb", matches = "true")
class MariadbContractTest {
  @Nested
  class Accounts extends AccountStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Rosters extends RosterStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Rooms extends RoomStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class RemovedRooms extends RemovedRoomContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class PubSub extends PubSubStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class ItemRanges extends ItemRangeContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class RemoteQueues extends RemoteQueueStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Uploads extends UploadStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Audit extends AuditStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class History extends HistoryStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Journal extends JournalStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Sizes extends SizeStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Traces extends TraceStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class KeyValues extends KeyValueStoreContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Messages extends MessageLogContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class ClusterLogs extends ClusterLogContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Archive extends MessageArchiveContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }

    @Override
    protected int rounds() {
      return ALL ? 6 : 2;
    }
  }

  @Nested
  class Shared extends SharedMessageContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Storms extends MessageLogStormContract {
    @Override
    protected StoresFactory factory() {
      return TestStores.on(TestDatabase.MARIADB);
    }
  }
}
