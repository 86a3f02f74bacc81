package im.zonda.plugins.webhooks.queue;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// One file of a queue. It begins with a mark and the number of its first event. Each event follows
/// with its length (4 bytes), a checksum of the rest (4), its time in milliseconds (8) and its
/// JSON.
///
/// Counts and sizes are what is durable. They are guarded by the lock of the queue.
final class Segment {
  /// What stands before the first event.
  static final int HEADER = 16;

  /// What stands before the JSON of an event.
  static final int RECORD = 16;

  static final String ENDING = ".events";

  private static final long MARK = 0x5a6f_6e64_6151_3031L; // ZondaQ01

  final Path file;
  final long first;
  private long count;
  private long bytes;

  private Segment(Path file, long first, long count, long bytes) {
    this.file = file;
    this.first = first;
    this.count = count;
    this.bytes = bytes;
  }

  /// An event cannot be read back.
  static final class DamagedException extends IOException {
    private static final long serialVersionUID = 1;

    DamagedException(Path file) {
      super(file.getFileName() + " is damaged");
    }
  }

  /// A new one, of which nothing is in a file yet.
  static Segment of(Path folder, long first) {
    String name = String.format(Locale.ROOT, "%019d%s", first, ENDING);
    return new Segment(folder.resolve(name), first, 0, HEADER);
  }

  long count() {
    return count;
  }

  long bytes() {
    return bytes;
  }

  /// The number of the event after the last one.
  long end() {
    return first + count;
  }

  /// More is durable.
  void grow(long moreEvents, long moreBytes) {
    count += moreEvents;
    bytes += moreBytes;
  }

  static ByteBuffer header(long first) {
    return ByteBuffer.allocate(HEADER).putLong(MARK).putLong(first).flip();
  }

  static int size(QueuedEvent event) {
    return RECORD + event.json().length;
  }

  static void put(ByteBuffer buffer, QueuedEvent event) {
    int start = buffer.position();
    buffer.putInt(event.json().length).putInt(0);
    buffer.putLong(event.time().toEpochMilli()).put(event.json());
    buffer.putInt(start + 4, checksum(event.time().toEpochMilli(), event.json()));
  }

  private static int checksum(long millis, byte[] json) {
    CRC32C sum = new CRC32C();
    sum.update(ByteBuffer.allocate(Long.BYTES).putLong(millis).flip());
    sum.update(json);
    return (int) sum.getValue();
  }

  /// Reads a file that another run has left, and cuts what does not end with a whole event.
  ///
  /// @return null if there is no event in it
  static @Nullable Segment recover(Path file) throws IOException {
    long first;
    long count = 0;
    long bytes = HEADER;
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      if (in.readLong() != MARK) {
        throw new IOException(file + " is not a file of a queue");
      }
      first = in.readLong();
      for (QueuedEvent each = read(in); each != null; each = read(in)) {
        count++;
        bytes += size(each);
      }
    } catch (EOFException e) {
      return null;
    }
    if (Files.size(file) > bytes) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(bytes);
        channel.force(true);
      }
    }
    return count == 0 ? null : new Segment(file, first, count, bytes);
  }

  /// The next event, or null if what follows is not a whole one.
  private static @Nullable QueuedEvent read(DataInputStream in) throws IOException {
    try {
      int length = in.readInt();
      int sum = in.readInt();
      long millis = in.readLong();
      if (length <= 0 || length > QueuedEvent.MOST_BYTES) {
        return null;
      }
      byte[] json = in.readNBytes(length);
      return json.length < length || checksum(millis, json) != sum
          ? null
          : new QueuedEvent(Instant.ofEpochMilli(millis), json);
    } catch (EOFException e) {
      return null;
    }
  }

  /// Reads some events. An interrupt does not close the file.
  ///
  /// @param offset where the first one stands
  /// @param most how many there are at most
  /// @param mostBytes the most bytes of JSON, unless the first event alone has more
  /// @throws DamagedException if one of them is not what was written
  List<QueuedEvent> read(long offset, long most, int mostBytes) throws IOException {
    List<QueuedEvent> events = new ArrayList<>();
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      in.seek(offset);
      byte[] start = new byte[RECORD];
      int total = 0;
      while (events.size() < most) {
        in.readFully(start);
        ByteBuffer record = ByteBuffer.wrap(start);
        int length = record.getInt();
        int sum = record.getInt();
        long millis = record.getLong();
        if (length <= 0 || length > QueuedEvent.MOST_BYTES) {
          throw new DamagedException(file);
        }
        total += length;
        if (total > mostBytes && !events.isEmpty()) {
          break;
        }
        byte[] json = new byte[length];
        in.readFully(json);
        if (checksum(millis, json) != sum) {
          throw new DamagedException(file);
        }
        events.add(new QueuedEvent(Instant.ofEpochMilli(millis), json));
      }
      return events;
    } catch (EOFException e) {
      throw new DamagedException(file);
    }
  }

  /// Where an event stands.
  long offset(long sequence) throws IOException {
    long offset = HEADER;
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      for (long each = first; each < sequence; each++) {
        in.seek(offset);
        int length = in.readInt();
        if (length <= 0 || length > QueuedEvent.MOST_BYTES) {
          throw new DamagedException(file);
        }
        offset += RECORD + length;
      }
      return offset;
    } catch (EOFException e) {
      throw new DamagedException(file);
    }
  }
}
