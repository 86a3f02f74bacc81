package im.zonda.plugins.webhooks;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// State of a delivery. Numbers of events that are not in files are since the target was loaded.
///
/// @param state what it does
/// @param queued events on the disk that were not accepted
/// @param bytes of the queue's files
/// @param oldest when the oldest of the events that are being delivered happened
/// @param sent events that were accepted
/// @param rejected rejected events that are kept
/// @param lost events that are not delivered
/// @param failures attempts that have failed
/// @param error why the last of them has failed
/// @param errorTime when
/// @param next when it tries again
record Status(
    State state,
    long queued,
    long bytes,
    @Nullable Instant oldest,
    long sent,
    long rejected,
    long lost,
    long failures,
    @Nullable String error,
    @Nullable Instant errorTime,
    @Nullable Instant next) {
  /// What a delivery does.
  enum State {
    /// There is nothing to send.
    IDLE,
    /// It sends.
    SENDING,
    /// It waits after a failure.
    WAITING;

    /// The word for it.
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
