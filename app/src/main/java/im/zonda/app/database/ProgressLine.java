package im.zonda.app.database;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/// Prints the progress of a command: in one line of a terminal that changes, otherwise a line every
/// few seconds.
public final class ProgressLine {
  private static final Duration TERMINAL = Duration.ofMillis(200);
  private static final Duration LINES = Duration.ofSeconds(5);
  private static final int WIDTH = 72;

  private final PrintWriter out;
  private final boolean terminal;
  private final InstantSource clock;
  private Instant next = Instant.MIN;
  private boolean begun;

  /// @param terminal whether `out` is a terminal
  public ProgressLine(PrintWriter out, boolean terminal, InstantSource clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
  }

  /// Prints a text, unless the last one was printed a moment ago.
  public void show(Supplier<String> text) {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      return;
    }
    next = now.plus(terminal ? TERMINAL : LINES);
    if (terminal) {
      out.print("\r" + pad(text.get()));
      out.flush();
      begun = true;
    } else {
      out.println(text.get());
    }
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
