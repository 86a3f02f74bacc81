package im.zonda.route;

import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Answers the senders of stanzas that cannot be delivered or handled (RFC 6120, section 8.3), and
/// records why. Errors, and the answers to IQ requests, are never answered.
public final class ErrorReplies {
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");

  private final Routes routes;
  private final LongAdder rejected = new LongAdder();
  private final Tracing tracing = new Tracing();
  private final Pauses pauses = new Pauses();
  private volatile Journal journal = Journal.NONE;

  ErrorReplies(Routes routes) {
    this.routes = routes;
  }

  /// Has `recorder` get what is recorded here from now on.
  public void recordBy(Journal recorder) {
    journal = recorder;
  }

  /// Records that a stanza was not delivered as usual.
  public void record(Journal.Entry entry) {
    record(entry, 0);
  }

  /// Where the steps of messages are noted that are traced.
  public Tracing tracing() {
    return tracing;
  }

  /// How often streams were not read for a while.
  public Pauses pauses() {
    return pauses;
  }

  private void record(Journal.Entry entry, long trace) {
    if (tracing.on()) {
      tracing.decided(entry, trace);
    }
    journal.record(entry);
  }

  /// Records what has become of a stanza whose sender is its author, if it has one.
  ///
  /// @param detail what belongs to the reason, or null
  public void record(Envelope envelope, Place place, Reason reason, @Nullable String detail) {
    Jid author = envelope.author();
    record(
        Journal.Entry.of(place, reason, envelope.stanza())
            .from(author == null ? envelope.stanza().from() : author)
            .withIdentity(envelope.origin().identity())
            .withDetail(detail),
        envelope.origin().trace());
  }

  /// Answers the sender of a stanza, if it expects an answer. Presence other than a subscription
  /// request is not answered: a broadcast must not come back as errors.
  public void reject(Stanza stanza, StanzaError error) {
    if (isAnswered(stanza)) {
      record(
          Journal.Entry.of(Place.ROUTE, reasonOf(error), stanza)
              .withDetail(error.condition().elementName()),
          0);
      reject(stanza, Origin.NONE, null, error);
    }
  }

  /// As [#reject(Stanza, StanzaError)]. The error carries the author, so that the sender of the
  /// stanza, such as a room, can notify the author. The stanza is handled once the error has
  /// reached the sender's home.
  public void reject(Envelope envelope, StanzaError error) {
    reject(envelope, error, Place.ROUTE, reasonOf(error), error.condition().elementName());
  }

  /// As [#reject(Envelope, StanzaError)], for a reason that is recorded.
  ///
  /// @param detail what belongs to the reason, or null
  public void reject(
      Envelope envelope, StanzaError error, Place place, Reason reason, @Nullable String detail) {
    if (isAnswered(envelope.stanza())) {
      record(envelope, place, reason, detail);
      reject(envelope.stanza(), envelope.origin(), envelope.author(), error);
    }
  }

  /// As [#reject(Envelope, StanzaError)], for a message that its receiver's home cannot deliver:
  /// with `resource-constraint` if it could not be stored, otherwise with `service-unavailable`.
  public void rejectAtHome(Envelope envelope, Reason reason) {
    boolean full = reason == Reason.OFFLINE_FULL || reason == Reason.STORE_UNAVAILABLE;
    ErrorCondition condition =
        full ? ErrorCondition.RESOURCE_CONSTRAINT : ErrorCondition.SERVICE_UNAVAILABLE;
    reject(envelope, StanzaError.of(condition), Place.HOME, reason, null);
  }

  /// As [#reject(Envelope, StanzaError)], for a failure of the server.
  public void rejectFailed(Envelope envelope, Throwable cause) {
    Reason reason =
        cause instanceof StoreException ? Reason.STORE_UNAVAILABLE : Reason.SERVER_FAILURE;
    reject(envelope, errorFor(cause), Place.HOME, reason, null);
  }

  private static Reason reasonOf(StanzaError error) {
    return error.condition() == ErrorCondition.INTERNAL_SERVER_ERROR
        ? Reason.SERVER_FAILURE
        : Reason.REFUSED;
  }

  private static boolean isAnswered(Stanza stanza) {
    if (stanza.isError() || stanza.from() == null) {
      return false;
    }
    return switch (stanza) {
      case Message _ -> true;
      case Presence presence -> presence.type() == Presence.Type.SUBSCRIBE;
      case Iq iq -> iq.isRequest();
    };
  }

  /// Records that another server has returned a message.
  public void recordReturned(Message error) {
    Element payload = error.payload(ERROR);
    String condition = payload == null ? null : conditionOf(payload);
    record(Journal.Entry.of(Place.REMOTE, Reason.REMOTE_ERROR, error).withDetail(condition), 0);
  }

  private static @Nullable String conditionOf(Element error) {
    for (Element child : error.children()) {
      if (child.name().namespace().equals(Namespaces.STANZA_ERRORS)) {
        ErrorCondition known = ErrorCondition.ofElementName(child.name().name());
        return known == null ? null : known.elementName();
      }
    }
    return null;
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
    rejectDirected(envelope, error, Place.ROUTE, reasonOf(error), error.condition().elementName());
  }

  /// As [#rejectDirected(Envelope, StanzaError)], for a reason that is recorded.
  ///
  /// @param detail what belongs to the reason, or null
  public void rejectDirected(
      Envelope envelope, StanzaError error, Place place, Reason reason, @Nullable String detail) {
    if (envelope.stanza() instanceof Presence presence
        && !presence.isError()
        && presence.from() != null) {
      record(envelope, place, reason, detail);
      reply(Presence.error(presence, error), envelope.origin(), envelope.author());
    } else {
      reject(envelope, error, place, reason, detail);
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
    switch (stanza) {
      case Message message -> reply(Message.error(message, error), origin, author);
      case Presence presence -> reply(Presence.error(presence, error), origin, author);
      case Iq iq -> reply(Iq.error(iq, error), origin, author);
    }
  }

  private void reply(Stanza error, Origin origin, @Nullable Jid author) {
    rejected.increment();
    routes.route(new Envelope(error, origin, author));
  }
}
