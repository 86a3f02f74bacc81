package im.zonda.bench.run;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/// Tells the person who waits how far a run is: on a terminal in one line with a bar that changes,
/// otherwise in a line for each phase.
public final class Progress {
  private static final int WIDTH = 30;
  private static final long REDRAW_NANOS = 500_000_000;

  private final PrintWriter out;
  private final boolean terminal;
  private final long begun = System.nanoTime();
  private final Duration expected;
  private String last = "";
  private long drawn;

  /// @param expected about how long the run takes
  public Progress(PrintWriter out, boolean terminal, Duration expected) {
    this.out = out;
    this.terminal = terminal;
    this.expected = expected;
  }

  /// Something begins.
  public synchronized void say(String what) {
    if (terminal) {
      draw(what);
    } else if (!what.equals(last)) {
      out.println(what);
      out.flush();
    }
    last = what;
  }

  /// How far something is.
  public synchronized void part(String what, long done, long total) {
    if (terminal) {
      last = total <= 0 ? what : what + ": " + done + " of " + total;
      draw(last);
    } else {
      say(what);
    }
  }

  private void draw(String what) {
    drawn = System.nanoTime();
    double seconds = (drawn - begun) / 1e9;
    double share = Math.min(0.99, seconds / Math.max(1, expected.toSeconds()));
    int filled = (int) (share * WIDTH);
    long left = Math.max(1, Math.round(expected.toSeconds() - seconds));
    out.printf(
        Locale.ROOT,
        "\r\033[K[%s%s] %3d %%  about %s left  %s",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        (int) (share * 100),
        left >= 90 ? (left + 30) / 60 + " min" : left + " s",
        what);
    out.flush();
  }

  /// Draws again, some time after the last time.
  public synchronized void tick() {
    long now = System.nanoTime();
    if (terminal && now - drawn > REDRAW_NANOS) {
      draw(last);
    }
  }

  /// Clears the line for what is printed next.
  public synchronized void end() {
    if (terminal) {
      out.print("\r\033[K");
      out.flush();
    }
  }
}
