package im.zonda.module.push;

import im.zonda.metric.Counter;
import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import im.zonda.metric.Reading;
import im.zonda.metric.Sample;
import java.util.List;

/// Counters of the notifications of one host.
final class PushMeters {
  static final Meter NOTIFICATIONS =
      Meter.counter(
          "zonda_push_notifications_total",
          "Notifications to push services",
          Label.HOST,
          Label.of("outcome", "sent", "accepted", "failed", "refused"));

  /// Sent to a service; it has then one of the other outcomes, or no answer.
  final Counter sent = new Counter();

  final Counter accepted = new Counter();

  /// Failed in a way that may pass.
  final Counter failed = new Counter();

  /// Refused permanently: the registration ends.
  final Counter refused = new Counter();

  Reading reading() {
    return NOTIFICATIONS.byEach(() ->
        List.of(
            Sample.of(sent.count(), "sent"),
            Sample.of(accepted.count(), "accepted"),
            Sample.of(failed.count(), "failed"),
            Sample.of(refused.count(), "refused")));
  }
}
