package im.zonda.net.http;

import im.zonda.metric.Counter;
import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import im.zonda.metric.Reading;
import im.zonda.metric.Sample;
import java.util.ArrayList;
import java.util.List;

/// Counts the responses of one server, by the class of their status (RFC 9110, section 15). Any
/// thread may call.
public final class ResponseCounts {
  private static final List<String> CLASSES = List.of("1xx", "2xx", "3xx", "4xx", "5xx");
  private static final int OF_CLASS = 100;

  /// The definition.
  public static final Meter METER =
      Meter.counter(
          "zonda_http_responses_total",
          "Responses to browsers and other clients of HTTP, those of BOSH too",
          new Label("code", CLASSES));

  private final List<Counter> counters = CLASSES.stream().map(_ -> new Counter()).toList();

  /// Counts a response.
  void count(int status) {
    counters.get(Math.clamp(status / OF_CLASS - 1, 0, CLASSES.size() - 1)).increment();
  }

  /// The reading of [#METER].
  public Reading reading() {
    return METER.byEach(() -> {
      List<Sample> samples = new ArrayList<>();
      for (int i = 0; i < CLASSES.size(); i++) {
        samples.add(Sample.of(counters.get(i).count(), CLASSES.get(i)));
      }
      return samples;
    });
  }
}
