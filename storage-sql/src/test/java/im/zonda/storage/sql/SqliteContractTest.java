package im.zonda.storage.sql;

import org.junit.jupiter.api.Nested;

/// SQLite keeps the contract of all stores.
class SqliteContractTest {
  @Nested
  class Accounts extends AccountStoreContract {
    @Override
    StoresFactory factory() {
      return SqlStores::open;
    }
  }

  @Nested
  class Rosters extends RosterStoreContract {
    @Override
    StoresFactory factory() {
      return SqlStores::open;
    }
  }

  @Nested
  class Rooms extends RoomStoreContract {
    @Override
    StoresFactory factory() {
      return SqlStores::open;
    }
  }

  @Nested
  class KeyValues extends KeyValueStoreContract {
    @Override
    StoresFactory factory() {
      return SqlStores::open;
    }
  }

  @Nested
  class Messages extends MessageLogContract {
    @Override
    StoresFactory factory() {
      return SqlStores::open;
    }
  }

  @Nested
  class Archive extends MessageArchiveContract {
    @Override
    StoresFactory factory() {
      return SqlStores::open;
    }
  }

  @Nested
  class Storms extends MessageLogStormContract {
    @Override
    StoresFactory factory() {
      return SqlStores::open;
    }
  }
}
