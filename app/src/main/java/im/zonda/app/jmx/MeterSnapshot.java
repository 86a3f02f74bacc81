package im.zonda.app.jmx;

import im.zonda.metric.Meter;
import im.zonda.metric.Meters;
import im.zonda.metric.Meters.Family;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The values of all meters, read at most once a second: a client asks for each attribute by
/// itself. Any thread may call.
final class MeterSnapshot implements Function<Meter, @Nullable Family> {
  private static final long FRESH = Duration.ofSeconds(1).toNanos();

  private final Meters meters;

  // Guarded by this object's monitor.
  private @Nullable Map<String, Family> known;
  private long read;

  MeterSnapshot(Meters meters) {
    this.meters = meters;
  }

  @Override
  public synchronized @Nullable Family apply(Meter meter) {
    long now = System.nanoTime();
    Map<String, Family> families = known;
    if (families == null || now - read > FRESH) {
      families =
          meters.read().stream()
              .collect(Collectors.toMap(each -> each.meter().name(), each -> each));
      known = families;
      read = now;
    }
    return families.get(meter.name());
  }
}
