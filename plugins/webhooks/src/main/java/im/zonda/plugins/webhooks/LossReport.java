package im.zonda.plugins.webhooks;

import im.zonda.plugins.webhooks.queue.Losses;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// Counts events of a target that are not delivered, and writes it to the log, at most once a
/// minute for each reason.
final class LossReport implements Losses {
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final String target;
  private final Surroundings surroundings;
  private final AtomicLong total = new AtomicLong();
  private final Map<String, Long> unreported = new HashMap<>();
  private final Map<String, Instant> reported = new HashMap<>();

  LossReport(String target, Surroundings surroundings) {
    this.target = target;
    this.surroundings = surroundings;
  }

  @Override
  public void lost(long events, String reason) {
    total.addAndGet(events);
    surroundings.meters().lost().add(events);
    synchronized (this) {
      unreported.merge(reason, events, Long::sum);
    }
  }

  long total() {
    return total.get();
  }

  /// Writes what is due to the log.
  void report(Target.Filter filter) {
    Map<String, Long> due = new HashMap<>();
    Instant now = surroundings.clock().instant();
    synchronized (this) {
      for (Map.Entry<String, Long> each : unreported.entrySet()) {
        Instant last = reported.get(each.getKey());
        if (last == null || !now.isBefore(last.plus(PAUSE))) {
          due.put(each.getKey(), each.getValue());
          reported.put(each.getKey(), now);
        }
      }
      unreported.keySet().removeAll(due.keySet());
    }
    due.forEach((reason, events) -> {
      surroundings.log().warn("Target {} loses {} events. {}", target, events, reason);
      surroundings.alarm().raise(filter.hosts(), text(reason, events));
    });
  }

  private String text(String reason, long events) {
    return (events > 0 ? "The webhook target " + target + " loses events: " : target + ": ")
        + reason;
  }
}
