package im.zonda.app.database;

import im.zonda.storage.sql.copy.CopyListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/// Prints the progress of a copy: in one line of a terminal that changes, otherwise a line every
/// few seconds.
public final class CopyOutput implements CopyListener {
  private static final Duration TERMINAL = Duration.ofMillis(200);
  private static final Duration LINES = Duration.ofSeconds(5);
  private static final int WIDTH = 72;

  private final PrintWriter out;
  private final boolean terminal;
  private final InstantSource clock;
  private Instant next = Instant.MIN;
  private boolean begun;

  /// @param terminal whether `out` is a terminal
  public CopyOutput(PrintWriter out, boolean terminal, InstantSource clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public void advanced(Step step, String table, long done, long all) {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      return;
    }
    next = now.plus(terminal ? TERMINAL : LINES);
    String text =
        switch (step) {
          case COUNT -> "counting rows";
          case COPY -> progress("copying", table, done, all);
          case VERIFY -> progress("verifying", table, done, all);
        };
    if (terminal) {
      out.print("\r" + pad(text));
      out.flush();
      begun = true;
    } else {
      out.println(text);
    }
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

  private static String pad(String text) {
    return text + " ".repeat(Math.max(0, WIDTH - text.length()));
  }

  /// Ends the line of the terminal.
  public void end() {
    if (begun) {
      out.print("\r" + pad("") + "\r");
      out.flush();
    }
  }
}
