package im.zonda.plugins.webhooks.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Appends events to the newest file of a queue. Confined to the thread that writes the queue.
final class SegmentWriter implements AutoCloseable {
  private final Segment segment;
  private final FileChannel channel;
  private long bytes = Segment.HEADER;
  private long unforcedEvents;
  private long unforcedBytes;

  private SegmentWriter(Segment segment, FileChannel channel) {
    this.segment = segment;
    this.channel = channel;
  }

  /// Creates the file.
  static SegmentWriter create(Path folder, long first) throws IOException {
    Segment segment = Segment.of(folder, first);
    try {
      return open(folder, segment);
    } catch (IOException e) {
      Files.deleteIfExists(segment.file);
      throw e;
    }
  }

  private static SegmentWriter open(Path folder, Segment segment) throws IOException {
    FileChannel channel =
        FileChannel.open(
            segment.file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    try {
      write(channel, Segment.header(segment.first));
      channel.force(true);
      forceFolder(folder);
      return new SegmentWriter(segment, channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /// Makes the name of a new file durable.
  private static void forceFolder(Path folder) throws IOException {
    try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  private static void write(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  Segment segment() {
    return segment;
  }

  /// The size of the file.
  long bytes() {
    return bytes;
  }

  /// How many events were written and are not durable.
  long unforcedEvents() {
    return unforcedEvents;
  }

  long unforcedBytes() {
    return unforcedBytes;
  }

  /// Hands events to the operating system.
  void append(List<QueuedEvent> events) throws IOException {
    int size = events.stream().mapToInt(Segment::size).sum();
    ByteBuffer buffer = ByteBuffer.allocate(size);
    events.forEach(each -> Segment.put(buffer, each));
    write(channel, buffer.flip());
    bytes += size;
    unforcedBytes += size;
    unforcedEvents += events.size();
  }

  /// Makes durable what was appended.
  void force() throws IOException {
    channel.force(false);
    unforcedEvents = 0;
    unforcedBytes = 0;
  }

  /// Cuts what is not durable, after a failure.
  void cut(long durable) throws IOException {
    channel.truncate(durable);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
