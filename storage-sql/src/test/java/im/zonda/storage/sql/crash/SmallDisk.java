package im.zonda.storage.sql.crash;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A small file system in memory that can be filled to the last byte.
final class SmallDisk implements AutoCloseable {
  private final Path folder;
  private final Path filler;

  private SmallDisk(Path folder) {
    this.folder = folder;
    this.filler = folder.resolve("filler");
  }

  /// Mounts one in a folder. The test is skipped where mounting is not allowed.
  static SmallDisk mount(Path parent, int megabytes) throws IOException {
    Path folder = Files.createDirectory(parent.resolve("disk"));
    assumeThat(
            run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "zonda-test", folder + ""))
        .as("may mount")
        .isTrue();
    return new SmallDisk(folder);
  }

  private static boolean run(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // there is no such command
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  Path folder() {
    return folder;
  }

  /// Leaves `free` bytes free.
  void fill(long free) throws IOException {
    long size = Files.getFileStore(folder).getUsableSpace() - free;
    Files.write(filler, new byte[Math.toIntExact(size)]);
  }

  /// Makes room again.
  void clear() throws IOException {
    Files.delete(filler);
  }

  @Override
  public void close() {
    // A server may still have files open there.
    run("umount", "--lazy", folder.toString());
  }
}
