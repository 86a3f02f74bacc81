package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.store.Account;
import im.zonda.store.AuditStore;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore.Affiliation;
import im.zonda.store.RoomStore.Removed;
import im.zonda.store.RoomStore.Room;
import im.zonda.store.RosterItem;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import im.zonda.store.UploadStore.Upload;
import im.zonda.trace.TraceStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The data of the stores, which remains when they are closed. Guarded by its own lock.
public final class MemoryData {
  /// Text in the order of its UTF-8 bytes, as a database has it.
  static final Comparator<String> TEXT_ORDER =
      Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  final Map<Jid, Owner> owners = new HashMap<>();

  /// Accounts that were removed and whose addresses are not released.
  final Map<Jid, Map<Jid, Subscription>> removed = new HashMap<>();

  /// Rooms that were removed and can be restored, by their numbers: the oldest first.
  final NavigableMap<Long, RemovedRoom> removedRooms = new TreeMap<>();

  long lastRemovedRoom;

  /// The events of administrators by their ids.
  final NavigableMap<Long, AuditStore.Event> audit = new TreeMap<>();

  final NavigableMap<Long, JournalStore.Event> journal = new TreeMap<>();
  final NavigableMap<Long, TraceStore.Traced> traced = new TreeMap<>();
  final NavigableMap<Long, TraceStore.Step> steps = new TreeMap<>();

  final List<HistoryStore.Part> history = new ArrayList<>();

  long lastId;

  /// The owner with everything that belongs to it; removing it removes all of it.
  static final class Owner {
    @Nullable Account account;
    @Nullable Room room;
    boolean remoteQueue;
    final Map<Jid, Affiliation> affiliations =
        new TreeMap<>(Comparator.comparing(Jid::toString, TEXT_ORDER));
    long rosterVersion;
    final Map<Jid, RosterItem> roster = new LinkedHashMap<>();
    final Map<String, Map<String, byte[]>> values = new HashMap<>();
    final NavigableMap<Long, Row> log = new TreeMap<>();
    final Map<String, Upload> uploads = new HashMap<>();
    final Map<String, MemoryPubSub.NodeData> nodes = new TreeMap<>(TEXT_ORDER);
  }

  /// A removed room with its data.
  record RemovedRoom(Removed removed, Owner owner) {}

  /// An entry of the message log.
  record Row(MessageLog.Entry entry, boolean archive, boolean waiting) {}

  /// The owner that a change is for.
  ///
  /// @throws Stores.MissingOwnerException if there is none
  Owner require(Jid jid) {
    Owner owner = owners.get(jid);
    if (owner == null) {
      throw new Stores.MissingOwnerException(jid);
    }
    return owner;
  }

  /// The accounts or rooms of a domain in order, after that local part.
  static <T> Stream<T> page(Stream<T> all, Key<T> key, String domain, @Nullable String after) {
    return all.filter(each -> key.of(each).domain().equals(domain))
        .filter(each -> after == null || TEXT_ORDER.compare(local(key.of(each)), after) > 0)
        .sorted(Comparator.comparing(each -> local(key.of(each)), TEXT_ORDER));
  }

  /// The address of a thing.
  interface Key<T> {
    Jid of(T thing);
  }

  static String local(Jid jid) {
    return Objects.requireNonNullElse(jid.local(), "");
  }
}
