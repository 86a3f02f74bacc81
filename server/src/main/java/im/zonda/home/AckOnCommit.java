package im.zonda.home;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.route.ErrorReplies;
import im.zonda.route.Pauses;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.StoreException;
import org.jspecify.annotations.Nullable;

/// Keeps messages from being handled (XEP-0198) until the message log has committed them.
public final class AckOnCommit {
  private final ErrorReplies errors;
  private final MessageLog log;
  private final boolean durable;

  /// @param durable whether a message has been handled only when it is durable
  public AckOnCommit(ErrorReplies errors, MessageLog log, boolean durable) {
    this.errors = errors;
    this.log = log;
    this.durable = durable;
  }

  /// Whether a stanza has been handled only when its entry is durable.
  public boolean isAwaited(Origin origin) {
    return durable && origin.acknowledges();
  }

  /// Holds the stanza of `origin` until the entry of `receipt` is durable.
  ///
  /// @param author the author of the message where its `from` does not say it
  public void await(Receipt receipt, Message message, Origin origin, @Nullable Jid author) {
    await(receipt, message, origin, author, AckOnCommit::doNothing);
  }

  private static void doNothing() {}

  /// The same.
  ///
  /// @param lost runs if the entry cannot be stored, on any thread
  public void await(
      Receipt receipt, Message message, Origin origin, @Nullable Jid author, Runnable lost) {
    if (isAwaited(origin)) {
      origin.hold();
      receipt.whenEnded(new Commit(message, origin, author, lost));
    }
  }

  /// Answers the sender with an error if the entry of `receipt` cannot be stored, also where
  /// nothing is acknowledged. For a message that no session has been sent: no one would ever get
  /// it.
  ///
  /// @param lost runs if the entry cannot be stored, on any thread
  public void rejectUnstored(
      Receipt receipt, Message message, @Nullable Jid author, Runnable lost) {
    receipt.whenEnded(new Commit(message, Origin.NONE, author, lost));
  }

  /// While too much waits for the log, the sender's stream is not read.
  public void slowDown(Origin origin) {
    InboundFlow sender = log.congested() ? origin.flow() : null;
    if (sender != null) {
      sender.pauseReading();
      errors.pauses().of(Pauses.Cause.LOG).increment();
      log.onRelief(sender::resumeReading);
    }
  }

  /// A message whose sender waits for the commit.
  private final class Commit implements MessageLog.Ending {
    private final Message message;
    private final Origin origin;
    private final @Nullable Jid author;
    private final Runnable lost;

    private Commit(Message message, Origin origin, @Nullable Jid author, Runnable lost) {
      this.message = message;
      this.origin = origin;
      this.author = author;
      this.lost = lost;
    }

    @Override
    public void committed() {
      origin.release();
    }

    @Override
    public void failed(StoreException cause) {
      if (cause.category() != StoreException.Category.CLOSED) {
        lost.run();
        // It will never be stored, and its sender must not wait for ever to learn of it.
        try {
          errors.rejectFailed(new Envelope(message, origin, author), cause);
        } finally {
          origin.release();
        }
      }
    }
  }
}
