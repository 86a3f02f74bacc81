package im.zonda.module.muc.admin;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.forms.DataForm.Field;
import im.zonda.module.muc.admin.PeopleChanges.Changes;
import im.zonda.module.muc.admin.PeopleChanges.RoleChange;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Asker;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Seat;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Visitors ask for voice and moderators grant it, by forms in messages (XEP-0045, sections 7.13
/// and 8.6). A request is not kept: only moderators who are there see it.
public final class VoiceRequests {
  static final String KIND = "http://jabber.org/protocol/muc#request";
  private static final String ROLE = "muc#role";
  private static final String USER = "muc#jid";
  private static final String NICK = "muc#roomnick";
  private static final String ALLOW = "muc#request_allow";

  private final ModuleContext context;
  private final Rooms settings;
  private final PeopleChanges changes;

  public VoiceRequests(ModuleContext context, Rooms settings, PeopleChanges changes) {
    this.context = context;
    this.settings = settings;
    this.changes = changes;
  }

  /// Takes a form of that kind that is no `cancel`; what is wrong with it, or null.
  @Nullable StanzaError take(RoomHome home, LiveRoom live, Message message, DataForm form) {
    Jid session = message.from();
    Occupant sender = session == null ? null : live.room().occupant(session);
    Seat seat = sender == null || session == null ? null : sender.seat(session);
    if (sender == null || seat == null) {
      return StanzaError.of(ErrorCondition.NOT_ACCEPTABLE);
    }
    long now = context.clock().millis();
    if (!seat.messages().tryAcquire(now, settings.messageRate())) {
      return MucErrors.rateExceeded();
    }
    Field role = form.field(ROLE);
    if (!form.type().equals("submit")
        || role == null
        || !Role.PARTICIPANT.value().equals(role.value())) {
      return StanzaError.of(ErrorCondition.BAD_REQUEST);
    }
    return form.field(ALLOW) == null
        ? request(live.room(), sender, seat, now)
        : decide(home, live, sender, form);
  }

  private @Nullable StanzaError request(Room room, Occupant sender, Seat seat, long now) {
    if (!room.config().voiceRequests()) {
      return StanzaError.of(ErrorCondition.FORBIDDEN);
    }
    if (sender.role() != Role.VISITOR) {
      return StanzaError.of(ErrorCondition.NOT_ALLOWED).withText("you have voice");
    }
    List<Occupant> moderators =
        room.occupants().stream().filter(who -> who.role() == Role.MODERATOR).toList();
    if (moderators.isEmpty()) {
      return StanzaError.of(ErrorCondition.RECIPIENT_UNAVAILABLE)
          .withText("nobody is here who could give you voice");
    }
    if (!seat.requests().tryAcquire(now, 1)) {
      return MucErrors.rateExceeded();
    }
    Message approval =
        Message.of(
            Message.Type.NORMAL,
            room.jid(),
            null,
            context.ids().next(),
            List.of(form(sender, seat).toElement(), MucNames.NO_STORE));
    for (Occupant moderator : moderators) {
      for (Seat each : moderator.seats()) {
        context.send(approval.withAddresses(room.jid(), each.session()));
      }
    }
    return null;
  }

  private static DataForm form(Occupant who, Seat seat) {
    return DataForm.builder("form", KIND)
        .title("Voice request")
        .instructions(
            "To approve this request, grant voice and submit the form. To skip it, cancel the form.")
        .choice(
            ROLE,
            "Requested role",
            Role.PARTICIPANT.value(),
            Map.of(Role.PARTICIPANT.value(), "Participant"))
        .field(USER, "jid-single", "User ID", List.of(seat.session().toString()), Map.of())
        .text(NICK, "Room nickname", who.nick())
        .truth(ALLOW, "Grant voice to this person?", false)
        .build();
  }

  /// Section 8.6. The address counts: someone else may have the nickname by now.
  private @Nullable StanzaError decide(
      RoomHome home, LiveRoom live, Occupant sender, DataForm form) {
    Room room = live.room();
    if (sender.role() != Role.MODERATOR) {
      return StanzaError.of(ErrorCondition.FORBIDDEN);
    }
    Field allow = form.field(ALLOW);
    Boolean yes = allow == null ? null : allow.truth();
    Field user = form.field(USER);
    String address = user == null ? null : user.value();
    if (yes == null || address == null) {
      return StanzaError.of(ErrorCondition.BAD_REQUEST);
    }
    Occupant who;
    try {
      who = room.occupant(Jid.of(address));
    } catch (JidFormatException e) {
      return StanzaError.of(ErrorCondition.JID_MALFORMED);
    }
    if (who == null) {
      return StanzaError.of(ErrorCondition.ITEM_NOT_FOUND);
    }
    if (yes && who.role() == Role.VISITOR) {
      Asker asker = Asker.of(room, sender.main().session());
      List<RoleChange> voice = List.of(new RoleChange(who, Role.PARTICIPANT, null));
      changes.make(home, live, new Changes(room.config(), List.of(), voice, asker), () -> {});
    }
    return null;
  }
}
