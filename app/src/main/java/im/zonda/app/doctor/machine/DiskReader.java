package im.zonda.app.doctor.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads facts of the disk of the data folder, and measures how long its writes take.
public final class DiskReader {
  private static final Logger LOG = LoggerFactory.getLogger(DiskReader.class);

  /// Writes that are measured.
  private static final int WRITES = 20;

  /// As a page of the database.
  private static final int BYTES = 4_096;

  /// No more writes are made after that time.
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private DiskReader() {}

  /// Reads them. Writes a small file into the folder if it exists, and removes it.
  ///
  /// @throws IOException if nothing is known of the disk
  public static DiskFacts read(Path data) throws IOException {
    Path folder = existing(data);
    FileStore store = Files.getFileStore(folder);
    LinuxCalls.Inodes inodes = LinuxCalls.findInodes(folder);
    return new DiskFacts(
        folder,
        store.type(),
        store.getTotalSpace(),
        store.getUsableSpace(),
        inodes == null ? null : (Long) inodes.all(),
        inodes == null ? null : (Long) inodes.free(),
        folder.equals(data) ? measure(folder) : null);
  }

  /// The folder, or the nearest one above it that exists.
  private static Path existing(Path data) throws IOException {
    for (Path each = data; each != null; each = each.getParent()) {
      if (Files.isDirectory(each)) {
        return each;
      }
    }
    throw new IOException("no folder above " + data + " exists");
  }

  private static DiskFacts.@Nullable Speed measure(Path folder) {
    Path file = folder.resolve("doctor.tmp");
    long[] nanos = new long[WRITES];
    int count = 0;
    long begin = System.nanoTime();
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      while (count < WRITES && System.nanoTime() - begin < LONGEST.toNanos()) {
        long start = System.nanoTime();
        channel.write(ByteBuffer.allocate(BYTES));
        channel.force(true);
        nanos[count++] = System.nanoTime() - start;
      }
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("file", file).setCause(e).log("disk_not_measured");
      return null;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return new DiskFacts.Speed(
        Duration.ofNanos(sorted[count / 2]), Duration.ofNanos(sorted[count - 1]));
  }
}
