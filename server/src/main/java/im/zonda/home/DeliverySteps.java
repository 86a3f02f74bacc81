package im.zonda.home;

import im.zonda.home.session.LocalSession;
import im.zonda.home.session.LogAction;
import im.zonda.journal.Place;
import im.zonda.module.Envelope;
import im.zonda.route.Tracing;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.trace.Verdict;
import org.jspecify.annotations.Nullable;

/// Notes the last steps of messages that are traced: the log, and the sessions of the receiver.
///
/// @param tracing notes them
public record DeliverySteps(Tracing tracing) {
  /// Whether any message is traced.
  public boolean isOn() {
    return tracing.on();
  }

  /// Notes when the entry of a message is durable.
  public void note(Receipt receipt, Envelope envelope) {
    receipt.whenCommitted(() -> tracing.step(envelope, Place.LOG, Verdict.STORED, null));
  }

  /// Notes that a session is given a message, and when its client has it.
  ///
  /// @param action what is done when its client has it
  /// @return what is to be done instead
  public LogAction noting(LogAction action, LocalSession session, Envelope envelope) {
    Runnable note = noting(session, envelope);
    return note == null ? action : new LogAction.Noted(action, note);
  }

  /// The same for a message that is in no log; null if it is not traced.
  public @Nullable Runnable noting(LocalSession session, Envelope envelope) {
    String resource = session.jid().resource();
    Verdict given = session.isDetached() ? Verdict.QUEUED : Verdict.DELIVERED;
    if (!tracing.noted(envelope, Place.SESSION, given, resource)) {
      return null;
    }
    Verdict taken = session.management() == null ? Verdict.WRITTEN : Verdict.ACKNOWLEDGED;
    return () -> tracing.step(envelope, Place.SESSION, taken, resource);
  }
}
