package im.zonda.bench.target;

import im.zonda.bench.process.ChildProcess;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A process that stands still for some time, as if the machine did: it is stopped by a signal, and
/// its connections stay.
///
/// @param node the number of the node, from 1
/// @param at the second of the measured part
/// @param seconds how long
record Standstill(int node, int at, int seconds) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,3}):(\\d{1,5}):(\\d{1,4})");

  /// Reads the value of `--stop`.
  ///
  /// @param nodes how many nodes there are
  /// @return null if the value is empty
  /// @throws IllegalArgumentException if it has another form, or there is no such node
  static @Nullable Standstill parse(String text, int nodes) {
    if (text.isEmpty()) {
      return null;
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "--stop " + text + " is not of the form NODE:AT:SECONDS, such as 2:10:5");
    }
    int node = Integer.parseInt(form.group(1));
    if (node < 1 || node > nodes) {
      throw new IllegalArgumentException("--stop " + text + ": there is no node " + node);
    }
    return new Standstill(node, Integer.parseInt(form.group(2)), Integer.parseInt(form.group(3)));
  }

  /// Begins to wait for that second. A process that has ended by then is left alone.
  ///
  /// @param nanos the beginning of the measured part, by [System#nanoTime]
  void begin(ChildProcess process, long nanos) {
    Thread.ofPlatform()
        .name("bench-stop")
        .daemon()
        .start(() -> {
          try {
            waitUntil(nanos + TimeUnit.SECONDS.toNanos(at));
            process.stop();
            try {
              waitUntil(nanos + TimeUnit.SECONDS.toNanos(at + seconds));
            } finally {
              process.goOn();
            }
          } catch (IOException e) {
            System.err.println("zonda: node " + node + " was not stopped: " + e.getMessage());
          }
        });
  }

  private static void waitUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
