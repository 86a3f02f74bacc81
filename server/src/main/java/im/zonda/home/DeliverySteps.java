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
  /// @param action what is done when its client has it, or null
  /// @return what is to be done instead
  public @Nullable Runnable noting(
      @Nullable Runnable action, LocalSession session, Envelope envelope) {
    String resource = session.jid().resource();
    boolean waits = session.isDetached();
    tracing.step(envelope, Place.SESSION, waits ? Verdict.QUEUED : Verdict.DELIVERED, resource);
    boolean managed = session.management() != null;
    Verdict verdict = managed ? Verdict.ACKNOWLEDGED : Verdict.WRITTEN;
    Runnable note = () -> tracing.step(envelope, Place.SESSION, verdict, resource);
    return action == null ? note : action;
  }

  /// The same for a message of the log.
  public LogAction noting(LogAction action, LocalSession session, Envelope envelope) {
    Runnable note = noting((Runnable) null, session, envelope);
    return note == null ? action : new LogAction.Noted(action, note);
  }
}
