package im.zonda.module.muc.admin;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.forms.DataForm.Field;
import im.zonda.module.muc.admin.PrivilegeChanges.Changes;
import im.zonda.module.muc.admin.PrivilegeChanges.RoleChange;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Voice requests of visitors and their approval by moderators (XEP-0045, sections 7.13 and 8.6). A
/// request is not stored: only moderators who are in the room see it.
public final class VoiceRequests {
  static final String KIND = "http://jabber.org/protocol/muc#request";
  private static final String ROLE = "muc#role";
  private static final String USER = "muc#jid";
  private static final String NICK = "muc#roomnick";
  private static final String ALLOW = "muc#request_allow";

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final PrivilegeChanges changes;

  public VoiceRequests(ModuleContext context, Supplier<Rooms> settings, PrivilegeChanges changes) {
    this.context = context;
    this.settings = settings;
    this.changes = changes;
  }

  /// Handles a form that is not of type `cancel`; returns the error, or null.
  @Nullable StanzaError handle(RoomHome home, LiveRoom live, Message message, DataForm form) {
    Jid session = message.from();
    Occupant sender = session == null ? null : live.room().occupant(session);
    OccupantSession occupantSession =
        sender == null || session == null ? null : sender.session(session);
    if (sender == null || occupantSession == null) {
      return StanzaError.of(ErrorCondition.NOT_ACCEPTABLE);
    }
    long now = context.clock().millis();
    if (!occupantSession.messageRate().tryAcquire(now, settings.get().messageRate())) {
      return MucErrors.rateExceeded();
    }
    Field role = form.field(ROLE);
    if (!form.type().equals("submit")
        || role == null
        || !Role.PARTICIPANT.value().equals(role.value())) {
      return StanzaError.of(ErrorCondition.BAD_REQUEST);
    }
    return form.field(ALLOW) == null
        ? request(live.room(), sender, occupantSession, now)
        : decide(home, live, sender, form);
  }

  private @Nullable StanzaError request(
      Room room, Occupant sender, OccupantSession occupantSession, long now) {
    if (!room.config().voiceRequests()) {
      return StanzaError.of(ErrorCondition.FORBIDDEN);
    }
    if (sender.role() != Role.VISITOR) {
      return StanzaError.of(ErrorCondition.NOT_ALLOWED).withText("you have voice already");
    }
    List<Occupant> moderators =
        room.occupants().stream().filter(occupant -> occupant.role() == Role.MODERATOR).toList();
    if (moderators.isEmpty()) {
      return StanzaError.of(ErrorCondition.RECIPIENT_UNAVAILABLE)
          .withText("there is no moderator in the room; try again later");
    }
    if (!occupantSession.voiceRequestRate().tryAcquire(now, 1)) {
      return MucErrors.rateExceeded();
    }
    Message approval =
        Message.of(
            Message.Type.NORMAL,
            room.jid(),
            null,
            context.ids().next(),
            List.of(form(sender, occupantSession).toElement(), MucNames.NO_STORE));
    for (Occupant moderator : moderators) {
      for (OccupantSession each : moderator.sessions()) {
        context.send(approval.withAddresses(room.jid(), each.jid()));
      }
    }
    return null;
  }

  private static DataForm form(Occupant occupant, OccupantSession occupantSession) {
    return DataForm.builder("form", KIND)
        .title("Voice request")
        .instructions(
            "To approve this request for voice, select \"Grant voice to this person?\" and submit"
                + " the form. To skip it, cancel the form.")
        .listSingle(
            ROLE,
            "Requested role",
            Role.PARTICIPANT.value(),
            Map.of(Role.PARTICIPANT.value(), "Participant"))
        .field(USER, "jid-single", "User ID", List.of(occupantSession.jid().toString()), Map.of())
        .text(NICK, "Room Nickname", occupant.nick())
        .bool(ALLOW, "Grant voice to this person?", false)
        .build();
  }

  /// Handles a moderator's decision (section 8.6). The user is found by address, as another
  /// occupant may have the nickname by now.
  private @Nullable StanzaError decide(
      RoomHome home, LiveRoom live, Occupant sender, DataForm form) {
    Room room = live.room();
    if (sender.role() != Role.MODERATOR) {
      return StanzaError.of(ErrorCondition.FORBIDDEN);
    }
    Field allow = form.field(ALLOW);
    Boolean allowed = allow == null ? null : allow.bool();
    Field user = form.field(USER);
    String address = user == null ? null : user.value();
    if (allowed == null || address == null) {
      return StanzaError.of(ErrorCondition.BAD_REQUEST);
    }
    Occupant occupant;
    try {
      occupant = room.occupant(Jid.of(address));
    } catch (JidFormatException e) {
      return StanzaError.of(ErrorCondition.JID_MALFORMED);
    }
    if (occupant == null) {
      return StanzaError.of(ErrorCondition.ITEM_NOT_FOUND);
    }
    if (allowed && occupant.role() == Role.VISITOR) {
      Requester requester = Requester.of(room, sender.mainSession().jid());
      List<RoleChange> voice = List.of(new RoleChange(occupant, Role.PARTICIPANT, null));
      changes.saveAndApply(
          home, live, new Changes(room.config(), List.of(), voice, requester), () -> {});
    }
    return null;
  }
}
