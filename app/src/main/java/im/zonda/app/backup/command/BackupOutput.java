package im.zonda.app.backup.command;

import im.zonda.app.database.ProgressLine;
import im.zonda.app.status.ByteCount;
import im.zonda.storage.sql.BackupListener;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.Locale;

/// Prints the progress of a backup.
final class BackupOutput implements BackupListener, AutoCloseable {
  private final ProgressLine line;

  /// @param terminal whether `out` is a terminal
  BackupOutput(PrintWriter out, boolean terminal, InstantSource clock) {
    line = new ProgressLine(out, terminal, clock);
  }

  @Override
  public void advanced(Stage stage, long done, long all, Unit unit) {
    line.show(() -> {
      String what =
          switch (stage) {
            case DATABASE -> "database";
            case FILES -> "uploaded files";
            case CHECK -> "verifying";
          };
      return all == 0 ? what : what + ": " + progress(done, all, unit);
    });
  }

  private static String progress(long done, long all, Unit unit) {
    long percent = done * 100 / all;
    return switch (unit) {
      case BYTES -> ByteCount.text(done) + " of " + ByteCount.text(all) + " (" + percent + " %)";
      case ROWS -> String.format(Locale.ROOT, "%,d of %,d rows (%d %%)", done, all, percent);
      case FILES -> String.format(Locale.ROOT, "%,d of %,d (%d %%)", done, all, percent);
    };
  }

  /// Ends the line of the terminal.
  @Override
  public void close() {
    line.end();
  }
}
