package im.zonda.route;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Answers the senders of stanzas that cannot be delivered or handled (RFC 6120, section 8.3).
/// Errors, and the answers to IQ requests, are never answered.
public final class ErrorReplies {
  private final Routes routes;
  private final LongAdder rejected = new LongAdder();

  ErrorReplies(Routes routes) {
    this.routes = routes;
  }

  /// Answers the sender of a stanza, if it expects an answer. Presence other than a subscription
  /// request is not answered: a broadcast must not come back as errors.
  public void reject(Stanza stanza, StanzaError error) {
    reject(stanza, Origin.NONE, null, error);
  }

  /// As [#reject(Stanza, StanzaError)]. The error carries the author, so that the sender of the
  /// stanza, such as a room, can notify the author. The stanza is handled once the error has
  /// reached the sender's home.
  public void reject(Envelope envelope, StanzaError error) {
    reject(envelope.stanza(), envelope.origin(), envelope.author(), error);
  }

  /// Whether a failure is not the stanza's, because the server stops or this process was evicted.
  /// The stanza is not answered and its origin stays held: its sender sends it again, to another
  /// process.
  public static boolean isOver(Throwable cause) {
    return cause instanceof StoreException store
        && store.category() == StoreException.Category.CLOSED;
  }

  /// Whether an error could not be brought to its receiver because its home cannot be loaded. If
  /// the client comes back it must not learn that its own stanza has been handled, because it has
  /// not received the error: the stanza stays held.
  public static boolean isUndelivered(Envelope envelope, Throwable cause) {
    return envelope.stanza().isError() && cause instanceof StoreException;
  }

  /// As [#reject(Envelope, StanzaError)], and presence of every type is answered: for a stanza that
  /// is no broadcast.
  public void rejectDirected(Envelope envelope, StanzaError error) {
    if (envelope.stanza() instanceof Presence presence
        && !presence.isError()
        && presence.from() != null) {
      reply(Presence.error(presence, error), envelope.origin(), envelope.author());
    } else {
      reject(envelope, error);
    }
  }

  /// How many stanzas were answered with an error.
  public long count() {
    return rejected.sum();
  }

  /// The error for a failure of the server: the condition, with no detail.
  public static StanzaError errorFor(Throwable cause) {
    if (!(cause instanceof StoreException store)) {
      return StanzaError.of(ErrorCondition.INTERNAL_SERVER_ERROR);
    }
    if (store.category() == StoreException.Category.REJECTED) {
      return StanzaError.of(ErrorCondition.NOT_ACCEPTABLE);
    }
    return StanzaError.of(
        store.retryable()
            ? ErrorCondition.RESOURCE_CONSTRAINT
            : ErrorCondition.INTERNAL_SERVER_ERROR);
  }

  private void reject(Stanza stanza, Origin origin, @Nullable Jid author, StanzaError error) {
    if (stanza.isError() || stanza.from() == null) {
      return;
    }
    switch (stanza) {
      case Message message -> reply(Message.error(message, error), origin, author);
      case Presence presence -> {
        if (presence.type() == Presence.Type.SUBSCRIBE) {
          reply(Presence.error(presence, error), origin, author);
        }
      }
      case Iq iq -> {
        if (iq.isRequest()) {
          reply(Iq.error(iq, error), origin, author);
        }
      }
    }
  }

  private void reply(Stanza error, Origin origin, @Nullable Jid author) {
    rejected.increment();
    routes.route(new Envelope(error, origin, author));
  }
}
