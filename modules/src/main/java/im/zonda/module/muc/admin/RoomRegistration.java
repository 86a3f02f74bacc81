package im.zonda.module.muc.admin;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.forms.DataForm.Field;
import im.zonda.module.muc.admin.PrivilegeChanges.Changes;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Nickname;
import im.zonda.module.muc.room.RateLimit;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.room.RoomName;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Registration with a room by its users (XEP-0045, sections 7.10 and 9.9). A user becomes a member
/// at once where membership grants no further rights, and otherwise when an admin approves.
public final class RoomRegistration {
  static final String KIND = "http://jabber.org/protocol/muc#register";
  private static final String NAMESPACE = "jabber:iq:register";
  private static final QName QUERY = new QName(NAMESPACE, "query");
  private static final String NICK = "muc#register_roomnick";
  private static final String ALLOW = "muc#register_allow";
  private static final String USER = "muc#jid";

  /// Maximum number of admins who are sent one registration request.
  private static final int MAX_ASKED = 20;

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final PrivilegeChanges changes;

  public RoomRegistration(
      ModuleContext context, Supplier<Rooms> settings, PrivilegeChanges changes) {
    this.context = context;
    this.settings = settings;
    this.changes = changes;
  }

  void install(RequestTable table) {
    table.onRoomIq(Iq.Type.GET, QUERY, (home, live, iq, query) -> getForm(live.room(), iq));
    table.onRoomIq(Iq.Type.SET, QUERY, this::register);
    table.roomFeature(NAMESPACE);
  }

  /// Finds the user's own entry if it is that of a member, admin or owner.
  private static Affiliations.@Nullable Entry membership(Room room, Jid user) {
    Affiliations.Entry entry = room.affiliations().entry(user);
    return entry != null && entry.affiliation().isAtLeast(Affiliation.MEMBER) ? entry : null;
  }

  /// Returns the error if the user may not register, otherwise null.
  private static @Nullable ErrorCondition findError(Room room, Jid user) {
    Affiliation affiliation = room.affiliationOf(user);
    if (room.isLocked() && affiliation != Affiliation.OWNER) {
      return ErrorCondition.ITEM_NOT_FOUND;
    }
    boolean open = room.config().registration() || membership(room, user) != null;
    return affiliation == Affiliation.OUTCAST || !open ? ErrorCondition.NOT_ALLOWED : null;
  }

  private static IqReply getForm(Room room, Iq iq) {
    Jid from = iq.from();
    if (from == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    ErrorCondition refused = findError(room, from.bare());
    if (refused != null) {
      return IqReply.refuse(refused);
    }
    Element.Builder query = Element.builder(QUERY);
    Affiliations.Entry entry = membership(room, from.bare());
    if (entry == null) {
      query.child(
          DataForm.builder("form", KIND)
              .title("Registration with \"" + RoomName.of(room.jid(), "") + "\" Room")
              .instructions("Please provide the nickname to reserve in this room.")
              .text(NICK, "Desired Nickname", null)
              .build()
              .toElement());
    } else {
      query.child(Element.of(NAMESPACE, "registered"));
      if (entry.nick() != null) {
        query.child("username", entry.nick());
      }
    }
    return IqReply.result(query.build());
  }

  private IqReply register(RoomHome home, LiveRoom live, Iq iq, Element query) {
    Jid from = iq.from();
    if (from == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    Room room = live.room();
    Jid user = from.bare();
    // Each registration is stored and broadcast, like an entry.
    if (home.joins().delay(user, context.clock().millis(), settings.get().presenceRate())
        == RateLimit.EXCEEDED) {
      return new IqReply.Refuse(MucErrors.rateExceeded());
    }
    Affiliations.Entry entry = membership(room, user);
    if (query.child("remove") != null) {
      return entry == null
          ? IqReply.refuse(ErrorCondition.REGISTRATION_REQUIRED)
          : unregister(home, live, iq, entry);
    }
    DataForm form = DataForm.of(query.child(DataForm.X));
    if (form == null || !KIND.equals(form.kind())) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    if (form.type().equals("cancel")) {
      return IqReply.empty();
    }
    ErrorCondition refused = findError(room, user);
    Field field = form.field(NICK);
    String nick = field == null ? null : field.value();
    String prepared = nick == null ? null : Nickname.prepare(room.jid(), nick);
    if (refused != null) {
      return IqReply.refuse(refused);
    }
    if (!form.type().equals("submit")) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    if (prepared == null) {
      return IqReply.refuse(
          ErrorCondition.NOT_ACCEPTABLE,
          "the nickname is missing or not allowed; choose another one");
    }
    if (!room.isNickAvailable(user, prepared)) {
      return IqReply.refuse(ErrorCondition.CONFLICT);
    }
    if (entry == null && needsApproval(room, user)) {
      return requestApproval(home, room, user, prepared);
    }
    return accept(home, live, iq, entry, prepared);
  }

  /// Whether membership grants a user without one more rights than it has.
  private static boolean needsApproval(Room room, Jid user) {
    RoomConfig config = room.config();
    // Occupants have given the password when they entered.
    boolean unproven = config.password() != null && room.occupantsOf(user).isEmpty();
    return config.membersOnly() || config.moderated() || unproven;
  }

  /// Adds a member. Users who register may take three quarters of the affiliations, so that admins
  /// can always add more.
  private IqReply accept(
      RoomHome home, LiveRoom live, Iq iq, Affiliations.@Nullable Entry entry, String nick) {
    Jid from = iq.from();
    if (from == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    Affiliation affiliation = entry == null ? Affiliation.MEMBER : entry.affiliation();
    String reason = entry == null ? null : entry.reason();
    List<AffiliationChange> change =
        List.of(new AffiliationChange(from.bare(), affiliation, nick, reason));
    int most = settings.get().affiliations() - settings.get().affiliations() / 4;
    if (!live.room().affiliations().fits(change, most)) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT,
          "the room has too many members; ask an admin of the room");
    }
    return saveAndReply(home, live, iq, from, change);
  }

  /// Cancels a registration (XEP-0077, section 3.2).
  private IqReply unregister(RoomHome home, LiveRoom live, Iq iq, Affiliations.Entry entry) {
    Jid from = iq.from();
    if (from == null || entry.affiliation().isAtLeast(Affiliation.ADMIN)) {
      return IqReply.refuse(
          ErrorCondition.NOT_ALLOWED,
          "admins and owners cannot unregister; ask an owner of the room");
    }
    return saveAndReply(
        home,
        live,
        iq,
        from,
        List.of(new AffiliationChange(from.bare(), Affiliation.NONE, null, null)));
  }

  private IqReply saveAndReply(
      RoomHome home, LiveRoom live, Iq iq, Jid from, List<AffiliationChange> change) {
    Room room = live.room();
    boolean made =
        changes.saveAndApply(
            home,
            live,
            new Changes(room.config(), change, List.of(), Requester.of(room, from)),
            () -> context.send(Iq.result(iq, null)));
    return made ? IqReply.later() : new IqReply.Refuse(MucErrors.creatorMemoryExceeded());
  }

  // ---- approval by an admin

  private IqReply requestApproval(RoomHome home, Room room, Jid user, String nick) {
    if (home.pendingRegistrations().add(user)) {
      askAdmins(room, user, nick);
    }
    return IqReply.empty();
  }

  private void askAdmins(Room room, Jid user, String nick) {
    Element form =
        DataForm.builder("form", KIND)
            .title("Registration request")
            .instructions(
                "To approve this registration request, select \"Allow this person to register with"
                    + " the room?\" and submit the form. To skip it, cancel the form.")
            .field(USER, "jid-single", "User ID", List.of(user.toString()), Map.of())
            .text(NICK, "Desired Nickname", nick)
            .bool(ALLOW, "Allow this person to register with the room?", false)
            .build()
            .toElement();
    List<Jid> staff = new ArrayList<>(room.affiliations().with(Affiliation.OWNER));
    staff.addAll(room.affiliations().with(Affiliation.ADMIN));
    for (Jid admin : staff.subList(0, Math.min(staff.size(), MAX_ASKED))) {
      Message question =
          Message.of(Message.Type.NORMAL, room.jid(), admin, context.ids().next(), List.of(form));
      // An admin who blocks the user is not asked.
      context.send(Envelope.of(question).withAuthor(user));
    }
  }

  /// Handles a form submitted by an admin; returns the error, or null. The admin makes the user a
  /// member, whether or not the room still remembers the request.
  @Nullable StanzaError handle(RoomHome home, LiveRoom live, Message message, DataForm form) {
    Jid from = message.from();
    Room room = live.room();
    Requester requester = from == null ? null : Requester.of(room, from);
    if (requester == null || !requester.privileges().isAdmin()) {
      return StanzaError.of(ErrorCondition.FORBIDDEN);
    }
    String user = value(form, USER);
    Field allow = form.field(ALLOW);
    Boolean allowed = allow == null ? null : allow.bool();
    if (!form.type().equals("submit") || user == null || allowed == null) {
      return StanzaError.of(ErrorCondition.BAD_REQUEST);
    }
    Jid applicant;
    try {
      applicant = Jid.of(user).bare();
    } catch (JidFormatException e) {
      return StanzaError.of(ErrorCondition.JID_MALFORMED);
    }
    home.pendingRegistrations().remove(applicant);
    if (!allowed) {
      return null;
    }
    if (room.affiliationOf(applicant) != Affiliation.NONE) {
      return StanzaError.of(ErrorCondition.CONFLICT)
          .withText("the user has an affiliation already");
    }
    return admit(home, live, requester, applicant, value(form, NICK));
  }

  private @Nullable StanzaError admit(
      RoomHome home, LiveRoom live, Requester requester, Jid applicant, @Nullable String nick) {
    AdminItems items = new AdminItems(live.room(), requester, settings.get().affiliations());
    Element item =
        Element.builder(MucNames.ADMIN, "item")
            .attribute("affiliation", Affiliation.MEMBER.value())
            .attribute("jid", applicant.toString())
            .attribute("nick", nick)
            .build();
    StanzaError refused = items.add(item);
    refused = refused == null ? items.check() : refused;
    if (refused == null && !changes.saveAndApply(home, live, items.changes(), () -> {})) {
      refused = MucErrors.creatorMemoryExceeded();
    }
    return refused;
  }

  private static @Nullable String value(DataForm form, String name) {
    Field field = form.field(name);
    return field == null ? null : field.value();
  }
}
