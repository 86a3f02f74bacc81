package im.zonda.app.transfer.command;

import im.zonda.app.transfer.destination.ImportRun;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/// Prints how far an import is: in one line of a terminal that changes, otherwise a line every few
/// seconds.
final class ImportOutput implements ImportRun.Progress {
  private static final Duration TERMINAL = Duration.ofMillis(200);
  private static final Duration LINES = Duration.ofSeconds(5);
  private static final int WIDTH = 72;

  private final PrintWriter out;
  private final boolean terminal;
  private final InstantSource clock;
  private String step = "";
  private Instant begun = Instant.MIN;
  private Instant next = Instant.MIN;
  private boolean printed;

  /// @param terminal whether `out` is a terminal
  ImportOutput(PrintWriter out, boolean terminal, InstantSource clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public void advanced(String newStep, long done, long all) {
    Instant now = clock.instant();
    Duration pause = terminal ? TERMINAL : LINES;
    if (!newStep.equals(step)) {
      step = newStep;
      begun = now;
      next = now.plus(pause);
    }
    if (now.isBefore(next)) {
      return;
    }
    next = now.plus(pause);
    long millis = Math.max(1, Duration.between(begun, now).toMillis());
    String text =
        String.format(
            Locale.ROOT,
            "%s: %,d%s (%,d a second)",
            step,
            done,
            all < 0 ? "" : String.format(Locale.ROOT, " of %,d", all),
            done * 1_000 / millis);
    if (terminal) {
      out.print("\r" + text + " ".repeat(Math.max(0, WIDTH - text.length())));
      out.flush();
      printed = true;
    } else {
      out.println(text);
      out.flush();
    }
  }

  /// Ends the line of the terminal.
  void end() {
    if (printed) {
      out.print("\r" + " ".repeat(WIDTH) + "\r");
      out.flush();
    }
  }
}
