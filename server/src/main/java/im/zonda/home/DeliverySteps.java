package im.zonda.home;

import im.zonda.jid.Jid;
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
  /// @param session its address
  /// @param detached whether it has no stream
  /// @param acknowledges whether its client acknowledges what it gets
  /// @return what is to be done when its client has it; null if the message is not traced
  public @Nullable Runnable noting(
      Jid session, boolean detached, boolean acknowledges, Envelope envelope) {
    String resource = session.resource();
    Verdict given = detached ? Verdict.QUEUED : Verdict.DELIVERED;
    if (!tracing.noted(envelope, Place.SESSION, given, resource)) {
      return null;
    }
    Verdict taken = acknowledges ? Verdict.ACKNOWLEDGED : Verdict.WRITTEN;
    return () -> tracing.step(envelope, Place.SESSION, taken, resource);
  }
}
