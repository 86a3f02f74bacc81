package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.Room.Subject;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What messages to a room do: someone speaks, changes the subject, writes privately (XEP-0045,
/// sections 7.4, 7.5 and 8.1).
final class MessageCommands {
  private final ModuleContext context;
  private final Rooms settings;
  private final RoomBroadcast broadcast;
  private final RoomArchive archive;
  private final RoomKeeper keeper;
  private final RoomExit exit;
  private final Mentions mentions;

  MessageCommands(
      ModuleContext context,
      Rooms settings,
      RoomBroadcast broadcast,
      RoomArchive archive,
      RoomKeeper keeper,
      RoomExit exit) {
    this.context = context;
    this.settings = settings;
    this.broadcast = broadcast;
    this.archive = archive;
    this.keeper = keeper;
    this.exit = exit;
    this.mentions = new Mentions(context);
  }

  /// Whether the message changes the subject (section 7.2.14).
  static boolean isSubject(Message message) {
    return message.type() == Message.Type.GROUPCHAT
        && message.has(MucNames.SUBJECT)
        && !message.hasBody();
  }

  void take(RoomHome home, Message message, Envelope cause) {
    Jid session = message.from();
    Jid to = message.to();
    LiveRoom live = home.live();
    if (session == null || to == null) {
      return;
    }
    if (message.type() == Message.Type.ERROR) {
      if (live != null && to.resource() != null && cause.author() != null) {
        rejected(live, message, cause.author());
      } else if (live != null) {
        exit.returned(live, message);
      }
      return;
    }
    if (live == null) {
      refuse(message, ErrorCondition.ITEM_NOT_FOUND);
      return;
    }
    Occupant sender = live.room().occupant(session);
    Seat seat = sender == null ? null : sender.seat(session);
    if (sender == null || seat == null) {
      refuse(message, ErrorCondition.NOT_ACCEPTABLE);
    } else if (!seat.messages().spend(context.clock().millis(), settings.messageRate())) {
      context.send(Message.error(message, RoomEntry.tooMuch()));
    } else if (to.resource() != null) {
      privately(live, sender, message, cause);
    } else if (message.type() != Message.Type.GROUPCHAT) {
      refuse(message, ErrorCondition.BAD_REQUEST);
    } else if (isSubject(message)) {
      subject(live, sender, message, cause);
    } else if (!sender.role().isAtLeast(Role.PARTICIPANT)) {
      refuse(message, ErrorCondition.FORBIDDEN);
    } else {
      say(live, sender, message, cause);
    }
  }

  /// Section 7.4.
  private void say(LiveRoom live, Occupant sender, Message message, Envelope cause) {
    RoomArchive.Kept kept = archive.keep(live, sender, message, cause);
    if (kept == null) {
      refuse(message, ErrorCondition.RESOURCE_CONSTRAINT);
      return;
    }
    if (message.hasBody()) {
      live.history().add(sender.user(), kept.id(), kept.message());
    }
    broadcast.message(live.room(), kept.message());
    Jid author = message.from() == null ? sender.user() : message.from();
    mentions.tell(live, author, kept.id(), kept.message(), cause);
  }

  /// Section 8.1.
  private void subject(LiveRoom live, Occupant sender, Message message, Envelope cause) {
    RoomConfig config = live.room().config();
    Role least = config.changeSubject() ? Role.PARTICIPANT : Role.MODERATOR;
    if (!sender.role().isAtLeast(least)) {
      refuse(message, ErrorCondition.FORBIDDEN);
      return;
    }
    Subject asked = new Subject(message, context.clock().instant());
    if (!RoomCost.charge(live, config, asked, List.of())) {
      context.send(Message.error(message, RoomCost.tooMuch()));
      return;
    }
    RoomArchive.Kept kept = archive.keep(live, sender, message, cause);
    if (kept == null) {
      refuse(message, ErrorCondition.RESOURCE_CONSTRAINT);
      return;
    }
    Subject subject = new Subject(kept.message().packed(), context.clock().instant());
    keeper.save(live, config, subject, List.of());
    live.room().subject(subject);
    broadcast.message(live.room(), kept.message());
  }

  /// Section 7.5.
  private void privately(LiveRoom live, Occupant sender, Message message, Envelope cause) {
    Jid to = message.to();
    String nick = to == null ? null : to.resource();
    if (nick == null || message.type() == Message.Type.GROUPCHAT) {
      refuse(message, ErrorCondition.BAD_REQUEST);
      return;
    }
    Occupant receiver = live.room().named(nick);
    if (receiver == null) {
      refuse(message, ErrorCondition.ITEM_NOT_FOUND);
      return;
    }
    if (!live.room().config().mayWritePrivately(sender.role())) {
      refuse(message, ErrorCondition.FORBIDDEN);
      return;
    }
    Message clean =
        withoutForged(message, live.room().jid())
            .withPayload(Element.of(MucNames.X_USER))
            .withPayload(MucNames.OCCUPANT_ID, RoomArchive.occupantId(sender));
    Jid author = message.from() == null ? sender.user() : message.from();
    for (Seat seat : receiver.seats()) {
      context.send(
          Envelope.of(clean.withAddresses(sender.address(), seat.session()), author, cause));
    }
  }

  /// Notifies the author of a private message that its receiver has rejected (XEP-0191). The error
  /// comes from the receiver's session, which the author must not see.
  private void rejected(LiveRoom live, Message error, Jid author) {
    Jid session = error.from();
    Occupant receiver = session == null ? null : live.room().occupant(session);
    context.send(
        Message.of(
            Message.Type.ERROR,
            receiver == null ? live.room().jid() : receiver.address(),
            author,
            error.id(),
            List.of(StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE).toElement())));
  }

  /// The message without what only the room may say: ids by the room, of occupants, times, news of
  /// occupants, what moderators did (reliability rows 63 and 64; XEP-0425, section 6).
  static Message withoutForged(Message message, Jid room) {
    if (!message.has(MucNames.STANZA_ID)
        && !message.has(MucNames.OCCUPANT_ID)
        && !message.has(MucNames.DELAY)
        && !message.has(MucNames.X_USER)
        && !message.has(MucNames.RETRACT)
        && !message.has(MucNames.RETRACTED)) {
      return message;
    }
    return message.withoutPayloads(payload ->
        payload.name().equals(MucNames.OCCUPANT_ID)
            || payload.name().equals(MucNames.X_USER)
            || payload.name().equals(MucNames.RETRACTED)
            || (payload.name().equals(MucNames.RETRACT)
                && payload.child(MucNames.MODERATED) != null)
            || (payload.name().equals(MucNames.STANZA_ID) && is(payload.attribute("by"), room))
            || (payload.name().equals(MucNames.DELAY) && is(payload.attribute("from"), room)));
  }

  private static boolean is(@Nullable String address, Jid room) {
    if (address == null) {
      return false;
    }
    try {
      return Jid.of(address.strip()).bare().equals(room);
    } catch (JidFormatException e) {
      return false;
    }
  }

  private void refuse(Message message, ErrorCondition condition) {
    context.send(Message.error(message, StanzaError.of(condition)));
  }
}
