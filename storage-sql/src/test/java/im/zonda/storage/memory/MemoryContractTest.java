package im.zonda.storage.memory;

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
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/// The contract tests of the stores in memory, which other tests use.
class MemoryContractTest {
  /// Opens stores of which those in the same folder share their data.
  private static StoresFactory memory() {
    Map<Path, MemoryData> folders = new HashMap<>();
    return (folder, settings, limits, time) ->
        new MemoryStores(folders.computeIfAbsent(folder, missing -> new MemoryData()), time);
  }

  @Nested
  class Accounts extends AccountStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Rosters extends RosterStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Rooms extends RoomStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class RemovedRooms extends RemovedRoomContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class PubSub extends PubSubStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class ItemRanges extends ItemRangeContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class RemoteQueues extends RemoteQueueStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Uploads extends UploadStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Audit extends AuditStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class History extends HistoryStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Journal extends JournalStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Sizes extends SizeStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Traces extends TraceStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class KeyValues extends KeyValueStoreContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Messages extends MessageLogContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class ClusterLogs extends ClusterLogContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Archive extends MessageArchiveContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Shared extends SharedMessageContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }

  @Nested
  class Storms extends MessageLogStormContract {
    private final StoresFactory memory = memory();

    @Override
    protected StoresFactory factory() {
      return memory;
    }
  }
}
