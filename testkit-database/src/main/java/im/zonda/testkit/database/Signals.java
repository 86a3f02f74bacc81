package im.zonda.testkit.database;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Sends signals to processes.
public final class Signals {
  private Signals() {}

  /// Sends a signal and waits until that is done.
  ///
  /// @param signal its name, such as `STOP`
  public static void send(long process, String signal) {
    try {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process))
          .inheritIO()
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
