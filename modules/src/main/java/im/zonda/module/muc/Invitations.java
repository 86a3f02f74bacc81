package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.Relays.Relay;
import im.zonda.module.muc.Room.AffiliationChange;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Invitations that go through the room, and the answers of those who decline them (XEP-0045,
/// section 7.8.2).
final class Invitations {
  private static final int MOST = 20;

  private final ModuleContext context;
  private final Rooms settings;
  private final RoomKeeper keeper;

  Invitations(ModuleContext context, Rooms settings, RoomKeeper keeper) {
    this.context = context;
    this.settings = settings;
    this.keeper = keeper;
  }

  void install(RequestTable table) {
    table.message(MucNames.X_USER, this::take).returned(this::returned);
  }

  private record Invitee(Jid jid, Element invite) {}

  private boolean take(RoomHome home, LiveRoom live, Message message, Envelope cause) {
    Element x = message.payload(MucNames.X_USER);
    Jid from = message.from();
    if (from == null || x == null) {
      return false;
    }
    Element decline = x.child("decline");
    if (x.child("invite") != null) {
      invite(home, live, message, x, cause);
      return true;
    }
    if (decline != null) {
      decline(home, live, message, decline, cause);
      return true;
    }
    return false;
  }

  private void invite(RoomHome home, LiveRoom live, Message message, Element x, Envelope cause) {
    List<Invitee> invitees = new ArrayList<>();
    StanzaError error = judge(live, message, x, invitees);
    if (error != null) {
      refuse(message, error);
      return;
    }
    Room room = live.room();
    if (room.config().membersOnly()) {
      List<AffiliationChange> members = newMembers(room, invitees);
      if (room.affiliations().size() + members.size() > settings.affiliations()) {
        refuse(message, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
        return;
      }
      keeper.save(live, room.config(), room.subject(), members);
      room.apply(members);
    }
    invitees.forEach(invitee -> send(home, room, message, invitee, cause));
  }

  /// Why the sender may not invite these people, or null; the people are added to `invitees`.
  private @Nullable StanzaError judge(
      LiveRoom live, Message message, Element x, List<Invitee> invitees) {
    Room room = live.room();
    Jid from = message.from();
    Occupant inviter = from == null ? null : room.occupant(from);
    Seat seat = inviter == null || from == null ? null : inviter.seat(from);
    if (inviter == null || seat == null) {
      return StanzaError.of(ErrorCondition.NOT_ACCEPTABLE);
    }
    RoomConfig config = room.config();
    boolean open = config.invites() && !config.membersOnly();
    if (!open && !inviter.affiliation().isAtLeast(Affiliation.ADMIN)) {
      return StanzaError.of(ErrorCondition.FORBIDDEN);
    }
    for (Element invite : x.children()) {
      if (!invite.is(MucNames.USER, "invite")) {
        continue;
      }
      if (!seat.messages().spend(context.clock().millis(), settings.messageRate())) {
        return RoomEntry.tooMuch();
      }
      Jid jid = address(invite.attribute("to"));
      if (jid == null || jid.local() == null || jid.bare().equals(room.jid())) {
        return StanzaError.of(ErrorCondition.JID_MALFORMED);
      }
      if (room.affiliationOf(jid.bare()) == Affiliation.OUTCAST) {
        return StanzaError.of(ErrorCondition.NOT_ALLOWED).withText("banned from the room: " + jid);
      }
      invitees.add(new Invitee(jid, invite));
    }
    return invitees.size() > MOST
        ? StanzaError.of(ErrorCondition.POLICY_VIOLATION).withText("at most " + MOST + " at a time")
        : null;
  }

  private static List<AffiliationChange> newMembers(Room room, List<Invitee> invitees) {
    return invitees.stream()
        .map(invitee -> invitee.jid().bare())
        .distinct()
        .filter(user -> !room.affiliationOf(user).isAtLeast(Affiliation.MEMBER))
        .map(user -> new AffiliationChange(user, Affiliation.MEMBER, null, null))
        .toList();
  }

  private void send(RoomHome home, Room room, Message message, Invitee invitee, Envelope cause) {
    Jid inviter = Objects.requireNonNull(message.from());
    Element.Builder invite =
        Element.builder(MucNames.USER, "invite").attribute("from", inviter.bare().toString());
    for (Element child : invitee.invite().children()) {
      if (child.is(MucNames.USER, "continue")) {
        invite.child(child);
      }
    }
    addReason(invite, invitee.invite());
    Element.Builder x = Element.builder(MucNames.X_USER).child(invite.build());
    String password = room.config().password();
    if (password != null) {
      x.child("password", password);
    }
    String id = context.ids().next();
    // If there is no room to remember it, an invitation that comes back is not told; no more.
    home.relays().overdue(context.clock().millis());
    home.relays()
        .begin(
            id,
            new Relay(inviter, message.id(), invitee.jid(), room.jid(), context.clock().millis()));
    Message invitation =
        Message.of(Message.Type.NORMAL, room.jid(), invitee.jid(), id, List.of(x.build()));
    context.send(Envelope.of(invitation, inviter, cause));
  }

  /// An invitation has come back: its sender gets an error, because there is no such user or the
  /// user has rejected the sender (XEP-0191). What else was rejected is discarded.
  private boolean returned(RoomHome home, LiveRoom live, Message message, Envelope cause) {
    Jid from = message.from();
    Relay relay = from == null ? null : home.relays().end(message.id(), from);
    boolean rejected = cause.author() != null;
    if (relay == null) {
      return rejected;
    }
    ErrorCondition condition =
        rejected ? ErrorCondition.SERVICE_UNAVAILABLE : ErrorCondition.ITEM_NOT_FOUND;
    context.send(
        Message.of(
            Message.Type.ERROR,
            relay.as(),
            relay.asker(),
            relay.id(),
            List.of(StanzaError.of(condition).toElement())));
    return true;
  }

  /// Whoever declines need not be in the room, nor is it remembered who was invited. So that nobody
  /// learns from the answer who is in the room or belongs to it, there is none; and only such
  /// people can be told.
  private void decline(
      RoomHome home, LiveRoom live, Message message, Element decline, Envelope cause) {
    Jid from = Objects.requireNonNull(message.from());
    if (home.joins().pace(from.bare(), context.clock().millis(), settings.presenceRate())
        == Seat.Budget.REFUSED) {
      refuse(message, RoomEntry.tooMuch());
      return;
    }
    Jid to = address(decline.attribute("to"));
    if (to == null) {
      refuse(message, StanzaError.of(ErrorCondition.JID_MALFORMED));
      return;
    }
    Jid inviter = inviter(live.room(), to);
    if (inviter == null || live.room().affiliationOf(from.bare()) == Affiliation.OUTCAST) {
      return;
    }
    Element.Builder answer =
        Element.builder(MucNames.USER, "decline").attribute("from", from.bare().toString());
    addReason(answer, decline);
    Element x = Element.builder(MucNames.X_USER).child(answer.build()).build();
    // If the inviter rejects it, nobody is notified.
    Message declined =
        Message.of(Message.Type.NORMAL, live.room().jid(), inviter, message.id(), List.of(x));
    context.send(Envelope.of(declined, from, cause));
  }

  /// Who is meant by an address in a decline, or null: someone in the room or of the room.
  private static @Nullable Jid inviter(Room room, Jid to) {
    String nick = to.resource();
    if (to.bare().equals(room.jid())) {
      Occupant occupant = nick == null ? null : room.named(nick);
      return occupant == null ? null : occupant.main().session();
    }
    boolean belongs = room.affiliations().of(to.bare()).isAtLeast(Affiliation.MEMBER);
    return belongs || !room.occupantsOf(to.bare()).isEmpty() ? to : null;
  }

  private static void addReason(Element.Builder answer, Element asked) {
    Element reason = asked.child("reason");
    if (reason != null) {
      answer.child("reason", reason.text());
    }
  }

  private static @Nullable Jid address(@Nullable String text) {
    try {
      return text == null ? null : Jid.of(text.strip());
    } catch (JidFormatException e) {
      return null;
    }
  }

  private void refuse(Message message, StanzaError error) {
    context.send(Message.error(message, error));
  }
}
