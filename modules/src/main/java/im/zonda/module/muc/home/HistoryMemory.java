package im.zonda.module.muc.home;

import im.zonda.config.ServerConfig;
import im.zonda.config.limits.HeapShare;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Memory of the histories of all rooms, accounted by the author of each message.
///
/// When all messages together exceed the limit, the author with the most bytes loses the oldest
/// messages, in whatever room; messages of other authors stay. A removed message is still in the
/// archive and is read from there when its room is loaded again.
///
/// Thread-safe: rooms change their histories from their own mailboxes, and a message of one room
/// may evict a message of another. A change costs O(log n) of the number of authors.
final class HistoryMemory {
  /// Memory of a message without its bytes: objects, index, list entries.
  private static final int OVERHEAD = 512;

  /// Memory of a child element without its bytes: the index and the name.
  private static final int CHILD_OVERHEAD = 160;

  private static final Comparator<Author> BY_BYTES =
      Comparator.<Author>comparingLong(author -> author.bytes).thenComparing(author -> author.user);

  private final long mostOfRoom;

  // Guarded by this object's monitor, as are the fields of the nested classes.
  private final Map<Jid, Author> authors = new HashMap<>();
  private final TreeSet<Author> byBytes = new TreeSet<>(BY_BYTES);
  private long bytes;
  private long most;

  /// @param mostOfRoom the limit of one room, in bytes
  /// @param most the limit of all rooms together, in bytes
  HistoryMemory(long mostOfRoom, long most) {
    this.mostOfRoom = mostOfRoom;
    this.most = most;
  }

  /// Creates the memory of one host's rooms.
  ///
  /// @param heap the maximum heap size in bytes
  static HistoryMemory of(ServerConfig config, long heap) {
    return new HistoryMemory(config.limits().roomHistoryBytes(), most(config, heap));
  }

  /// The limit of one host's rooms together.
  static long most(ServerConfig config, long heap) {
    long all = HeapShare.ROOM_HISTORY.bound(config.limits().allRoomHistoryBytes(), heap);
    return all / config.hosts().size();
  }

  /// Changes the limit of all rooms together.
  synchronized void resize(long newMost) {
    most = newMost;
    bound();
  }

  /// The messages of one author, linked from the oldest to the newest.
  private static final class Author {
    private final Jid user;
    private long bytes;
    private @Nullable HistoryEntry oldest;
    private @Nullable HistoryEntry newest;

    private Author(Jid user) {
      this.user = user;
    }
  }

  /// The messages of one room, linked from the oldest to the newest.
  static final class RoomMessages {
    private int count;
    private long bytes;
    private @Nullable HistoryEntry oldest;
    private @Nullable HistoryEntry newest;
  }

  /// A message, linked in the lists of its room and of its author.
  static final class HistoryEntry {
    private final RoomMessages room;
    private final Author author;
    private final long id;
    private Message message;
    private int size;
    private @Nullable HistoryEntry olderInRoom;
    private @Nullable HistoryEntry newerInRoom;
    private @Nullable HistoryEntry olderByAuthor;
    private @Nullable HistoryEntry newerByAuthor;

    private HistoryEntry(RoomMessages room, Author author, long id, Message message) {
      this.room = room;
      this.author = author;
      this.id = id;
      this.message = message;
      this.size = sizeOf(message);
    }

    long id() {
      return id;
    }

    Message message() {
      return message;
    }
  }

  private static int sizeOf(Message message) {
    return message.writtenSize() + OVERHEAD + CHILD_OVERHEAD * message.payloadNames().size();
  }

  /// The bytes of all rooms together.
  synchronized long bytes() {
    return bytes;
  }

  /// The bytes of a user's messages.
  synchronized long bytesOf(Jid user) {
    Author author = authors.get(user);
    return author == null ? 0 : author.bytes;
  }

  /// Adds the newest message of a room, and removes the room's oldest messages if it has too many.
  ///
  /// @param mostMessages the room's limit
  synchronized void add(RoomMessages room, int mostMessages, Jid user, long id, Message message) {
    Author author = authors.computeIfAbsent(user, Author::new);
    HistoryEntry added = new HistoryEntry(room, author, id, message.packed());
    HistoryEntry before = room.newest;
    added.olderInRoom = before;
    room.newest = added;
    if (before == null) {
      room.oldest = added;
    } else {
      before.newerInRoom = added;
    }
    HistoryEntry beforeBy = author.newest;
    added.olderByAuthor = beforeBy;
    author.newest = added;
    if (beforeBy == null) {
      author.oldest = added;
    } else {
      beforeBy.newerByAuthor = added;
    }
    room.count++;
    charge(added, added.size);
    trim(room, mostMessages);
    bound();
  }

  /// Adds a message that is older than all others of the room; returns false if the room is full.
  synchronized boolean addOldest(
      RoomMessages room, int mostMessages, Jid user, long id, Message message) {
    int size = sizeOf(message);
    if (room.count >= mostMessages || room.bytes + size > mostOfRoom) {
      return false;
    }
    Author author = authors.computeIfAbsent(user, Author::new);
    HistoryEntry added = new HistoryEntry(room, author, id, message.packed());
    HistoryEntry after = room.oldest;
    added.newerInRoom = after;
    room.oldest = added;
    if (after == null) {
      room.newest = added;
    } else {
      after.olderInRoom = added;
    }
    HistoryEntry afterBy = author.oldest;
    added.newerByAuthor = afterBy;
    author.oldest = added;
    if (afterBy == null) {
      author.newest = added;
    } else {
      afterBy.olderByAuthor = added;
    }
    room.count++;
    charge(added, added.size);
    bound();
    return true;
  }

  /// Removes the oldest messages of a room until its limits hold.
  synchronized void trim(RoomMessages room, int mostMessages) {
    HistoryEntry oldest = room.oldest;
    while (oldest != null && (room.count > mostMessages || room.bytes > mostOfRoom)) {
      remove(oldest);
      oldest = room.oldest;
    }
  }

  /// Removes the messages of a room that are older than an id.
  synchronized void removeBefore(RoomMessages room, long id) {
    HistoryEntry oldest = room.oldest;
    while (oldest != null && oldest.id < id) {
      remove(oldest);
      oldest = room.oldest;
    }
  }

  /// Replaces the messages of an author in a room that are older than an id.
  synchronized void replaceOf(
      RoomMessages room, Jid author, long id, UnaryOperator<Message> change) {
    for (HistoryEntry each : newestFirst(room, Integer.MAX_VALUE)) {
      if (each.author.user.equals(author) && each.id < id) {
        replace(room, each.id, change.apply(each.message));
      }
    }
  }

  /// Replaces a message, which may have been evicted meanwhile.
  synchronized void replace(RoomMessages room, long id, Message message) {
    HistoryEntry found = find(room, id);
    if (found != null) {
      int before = found.size;
      found.message = message.packed();
      found.size = sizeOf(message);
      charge(found, found.size - before);
      trim(room, Integer.MAX_VALUE);
      bound();
    }
  }

  /// Finds a message by its id; null if the room does not have it.
  synchronized @Nullable Message message(RoomMessages room, long id) {
    HistoryEntry found = find(room, id);
    return found == null ? null : found.message;
  }

  private static @Nullable HistoryEntry find(RoomMessages room, long id) {
    HistoryEntry one = room.newest;
    while (one != null && one.id != id) {
      one = one.olderInRoom;
    }
    return one;
  }

  /// Returns a room's messages, newest first, at most `limit`.
  synchronized List<HistoryEntry> newestFirst(RoomMessages room, int limit) {
    List<HistoryEntry> all = new ArrayList<>(Math.min(room.count, limit));
    HistoryEntry one = room.newest;
    while (one != null && all.size() < limit) {
      all.add(one);
      one = one.olderInRoom;
    }
    return all;
  }

  private void bound() {
    while (bytes > most) {
      HistoryEntry oldest = byBytes.last().oldest;
      if (oldest == null) {
        throw new IllegalStateException("an author without messages has bytes");
      }
      remove(oldest);
    }
  }

  private void remove(HistoryEntry gone) {
    RoomMessages room = gone.room;
    if (gone.olderInRoom == null) {
      room.oldest = gone.newerInRoom;
    } else {
      gone.olderInRoom.newerInRoom = gone.newerInRoom;
    }
    if (gone.newerInRoom == null) {
      room.newest = gone.olderInRoom;
    } else {
      gone.newerInRoom.olderInRoom = gone.olderInRoom;
    }
    Author author = gone.author;
    if (gone.olderByAuthor == null) {
      author.oldest = gone.newerByAuthor;
    } else {
      gone.olderByAuthor.newerByAuthor = gone.newerByAuthor;
    }
    if (gone.newerByAuthor == null) {
      author.newest = gone.olderByAuthor;
    } else {
      gone.newerByAuthor.olderByAuthor = gone.olderByAuthor;
    }
    room.count--;
    charge(gone, -gone.size);
  }

  private void charge(HistoryEntry one, int size) {
    Author author = one.author;
    byBytes.remove(author);
    author.bytes += size;
    one.room.bytes += size;
    bytes += size;
    if (author.oldest == null) {
      authors.remove(author.user);
    } else {
      byBytes.add(author);
    }
  }
}
