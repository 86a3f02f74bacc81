package im.zonda.plugins.webhooks.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// A process that adds to a queue until it is killed. It prints the number of each event that was
/// handed over some time ago.
public final class QueueWriter {
  private QueueWriter() {}

  /// Adds events.
  ///
  /// @param args the folder, and the number of the first event
  public static void main(String[] args) throws Exception {
    EventQueue queue =
        EventQueue.open(
            Path.of(args[0]),
            new EventQueue.Limits(64L << 20, Duration.ofMillis(5), Duration.ofDays(1)),
            (events, reason) -> {
              if (events > 0) {
                throw new IllegalStateException(reason);
              }
            });
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    for (int i = Integer.parseInt(args[1]); ; i++) {
      byte[] json = ("{\"n\":" + i + ",\"text\":\"" + "x".repeat(i % 500) + "\"}").getBytes(UTF_8);
      if (!queue.put(new QueuedEvent(Instant.ofEpochMilli(i), json))) {
        throw new IllegalStateException("closed");
      }
      if (i % 100 == 0) {
        queue.flush();
        out.println(i);
      }
    }
  }
}
