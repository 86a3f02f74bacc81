package im.zonda.module.muc.occupant;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.Custody;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.archive.RoomArchive;
import im.zonda.module.muc.home.RoomCost;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomKeeper;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.room.Seat;
import im.zonda.module.muc.stanza.ForgedPayloads;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.List;

/// What messages to a room do: someone speaks, changes the subject, writes privately (XEP-0045,
/// sections 7.4, 7.5 and 8.1).
public final class MessageCommands {
  private final ModuleContext context;
  private final Rooms settings;
  private final RoomBroadcast broadcast;
  private final RoomArchive archive;
  private final RoomKeeper keeper;
  private final RoomExit exit;
  private final Mentions mentions;

  public MessageCommands(
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
  public static boolean isSubject(Message message) {
    return message.type() == Message.Type.GROUPCHAT
        && message.has(MucNames.SUBJECT)
        && !message.hasBody();
  }

  public void take(RoomHome home, Message message, Custody custody) {
    Jid session = message.from();
    Jid to = message.to();
    LiveRoom live = home.live();
    if (session == null || to == null) {
      return;
    }
    if (message.type() == Message.Type.ERROR) {
      if (live != null) {
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
    } else if (!seat.messages().tryAcquire(context.clock().millis(), settings.messageRate())) {
      context.send(Message.error(message, MucErrors.rateExceeded()));
    } else if (to.resource() != null) {
      privately(live, sender, message, custody);
    } else if (message.type() != Message.Type.GROUPCHAT) {
      refuse(message, ErrorCondition.BAD_REQUEST);
    } else if (isSubject(message)) {
      subject(live, sender, message, custody);
    } else if (!sender.role().isAtLeast(Role.PARTICIPANT)) {
      refuse(message, ErrorCondition.FORBIDDEN);
    } else {
      say(live, sender, message, custody);
    }
  }

  /// Section 7.4.
  private void say(LiveRoom live, Occupant sender, Message message, Custody custody) {
    RoomArchive.Kept kept = archive.keep(live, sender, message, custody);
    if (kept == null) {
      refuse(message, ErrorCondition.RESOURCE_CONSTRAINT);
      return;
    }
    if (message.hasBody()) {
      live.history().add(sender.user(), kept.id(), kept.message());
    }
    broadcast.message(live.room(), kept.message());
    Jid author = message.from() == null ? sender.user() : message.from();
    mentions.tell(live, author, kept.id(), kept.message(), custody);
  }

  /// Section 8.1.
  private void subject(LiveRoom live, Occupant sender, Message message, Custody custody) {
    RoomConfig config = live.room().config();
    Role least = config.changeSubject() ? Role.PARTICIPANT : Role.MODERATOR;
    if (!sender.role().isAtLeast(least)) {
      refuse(message, ErrorCondition.FORBIDDEN);
      return;
    }
    Subject asked = new Subject(message, context.clock().instant());
    if (!RoomCost.charge(live, config, asked, List.of())) {
      context.send(Message.error(message, MucErrors.creatorMemoryExceeded()));
      return;
    }
    RoomArchive.Kept kept = archive.keep(live, sender, message, custody);
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
  private void privately(LiveRoom live, Occupant sender, Message message, Custody custody) {
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
        ForgedPayloads.removeFrom(message, live.room().jid())
            .withPayload(Element.of(MucNames.X_USER))
            .withPayload(MucNames.OCCUPANT_ID, RoomArchive.occupantId(sender));
    Jid author = message.from() == null ? sender.user() : message.from();
    for (Seat seat : receiver.seats()) {
      context.send(
          clean.withAddresses(sender.address(), seat.session()),
          author,
          custody,
          () -> refuse(message, ErrorCondition.SERVICE_UNAVAILABLE));
    }
  }

  private void refuse(Message message, ErrorCondition condition) {
    context.send(Message.error(message, StanzaError.of(condition)));
  }
}
