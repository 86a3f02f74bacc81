package im.zonda.router;

import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.StoreException;

/// Lets the senders of messages wait for the message log.
final class Commits {
  private final StanzaRouter router;
  private final MessageLog log;
  private final boolean durable;

  /// @param durable whether senders are told of a message only when it is durable
  Commits(StanzaRouter router, MessageLog log, boolean durable) {
    this.router = router;
    this.log = log;
    this.durable = durable;
  }

  /// The message is acknowledged to its sender when it is durable, not before.
  void await(Receipt receipt, Message message, Origin origin) {
    if (durable && origin.acknowledges()) {
      origin.begin();
      receipt.whenEnded(new Commit(message, origin));
    }
  }

  /// While too much waits for the log, its sender is not read from.
  void slowDown(Origin origin) {
    Outbound sender = log.congested() ? origin.outbound() : null;
    if (sender != null) {
      sender.pauseReading();
      log.onRelief(sender::resumeReading);
    }
  }

  /// A message whose sender waits for the commit.
  private final class Commit implements MessageLog.Ending {
    private final Message message;
    private final Origin origin;

    private Commit(Message message, Origin origin) {
      this.message = message;
      this.origin = origin;
    }

    @Override
    public void committed() {
      origin.end();
    }

    @Override
    public void failed(StoreException cause) {
      if (cause.category() != StoreException.Category.CLOSED) {
        // It will never be stored, and its sender must not wait for ever to learn of it.
        try {
          router.refuse(message, StanzaRouter.errorFor(cause));
        } finally {
          origin.end();
        }
      }
    }
  }
}
