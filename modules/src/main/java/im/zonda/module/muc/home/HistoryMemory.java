package im.zonda.module.muc.home;

import im.zonda.config.HeapShare;
import im.zonda.config.Limits;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The memory that the histories of all rooms share, counted by the author of each message.
///
/// When all messages together exceed the bound, the author with the most bytes loses its oldest
/// messages, in whatever rooms they are; the messages of other authors stay. A message stays in the
/// archive, and is read again from there when its room is next loaded.
///
/// Thread-safe: rooms change their histories from their own mailboxes, and one room's message may
/// remove a message of another. Each change costs the logarithm of the number of authors.
final class HistoryMemory {
  /// What a message costs besides its bytes: objects, index, entries here.
  private static final int OVERHEAD = 512;

  /// What a child element of a message costs besides its bytes: the index and the name.
  private static final int CHILD_OVERHEAD = 160;

  private static final Comparator<Author> BY_BYTES =
      Comparator.<Author>comparingLong(author -> author.bytes).thenComparing(author -> author.user);

  private final long mostOfRoom;
  private final long most;

  // All that follows, and the fields of the nested classes, is guarded by this object's monitor.
  private final Map<Jid, Author> authors = new HashMap<>();
  private final TreeSet<Author> byBytes = new TreeSet<>(BY_BYTES);
  private long bytes;

  /// @param mostOfRoom the most bytes of one room
  /// @param most the most bytes of all rooms together
  HistoryMemory(long mostOfRoom, long most) {
    this.mostOfRoom = mostOfRoom;
    this.most = most;
  }

  /// The memory that one host's rooms have.
  ///
  /// @param heap the most bytes of the heap
  static HistoryMemory of(ServerConfig config, long heap) {
    Limits limits = config.limits();
    long most =
        HeapShare.ROOM_HISTORY.bound(limits.allRoomHistoryBytes(), heap) / config.hosts().size();
    return new HistoryMemory(limits.roomHistoryBytes(), most);
  }

  /// One author's messages, linked from the oldest to the newest.
  private static final class Author {
    private final Jid user;
    private long bytes;
    private @Nullable Remembered oldest;
    private @Nullable Remembered newest;

    private Author(Jid user) {
      this.user = user;
    }
  }

  /// One room's messages, linked from the oldest to the newest.
  static final class OfRoom {
    private int count;
    private long bytes;
    private @Nullable Remembered oldest;
    private @Nullable Remembered newest;
  }

  /// A message. It is in the list of its room and in the list of its author.
  static final class Remembered {
    private final OfRoom room;
    private final Author author;
    private final long id;
    private Message message;
    private int size;
    private @Nullable Remembered olderInRoom;
    private @Nullable Remembered newerInRoom;
    private @Nullable Remembered olderByAuthor;
    private @Nullable Remembered newerByAuthor;

    private Remembered(OfRoom room, Author author, long id, Message message) {
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

  /// The bytes that a user's messages take.
  synchronized long bytesOf(Jid user) {
    Author author = authors.get(user);
    return author == null ? 0 : author.bytes;
  }

  /// Adds the newest message of a room. The room loses its oldest messages if it has too many.
  ///
  /// @param mostMessages the most messages of the room
  synchronized void add(OfRoom room, int mostMessages, Jid user, long id, Message message) {
    Author author = authors.computeIfAbsent(user, Author::new);
    Remembered added = new Remembered(room, author, id, message.packed());
    Remembered before = room.newest;
    added.olderInRoom = before;
    room.newest = added;
    if (before == null) {
      room.oldest = added;
    } else {
      before.newerInRoom = added;
    }
    Remembered beforeBy = author.newest;
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

  /// Adds a message that is older than all that the room has; false if the room has no memory left
  /// for it.
  synchronized boolean addOldest(
      OfRoom room, int mostMessages, Jid user, long id, Message message) {
    int size = sizeOf(message);
    if (room.count >= mostMessages || room.bytes + size > mostOfRoom) {
      return false;
    }
    Author author = authors.computeIfAbsent(user, Author::new);
    Remembered added = new Remembered(room, author, id, message.packed());
    Remembered after = room.oldest;
    added.newerInRoom = after;
    room.oldest = added;
    if (after == null) {
      room.newest = added;
    } else {
      after.olderInRoom = added;
    }
    Remembered afterBy = author.oldest;
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

  /// Removes the oldest messages of a room until it has no more than that many.
  synchronized void trim(OfRoom room, int mostMessages) {
    Remembered oldest = room.oldest;
    while (oldest != null && (room.count > mostMessages || room.bytes > mostOfRoom)) {
      remove(oldest);
      oldest = room.oldest;
    }
  }

  /// Puts another message in the place of one that may have been removed meanwhile.
  synchronized void replace(OfRoom room, long id, Message message) {
    Remembered found = find(room, id);
    if (found != null) {
      int before = found.size;
      found.message = message.packed();
      found.size = sizeOf(message);
      charge(found, found.size - before);
      trim(room, Integer.MAX_VALUE);
      bound();
    }
  }

  /// The message of that id, or null.
  synchronized @Nullable Message message(OfRoom room, long id) {
    Remembered found = find(room, id);
    return found == null ? null : found.message;
  }

  private static @Nullable Remembered find(OfRoom room, long id) {
    Remembered one = room.newest;
    while (one != null && one.id != id) {
      one = one.olderInRoom;
    }
    return one;
  }

  /// A room's messages as they are now, the newest first, at most that many.
  synchronized List<Remembered> newestFirst(OfRoom room, int limit) {
    List<Remembered> all = new ArrayList<>(Math.min(room.count, limit));
    Remembered one = room.newest;
    while (one != null && all.size() < limit) {
      all.add(one);
      one = one.olderInRoom;
    }
    return all;
  }

  private void bound() {
    while (bytes > most) {
      Remembered oldest = byBytes.last().oldest;
      if (oldest == null) {
        throw new IllegalStateException("an author without messages has bytes");
      }
      remove(oldest);
    }
  }

  private void remove(Remembered gone) {
    OfRoom room = gone.room;
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

  private void charge(Remembered one, int size) {
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
