package im.zonda.app.database;

import im.zonda.storage.sql.copy.CopyListener;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.Locale;

/// Prints the progress of a copy.
public final class CopyOutput implements CopyListener {
  private final ProgressLine line;

  /// @param terminal whether `out` is a terminal
  public CopyOutput(PrintWriter out, boolean terminal, InstantSource clock) {
    line = new ProgressLine(out, terminal, clock);
  }

  @Override
  public void advanced(Step step, String table, long done, long all) {
    line.show(() ->
        switch (step) {
          case COUNT -> "counting rows";
          case COPY -> progress("copying", table, done, all);
          case VERIFY -> progress("verifying", table, done, all);
        });
  }

  private static String progress(String verb, String table, long done, long all) {
    return String.format(
        Locale.ROOT,
        "%s %s: %,d of %,d rows (%d %%)",
        verb,
        table,
        done,
        all,
        all == 0 ? 100 : done * 100 / all);
  }

  /// Ends the line of the terminal.
  public void end() {
    line.end();
  }
}
