package im.zonda.module.muc.archive;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Retraction of messages by moderators: replaces the message with a tombstone and notifies the
/// occupants.
@Xep(number = 425, version = "0.3.0", title = "Moderated Message Retraction")
public final class ModerationRequests {
  private static final QName MODERATE = new QName(MucNames.MODERATION, "moderate");
  private static final String TOMBSTONES = MucNames.RETRACTION + "#tombstone";

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final RoomBroadcast broadcast;
  private final RoomArchive archive;
  private final Retraction retraction;

  public ModerationRequests(
      ModuleContext context,
      Supplier<Rooms> settings,
      RoomBroadcast broadcast,
      RoomArchive archive,
      Retraction retraction) {
    this.context = context;
    this.settings = settings;
    this.broadcast = broadcast;
    this.archive = archive;
    this.retraction = retraction;
  }

  public void install(RequestTable table) {
    table.onRoomIq(Iq.Type.SET, MODERATE, this::moderate);
    table.roomFeature(MucNames.MODERATION);
    if (archive.isEnabled()) {
      table.roomFeature(MucNames.RETRACTION, RoomConfig::archive);
      table.roomFeature(TOMBSTONES, RoomConfig::archive);
    }
  }

  /// Handles `<moderate/>` (section 4). The message must be in the archive or in the history.
  private IqReply moderate(RoomHome home, LiveRoom live, Iq iq, Element payload) {
    Jid session = iq.from();
    Occupant moderator = session == null ? null : live.room().occupant(session);
    OccupantSession occupantSession =
        session == null || moderator == null ? null : moderator.session(session);
    if (moderator == null || occupantSession == null || moderator.role() != Role.MODERATOR) {
      return IqReply.refuse(
          ErrorCondition.FORBIDDEN, "only moderators may retract messages of others");
    }
    if (!occupantSession
        .messageRate()
        .tryAcquire(context.clock().millis(), settings.get().messageRate())) {
      return new IqReply.Refuse(MucErrors.rateExceeded());
    }
    if (payload.child(MucNames.RETRACT) == null || payload.attribute("id") == null) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST,
          "the request needs the id of a message and a retract element");
    }
    OptionalLong named = retraction.parseId(payload.attribute("id"));
    Retraction.Found found =
        named.isEmpty()
            ? new Retraction.Found(null, null)
            : retraction.find(live, named.getAsLong());
    Message old = found.any();
    if (named.isEmpty() || old == null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND, "the room has no message with that id");
    }
    if (old.from() == null || old.from().resource() == null) {
      return IqReply.refuse(
          ErrorCondition.NOT_ALLOWED, "messages of the room itself cannot be retracted");
    }
    long id = named.getAsLong();
    Subject subject = live.room().subject();
    if (subject != null && retraction.isStanzaId(subject.message(), live.room().jid(), id)) {
      return IqReply.refuse(
          ErrorCondition.NOT_ALLOWED, "this is the current subject; change the subject first");
    }
    retract(live, moderator, id, found, payload.child("reason"));
    return IqReply.empty();
  }

  /// Stores the tombstone first: if a later step fails, the moderator gets an error and can try
  /// again.
  private void retract(
      LiveRoom live,
      Occupant moderator,
      long id,
      Retraction.Found found,
      @Nullable Element reason) {
    Jid room = live.room().jid();
    Message old = Objects.requireNonNull(found.any());
    String announcement = context.ids().next();
    Element moderated =
        Element.builder(MucNames.MODERATED)
            .attribute("by", moderator.address().toString())
            .child(
                Element.builder(MucNames.OCCUPANT_ID)
                    .attribute("id", moderator.id().toString())
                    .build())
            .build();
    Element.Builder retract =
        Element.builder(MucNames.RETRACT)
            .attribute("id", retraction.stanzaId(old, room, id))
            .child(moderated);
    Element.Builder retracted = retraction.retractedElement(announcement).child(moderated);
    if (reason != null) {
      retract.child("reason", reason.text());
      retracted.child("reason", reason.text());
    }
    retraction.replaceWithTombstones(live, id, found, retracted.build());
    Message announcementMessage =
        Message.of(Message.Type.GROUPCHAT, room, null, announcement, List.of(retract.build()));
    broadcast.sendMessage(live.room(), archive.storeOwn(live, announcementMessage));
  }
}
