package im.zonda.module.muc.stanza;

import im.zonda.hook.RoomListener;
import im.zonda.hook.RoomMessageFilter;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Declarations;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.Tracer;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Passes the messages of occupants through the filters that other modules of the host have
/// declared, and notifies the listeners. Called at the home of the room.
public final class RoomHooks {
  private static final Logger LOG = LoggerFactory.getLogger(RoomHooks.class);
  private static final QName ORIGIN_ID = new QName("urn:xmpp:sid:0", "origin-id");

  private final ModuleContext context;
  private final Tracer tracer;

  public RoomHooks(ModuleContext context) {
    this.context = context;
    this.tracer = context.port(Tracer.class);
  }

  /// Whether [#pass] may block.
  public boolean mayBlock() {
    return context.roomMessagesMayBlock();
  }

  /// The message as the filters leave it; null if one of them has stopped it, and the sender has
  /// got an error if it is to know. A message that has an entry in the log, because the former home
  /// of the room has stored it, is only stopped.
  public @Nullable Message pass(Jid room, Message message, Envelope cause) {
    List<RoomMessageFilter> filters = context.declared(Declarations.ROOM_MESSAGES);
    Message passing = message;
    for (int i = 0; i < filters.size(); i++) {
      RoomMessageFilter filter = filters.get(i);
      switch (filter.filter(passing, room)) {
        case Verdict.Pass() -> {}
        case Verdict.Replace(Message changed) -> passing = inPlaceOf(passing, changed);
        case Verdict.Refuse(StanzaError error, Reason reason) -> {
          if (cause.origin().entry() == 0) {
            Reason known = reason == null ? Reason.MODULE : reason;
            record(message, cause, known, detail(known, filter, error));
            context.send(cause.answer(Message.error(message, error)));
          }
          return null;
        }
        case Verdict.Drop(Reason reason) -> {
          record(message, cause, reason, detail(reason, filter, null));
          return null;
        }
        case Verdict.Handled() -> {
          return null;
        }
        case Verdict.Replace _, Verdict.Keep _, Verdict.Each _ ->
            throw new IllegalStateException("a message in a room is passed, replaced or stopped");
      }
    }
    if (tracer.on() && !filters.isEmpty()) {
      boolean same = passing.equals(message);
      im.zonda.trace.Verdict verdict =
          same ? im.zonda.trace.Verdict.PASSED : im.zonda.trace.Verdict.CHANGED;
      tracer.step(cause, Place.ROOM, verdict, null);
    }
    return passing;
  }

  /// What takes the place of a message, with what the sender's client recognises its own by.
  private static Message inPlaceOf(Message message, Message changed) {
    if (changed.type() != message.type()
        || Subject.isChangedBy(changed) != Subject.isChangedBy(message)
        || !Objects.equals(changed.id(), message.id())) {
      throw new IllegalStateException("a filter has made another kind of message of one");
    }
    Message with = changed.withAddresses(message.from(), message.to());
    Element id = with.has(ORIGIN_ID) ? null : message.payload(ORIGIN_ID);
    return id == null ? with : with.withPayload(id);
  }

  /// What belongs to a reason: the module if it is that, otherwise the error.
  private @Nullable String detail(
      Reason reason, RoomMessageFilter filter, @Nullable StanzaError error) {
    if (reason == Reason.MODULE) {
      return context.moduleOf(filter);
    }
    return error == null ? null : error.condition().elementName();
  }

  private void record(Message message, Envelope cause, Reason reason, @Nullable String detail) {
    context
        .port(Journal.class)
        .record(
            Journal.Entry.of(Place.ROOM, reason, message)
                .withIdentity(cause.origin().identity())
                .withDetail(detail));
  }

  /// A room was created.
  public void created(Jid room, Jid by) {
    if (isObserved()) {
      tell(room, listener -> listener.created(room, by));
    }
  }

  /// A room was removed.
  public void removed(Jid room) {
    if (isObserved()) {
      tell(room, listener -> listener.removed(room));
    }
  }

  /// A session has entered a room.
  public void entered(Jid occupant, Jid session) {
    if (isObserved()) {
      tell(occupant.bare(), listener -> listener.entered(occupant, session));
    }
  }

  /// A session has left a room, or was removed from it.
  public void left(Jid occupant, Jid session) {
    if (isObserved()) {
      tell(occupant.bare(), listener -> listener.left(occupant, session));
    }
  }

  /// A message was sent to all occupants.
  ///
  /// @param session of the sender; null if the room itself has sent it
  public void sent(Jid room, Message message, @Nullable Jid session) {
    if (isObserved()) {
      tell(room, listener -> listener.sent(message, session));
    }
  }

  private boolean isObserved() {
    return !context.declared(Declarations.ROOMS).isEmpty();
  }

  private void tell(Jid room, Consumer<RoomListener> event) {
    for (RoomListener listener : context.declared(Declarations.ROOMS)) {
      try {
        event.accept(listener);
      } catch (RuntimeException e) {
        // It has happened: what follows in the room must follow.
        LOG.atError().addKeyValue("room", room).setCause(e).log("room_listener_failed");
      }
    }
  }
}
