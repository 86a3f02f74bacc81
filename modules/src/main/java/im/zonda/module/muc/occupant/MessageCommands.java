package im.zonda.module.muc.occupant;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.Tracer;
import im.zonda.module.muc.archive.RoomArchive;
import im.zonda.module.muc.home.RoomActivity;
import im.zonda.module.muc.home.RoomCharges;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.ForgedPayloads;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.muc.stanza.RoomHooks;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.store.MessageLog;
import im.zonda.trace.Verdict;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Handles messages to a room: messages to all occupants, the subject, private messages (XEP-0045,
/// sections 7.4, 7.5 and 8.1).
public final class MessageCommands {
  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final RoomBroadcast broadcast;
  private final RoomArchive archive;
  private final RoomRepository repository;
  private final RoomExit exit;
  private final Mentions mentions;
  private final Tracer tracer;
  private final RoomHooks hooks;

  public MessageCommands(
      ModuleContext context,
      Supplier<Rooms> settings,
      RoomBroadcast broadcast,
      RoomArchive archive,
      RoomRepository repository,
      RoomExit exit) {
    this.context = context;
    this.settings = settings;
    this.broadcast = broadcast;
    this.archive = archive;
    this.repository = repository;
    this.exit = exit;
    this.mentions = new Mentions(context);
    this.tracer = context.port(Tracer.class);
    this.hooks = new RoomHooks(context);
  }

  /// Whether the message, if it is accepted, is the first that is said in the room.
  public static boolean isFirst(LiveRoom live, Message message) {
    return !live.room().isUsed()
        && message.type() == Message.Type.GROUPCHAT
        && !Subject.isChangedBy(message)
        && RoomArchive.isStorable(message);
  }

  public void handle(RoomHome home, Message message, Envelope cause) {
    Jid session = message.from();
    Jid to = message.to();
    LiveRoom live = home.live();
    if (session == null || to == null) {
      return;
    }
    if (message.type() == Message.Type.ERROR) {
      if (to.resource() != null && cause.author() != null) {
        returnToAuthor(live, message, cause.author(), cause);
      }
      if (live != null) {
        exit.handleError(home, live, message);
      }
      return;
    }
    if (live == null) {
      sendError(message, cause, ErrorCondition.ITEM_NOT_FOUND, Reason.NO_SUCH_ROOM);
      return;
    }
    long entry = cause.origin().entry();
    if (entry == 0 && to.resource() == null && archive.isSecondCopy(home, message, cause)) {
      return;
    }
    Occupant sender = live.room().occupant(session);
    OccupantSession occupantSession = sender == null ? null : sender.session(session);
    if (entry != 0) {
      if (!home.hasStored(entry) && !home.sent().isContinued()) {
        sendAgain(home, live, sender, message, cause);
      }
    } else if (sender == null || occupantSession == null) {
      sendError(message, cause, ErrorCondition.NOT_ACCEPTABLE, Reason.ROOM_NOT_OCCUPANT);
    } else if (!occupantSession
        .messageRate()
        .tryAcquire(context.clock().millis(), settings.get().messageRate())) {
      sendError(message, cause, MucErrors.rateExceeded(), Reason.ROOM_TOO_FAST);
    } else if (to.resource() != null) {
      sendPrivately(live, sender, message, cause);
    } else if (message.type() != Message.Type.GROUPCHAT) {
      sendError(message, cause, ErrorCondition.BAD_REQUEST);
    } else if (Subject.isChangedBy(message)) {
      changeSubject(home, live, sender, message, cause);
    } else if (!sender.role().isAtLeast(Role.PARTICIPANT)) {
      sendError(message, cause, ErrorCondition.FORBIDDEN, Reason.ROOM_NO_VOICE);
    } else {
      sendToRoom(home, live, sender, message, cause);
    }
  }

  /// Broadcasts a message (section 7.4), as the filters leave it.
  private void sendToRoom(
      RoomHome home, LiveRoom live, Occupant sender, Message received, Envelope cause) {
    StanzaError tooSoon = slowDown(home, live, sender, received);
    if (tooSoon != null) {
      boolean slow = tooSoon.condition() == ErrorCondition.POLICY_VIOLATION;
      sendError(received, cause, tooSoon, slow ? Reason.ROOM_SLOW_MODE : Reason.ROOM_MEMORY);
      return;
    }
    Message message = hooks.pass(home.jid(), received, cause);
    if (message == null) {
      forgetSpoken(home, live, sender, received);
      return;
    }
    if (isFirst(live, received)) {
      repository.use(live);
    }
    RoomArchive.BroadcastMessage kept = archive.store(home, live, sender, message, cause);
    if (kept == null) {
      forgetSpoken(home, live, sender, received);
      sendError(message, cause, ErrorCondition.RESOURCE_CONSTRAINT, Reason.ROOM_NOT_STORED);
      return;
    }
    if (message.hasBody()) {
      live.history().add(sender.user(), kept.id(), kept.message());
    }
    if (RoomActivity.counts(message)) {
      home.activity().count(context.clock().millis());
    }
    Jid author = message.from() == null ? sender.user() : message.from();
    send(home, live, kept, author, cause);
    mentions.notifyMentioned(live, author, kept.id(), kept.message(), cause);
  }

  /// Returns the error if the sender's account has to wait (XEP-0500), otherwise null.
  private @Nullable StanzaError slowDown(
      RoomHome home, LiveRoom live, Occupant sender, Message message) {
    int seconds = live.room().config().slowMode();
    if (seconds == 0) {
      home.slowMode().clear();
      return null;
    }
    if (!isSlowed(sender, message)) {
      return null;
    }
    return switch (home.slowMode().speak(sender.user(), context.clock().millis(), seconds)) {
      case ALLOWED -> null;
      case TOO_SOON -> MucErrors.slowModeExceeded(seconds);
      case NO_MEMORY -> MucErrors.accountMemoryExceeded();
    };
  }

  private static boolean isSlowed(Occupant sender, Message message) {
    return message.hasBody() && !sender.affiliation().isAtLeast(Affiliation.ADMIN);
  }

  /// A message that was not sent does not count; the one before it still does if this one never
  /// has.
  private static void forgetSpoken(RoomHome home, LiveRoom live, Occupant sender, Message message) {
    if (live.room().config().slowMode() > 0 && isSlowed(sender, message)) {
      home.slowMode().forget(sender.user());
    }
  }

  private void send(
      RoomHome home, LiveRoom live, RoomArchive.BroadcastMessage kept, Jid author, Envelope cause) {
    if (tracer.on()) {
      String sessions =
          String.valueOf(
              live.room().occupants().stream().mapToInt(each -> each.sessions().size()).sum());
      tracer.step(cause, Place.ROOM, Verdict.EXPANDED, sessions);
    }
    Origin sent = home.sent().send(kept.id(), cause.origin());
    broadcast.sendMessage(live.room(), kept.message(), sent);
    sent.release();
    hooks.sent(home.jid(), kept.message(), author);
  }

  /// Sends a message to the room again, with its stored id: the former home of the room has stored
  /// it and died, perhaps before it had sent it to all occupants. Only if the progress of that home
  /// is unknown ([im.zonda.module.muc.home.SentMessages]); the message then follows newer ones. A
  /// message of someone who has left since is only in the archive.
  private void sendAgain(
      RoomHome home, LiveRoom live, @Nullable Occupant sender, Message received, Envelope cause) {
    // The log has it as the filters have left it, and this is what the client has sent.
    Message message = sender == null ? null : hooks.pass(home.jid(), received, cause);
    if (message == null) {
      return;
    }
    RoomArchive.BroadcastMessage kept =
        sender == null ? null : archive.store(home, live, sender, message, cause);
    if (sender == null || kept == null) {
      return;
    }
    Subject before = live.room().subject();
    Instant time = MessageLog.timeOf(kept.id());
    if (Subject.isChangedBy(message) && (before == null || before.time().isBefore(time))) {
      setSubject(live, new Subject(kept.message().packed(), time));
    }
    broadcast.sendMessage(live.room(), kept.message(), Origin.NONE);
    Jid author = message.from() == null ? sender.user() : message.from();
    mentions.notifyMentioned(live, author, kept.id(), kept.message(), cause);
  }

  private void setSubject(LiveRoom live, Subject subject) {
    repository.save(live, live.room().config(), subject, List.of());
    live.room().setSubject(subject);
  }

  /// Changes the subject (section 8.1).
  private void changeSubject(
      RoomHome home, LiveRoom live, Occupant sender, Message received, Envelope cause) {
    RoomConfig config = live.room().config();
    Role least = config.changeSubject() ? Role.PARTICIPANT : Role.MODERATOR;
    if (!sender.role().isAtLeast(least)) {
      sendError(received, cause, ErrorCondition.FORBIDDEN, Reason.ROOM_SUBJECT);
      return;
    }
    Message message = hooks.pass(home.jid(), received, cause);
    if (message == null) {
      return;
    }
    Subject asked = new Subject(message, context.clock().instant());
    if (!RoomCharges.charge(live, config, asked, List.of())) {
      sendError(message, cause, MucErrors.creatorMemoryExceeded(), Reason.ROOM_MEMORY);
      return;
    }
    RoomArchive.BroadcastMessage kept = archive.store(home, live, sender, message, cause);
    if (kept == null) {
      sendError(message, cause, ErrorCondition.RESOURCE_CONSTRAINT, Reason.ROOM_NOT_STORED);
      return;
    }
    setSubject(live, new Subject(kept.message().packed(), context.clock().instant()));
    send(home, live, kept, message.from() == null ? sender.user() : message.from(), cause);
  }

  /// Sends a private message (section 7.5) to all sessions of an occupant, as one message for the
  /// account: each session gets it with the same `stanza-id`.
  private void sendPrivately(LiveRoom live, Occupant sender, Message message, Envelope cause) {
    Jid to = message.to();
    String nick = to == null ? null : to.resource();
    if (nick == null || message.type() == Message.Type.GROUPCHAT) {
      sendError(message, cause, ErrorCondition.BAD_REQUEST);
      return;
    }
    Occupant receiver = live.room().occupantByNick(nick);
    if (receiver == null) {
      sendError(message, cause, ErrorCondition.ITEM_NOT_FOUND, Reason.ROOM_NO_SUCH_OCCUPANT);
      return;
    }
    if (!live.room().config().mayWritePrivately(sender.role())) {
      sendError(message, cause, ErrorCondition.FORBIDDEN, Reason.ROOM_NO_PRIVATE);
      return;
    }
    Message clean =
        ForgedPayloads.removeFrom(message, live.room().jid())
            .withPayload(Element.of(MucNames.X_USER))
            .withPayload(MucNames.OCCUPANT_ID, RoomArchive.occupantId(sender));
    Jid author = message.from() == null ? sender.user() : message.from();
    List<Jid> sessions = receiver.sessions().stream().map(OccupantSession::jid).toList();
    Message copy = clean.withAddresses(sender.address(), null);
    context.send(Envelope.of(copy, author, cause).withSessions(sessions));
  }

  /// Notifies the author of a private message that could not be delivered: its receiver's session
  /// is gone, its receiver rejects it (XEP-0191), or it cannot be stored. The error comes from the
  /// receiver's session, whose address the author must not see. The author's stanza has not been
  /// handled before the author's home has this error.
  ///
  /// If the receiver has left meanwhile, the error is the one for an occupant who does not exist.
  private void returnToAuthor(@Nullable LiveRoom live, Message error, Jid author, Envelope cause) {
    Jid session = error.from();
    Jid to = error.to();
    Occupant receiver = live == null || session == null ? null : live.room().occupant(session);
    StanzaError shown = MucErrors.copyOf(error);
    if (receiver == null && shown.condition() == ErrorCondition.SERVICE_UNAVAILABLE) {
      shown = StanzaError.of(ErrorCondition.ITEM_NOT_FOUND);
    }
    Jid from = receiver != null ? receiver.address() : to == null ? null : to.bare();
    Message returned =
        Message.of(Message.Type.ERROR, from, author, error.id(), List.of(shown.toElement()));
    context.send(cause.answer(returned));
  }

  private void sendError(Message message, Envelope cause, ErrorCondition condition) {
    sendError(message, cause, StanzaError.of(condition));
  }

  private void sendError(Message message, Envelope cause, ErrorCondition condition, Reason reason) {
    sendError(message, cause, StanzaError.of(condition), reason);
  }

  private void sendError(Message message, Envelope cause, StanzaError error) {
    sendError(message, cause, error, Reason.ROOM_REFUSED);
  }

  /// Rejects a message. It has not been handled until its sender's home has the error: if this node
  /// dies before, the message is sent to the room's next home.
  private void sendError(Message message, Envelope cause, StanzaError error, Reason reason) {
    context
        .port(Journal.class)
        .record(
            Journal.Entry.of(Place.ROOM, reason, message)
                .withIdentity(cause.origin().identity())
                .withDetail(error.condition().elementName()));
    context.send(cause.answer(Message.error(message, error)));
  }
}
