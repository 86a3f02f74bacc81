package im.zonda.storage.sql.nodes;

import im.zonda.storage.contract.AccountStoreContract;
import im.zonda.storage.contract.AuditStoreContract;
import im.zonda.storage.contract.ClusterLogContract;
import im.zonda.storage.contract.HistoryStoreContract;
import im.zonda.storage.contract.ItemRangeContract;
import im.zonda.storage.contract.JournalStoreContract;
import im.zonda.storage.contract.KeyValueStoreContract;
import im.zonda.storage.contract.MessageArchiveContract;
import im.zonda.storage.contract.MessageLogContract;
import im.zonda.storage.contract.PubSubStoreContract;
import im.zonda.storage.contract.RemovedRoomContract;
import im.zonda.storage.contract.RoomStoreContract;
import im.zonda.storage.contract.RosterStoreContract;
import im.zonda.storage.contract.SharedMessageContract;
import im.zonda.storage.contract.SizeStoreContract;
import im.zonda.storage.contract.StoresFactory;
import im.zonda.storage.contract.TraceStoreContract;
import im.zonda.storage.contract.UploadStoreContract;
import im.zonda.storage.sql.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The contract tests of the stores on two nodes of a cluster that take turns on one database:
/// those of the log and of rosters, and in `./zonda test --all` those of every store.
/// [ContractCoverageTest] says where the others run meanwhile.
@EnabledIfSystemProperty(named = "zonda.test.mariadb", matches = "true")
class MariadbNodesContractTest {
  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class Accounts extends AccountStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Rosters extends RosterStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class Rooms extends RoomStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class RemovedRooms extends RemovedRoomContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class PubSub extends PubSubStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class ItemRanges extends ItemRangeContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class Uploads extends UploadStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class Audit extends AuditStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class History extends HistoryStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class Journal extends JournalStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class Sizes extends SizeStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class Traces extends TraceStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class KeyValues extends KeyValueStoreContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class Messages extends MessageLogContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  class ClusterLogs extends ClusterLogContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  class Archive extends MessageArchiveContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }

    @Override
    protected int rounds() {
      return 2;
    }
  }

  @Nested
  class Shared extends SharedMessageContract {
    @Override
    protected StoresFactory factory() {
      return AlternatingStores.on(TestDatabase.MARIADB);
    }
  }
}
