package im.zonda.plugins.webhooks.queue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/// The file that says up to which event a queue was delivered. It is not forced to the disk: after
/// a power failure an older position makes some deliveries happen again.
final class Position implements AutoCloseable {
  private static final int BYTES = 16;

  private final RandomAccessFile file;

  Position(Path path) throws IOException {
    file = new RandomAccessFile(path.toFile(), "rw");
  }

  /// What the file says; 0 if there is none, or it is damaged.
  static long read(Path path) throws IOException {
    if (!Files.exists(path)) {
      return 0;
    }
    byte[] content = Files.readAllBytes(path);
    if (content.length != BYTES) {
      return 0;
    }
    ByteBuffer buffer = ByteBuffer.wrap(content);
    long sequence = buffer.getLong();
    return sequence >= 0 && buffer.getLong() == checksum(sequence) ? sequence : 0;
  }

  private static long checksum(long sequence) {
    CRC32C sum = new CRC32C();
    sum.update(ByteBuffer.allocate(Long.BYTES).putLong(sequence).flip());
    return sum.getValue();
  }

  void write(long sequence) throws IOException {
    file.seek(0);
    file.write(ByteBuffer.allocate(BYTES).putLong(sequence).putLong(checksum(sequence)).array());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
