package im.zonda.app.noloss;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Has the packaged product start quickly, as an installation does (`zonda prepare`): its tests
/// start it a hundred times.
public final class QuickStarts {
  private static final Path LOCK = Path.of("target", "quick-starts.lock").toAbsolutePath();

  private QuickStarts() {}

  /// Prepares the product unless it is prepared. Of several processes and threads, one does it, and
  /// the others wait.
  public static void prepare() throws IOException {
    prepare(KilledServer.PRODUCT);
  }

  /// The same for another build.
  static synchronized void prepare(Path product) throws IOException {
    try (FileChannel file =
            FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      Process preparing =
          KilledServer.launcher(product, "prepare").redirectErrorStream(true).start();
      String said = new String(preparing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (preparing.waitFor() != 0) {
        throw new IOException("the product cannot be prepared: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
