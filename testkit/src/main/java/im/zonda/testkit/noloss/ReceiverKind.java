package im.zonda.testkit.noloss;

import im.zonda.testkit.client.ManagedClient.Habits;
import java.util.Locale;

/// Behaviour of a receiver.
public enum ReceiverKind {
  /// Online, with Stream Management.
  STEADY,
  /// Like the first, but reads and acknowledges late.
  SLOW,
  /// Cuts its connection every few hundred milliseconds and resumes.
  RESTLESS,
  /// Cuts its connection and logs in again without resuming, while the server still has the
  /// session.
  FRESH,
  /// Without stream management; cuts its connection or leaves, and logs in again.
  UNMANAGED,
  /// Its network breaks: it resumes while its old connection still looks alive.
  FROZEN,
  /// Two resources: one steady, one that reconnects.
  TWIN,
  /// Offline until the end.
  AWAY;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  Habits habits() {
    return switch (this) {
      case UNMANAGED -> new Habits(false, false, 0, "<presence/>");
      case STEADY, RESTLESS -> new Habits(true, true, 20, "<presence/>");
      case SLOW, FRESH, FROZEN, TWIN, AWAY -> Habits.USUAL;
    };
  }
}
