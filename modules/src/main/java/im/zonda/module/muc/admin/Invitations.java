package im.zonda.module.muc.admin;

import im.zonda.account.GuestAddress;
import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.muc.home.ForwardedRequests.Forwarded;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.RateLimit;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Handles mediated invitations and their refusals (XEP-0045, section 7.8.2).
@Xep(
    number = 249,
    version = "1.2",
    title = "Direct MUC Invitations",
    note = "Clients send them to each other; the server delivers and keeps them like messages")
public final class Invitations {
  private static final int MAX_INVITEES = 20;

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final RoomRepository repository;

  public Invitations(ModuleContext context, Supplier<Rooms> settings, RoomRepository repository) {
    this.context = context;
    this.settings = settings;
    this.repository = repository;
  }

  public void install(RequestTable table) {
    table.onRoomMessage(MucNames.X_USER, this::handle).onRoomError(this::handleBounce);
  }

  private record Invitee(Jid jid, Element invite) {}

  private boolean handle(RoomHome home, LiveRoom live, Message message, Envelope cause) {
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
    StanzaError error = findError(live, message, x, invitees);
    if (error != null) {
      sendError(message, cause, error);
      return;
    }
    Room room = live.room();
    repository.use(live); // it is still there when the invited users come
    if (room.config().membersOnly()) {
      List<AffiliationChange> members = newMembers(room, invitees);
      if (room.affiliations().size() + members.size() > settings.get().affiliations()) {
        sendError(message, cause, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
        return;
      }
      repository.save(live, room.config(), room.subject(), members);
      room.applyAffiliations(members);
    }
    invitees.forEach(invitee -> send(home, room, message, invitee, cause));
  }

  /// Collects the invited users; returns the error if the sender may not invite them, otherwise
  /// null.
  private @Nullable StanzaError findError(
      LiveRoom live, Message message, Element x, List<Invitee> invitees) {
    Room room = live.room();
    Jid from = message.from();
    Occupant inviter = from == null ? null : room.occupant(from);
    OccupantSession occupantSession =
        inviter == null || from == null ? null : inviter.session(from);
    if (inviter == null || occupantSession == null) {
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
      if (!occupantSession
          .messageRate()
          .tryAcquire(context.clock().millis(), settings.get().messageRate())) {
        return MucErrors.rateExceeded();
      }
      Jid jid = address(invite.attribute("to"));
      if (jid == null || jid.local() == null || jid.bare().equals(room.jid())) {
        return StanzaError.of(ErrorCondition.JID_MALFORMED);
      }
      if (room.affiliationOf(jid.bare()) == Affiliation.OUTCAST) {
        return StanzaError.of(ErrorCondition.NOT_ALLOWED)
            .withText("the user is banned from the room: " + jid);
      }
      invitees.add(new Invitee(jid, invite));
    }
    return invitees.size() > MAX_INVITEES
        ? StanzaError.of(ErrorCondition.POLICY_VIOLATION)
            .withText(
                "a message has at most " + MAX_INVITEES + " invitations; send several messages")
        : null;
  }

  private static List<AffiliationChange> newMembers(Room room, List<Invitee> invitees) {
    return invitees.stream()
        .map(invitee -> invitee.jid().bare())
        .distinct()
        .filter(user -> !room.affiliationOf(user).isAtLeast(Affiliation.MEMBER))
        .filter(user -> !GuestAddress.isGuest(user))
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
    // If there are too many entries, the inviter only misses a later error.
    home.forwarded().removeExpired(context.clock().millis());
    home.forwarded()
        .add(
            id,
            new Forwarded(
                inviter, message.id(), invitee.jid(), room.jid(), context.clock().millis()));
    Message invitation =
        Message.of(Message.Type.NORMAL, room.jid(), invitee.jid(), id, List.of(x.build()));
    context.send(Envelope.of(invitation, inviter, cause));
  }

  /// Handles an invitation that was returned as an error: its sender gets the error, and
  /// `item-not-found` if there is no such account here. Other messages that were returned are left
  /// to the handler of errors.
  private boolean handleBounce(RoomHome home, LiveRoom live, Message message, Envelope cause) {
    Jid invitee = message.from();
    Forwarded forwarded = invitee == null ? null : home.forwarded().remove(message.id(), invitee);
    if (invitee == null || forwarded == null) {
      return false;
    }
    StanzaError error = MucErrors.copyOf(message);
    if (error.condition() != ErrorCondition.SERVICE_UNAVAILABLE) {
      sendBounce(forwarded, error);
      return true;
    }
    // Also the answer for an invitee who blocks the sender (XEP-0191).
    boolean asked =
        context.find(
            invitee.bare(),
            exists ->
                sendBounce(
                    forwarded, exists ? error : StanzaError.of(ErrorCondition.ITEM_NOT_FOUND)));
    if (!asked) {
      sendBounce(forwarded, error);
    }
    return true;
  }

  private void sendBounce(Forwarded forwarded, StanzaError error) {
    context.send(
        Message.of(
            Message.Type.ERROR,
            forwarded.shownAs(),
            forwarded.requester(),
            forwarded.id(),
            List.of(error.toElement())));
  }

  /// The sender need not be an occupant, and the room does not record invitations. There is no
  /// reply, so that the sender cannot learn who is an occupant or a member; only such users receive
  /// the refusal.
  private void decline(
      RoomHome home, LiveRoom live, Message message, Element decline, Envelope cause) {
    Jid from = Objects.requireNonNull(message.from());
    if (home.joins().delay(from.bare(), context.clock().millis(), settings.get().presenceRate())
        == RateLimit.EXCEEDED) {
      sendError(message, cause, MucErrors.rateExceeded());
      return;
    }
    Jid to = address(decline.attribute("to"));
    if (to == null) {
      sendError(message, cause, StanzaError.of(ErrorCondition.JID_MALFORMED));
      return;
    }
    Jid inviter = findInviter(live.room(), to);
    if (inviter == null || live.room().affiliationOf(from.bare()) == Affiliation.OUTCAST) {
      return;
    }
    Element.Builder answer =
        Element.builder(MucNames.USER, "decline").attribute("from", from.bare().toString());
    addReason(answer, decline);
    Element x = Element.builder(MucNames.X_USER).child(answer.build()).build();
    // If the inviter blocks the sender, there is no reply, as for a user not known to the room.
    Message declined =
        Message.of(Message.Type.NORMAL, live.room().jid(), inviter, message.id(), List.of(x));
    context.send(Envelope.of(declined, from, cause));
  }

  /// Finds the inviter named in a declined invitation: an occupant or a member; otherwise null.
  private static @Nullable Jid findInviter(Room room, Jid to) {
    String nick = to.resource();
    if (to.bare().equals(room.jid())) {
      Occupant occupant = nick == null ? null : room.occupantByNick(nick);
      return occupant == null ? null : occupant.mainSession().jid();
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

  private void sendError(Message message, Envelope cause, StanzaError error) {
    Reason reason =
        switch (error.condition()) {
          case NOT_ACCEPTABLE -> Reason.ROOM_NOT_OCCUPANT;
          case POLICY_VIOLATION ->
              error.type() == ErrorType.WAIT ? Reason.ROOM_TOO_FAST : Reason.ROOM_INVITATION;
          default -> Reason.ROOM_INVITATION;
        };
    context
        .port(Journal.class)
        .record(
            Journal.Entry.of(Place.ROOM, reason, message)
                .withIdentity(cause.origin().identity())
                .withDetail(error.condition().elementName()));
    context.send(cause.answer(Message.error(message, error)));
  }
}
