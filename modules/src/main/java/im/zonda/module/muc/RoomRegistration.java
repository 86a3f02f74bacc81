package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.forms.DataForm.Field;
import im.zonda.module.muc.PeopleChanges.Changes;
import im.zonda.module.muc.Room.AffiliationChange;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Users become members of a room and reserve a nickname by themselves (XEP-0045, sections 7.10 and
/// 9.9): at once where membership gives nothing else, otherwise when an admin agrees.
final class RoomRegistration {
  static final String KIND = "http://jabber.org/protocol/muc#register";
  private static final String NAMESPACE = "jabber:iq:register";
  private static final QName QUERY = new QName(NAMESPACE, "query");
  private static final String NICK = "muc#register_roomnick";
  private static final String ALLOW = "muc#register_allow";
  private static final String USER = "muc#jid";

  /// Admins who are asked about one request.
  private static final int MOST_ASKED = 20;

  private final ModuleContext context;
  private final Rooms settings;
  private final PeopleChanges changes;

  RoomRegistration(ModuleContext context, Rooms settings, PeopleChanges changes) {
    this.context = context;
    this.settings = settings;
    this.changes = changes;
  }

  void install(RequestTable table) {
    table.room(Iq.Type.GET, QUERY, (home, live, iq, query) -> describe(live.room(), iq));
    table.room(Iq.Type.SET, QUERY, this::register);
    table.roomFeature(NAMESPACE);
  }

  /// The user's own entry, if that is membership or more.
  private static Affiliations.@Nullable Entry membership(Room room, Jid user) {
    Affiliations.Entry entry = room.affiliations().entry(user);
    return entry != null && entry.affiliation().isAtLeast(Affiliation.MEMBER) ? entry : null;
  }

  /// Why the user may not register, or null.
  private static @Nullable ErrorCondition refusal(Room room, Jid user) {
    Affiliation affiliation = room.affiliationOf(user);
    if (room.isLocked() && affiliation != Affiliation.OWNER) {
      return ErrorCondition.ITEM_NOT_FOUND;
    }
    boolean open = room.config().registration() || membership(room, user) != null;
    return affiliation == Affiliation.OUTCAST || !open ? ErrorCondition.NOT_ALLOWED : null;
  }

  private static IqReply describe(Room room, Iq iq) {
    Jid from = iq.from();
    if (from == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    ErrorCondition refused = refusal(room, from.bare());
    if (refused != null) {
      return IqReply.refuse(refused);
    }
    Element.Builder query = Element.builder(QUERY);
    Affiliations.Entry entry = membership(room, from.bare());
    if (entry == null) {
      query.child(
          DataForm.builder("form", KIND)
              .title("Registration with room " + room.jid().local())
              .instructions("Provide the nickname to reserve in this room.")
              .text(NICK, "Desired nickname", null)
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
    // Each time the store writes and everyone is told, as when someone enters.
    if (home.joins().pace(user, context.clock().millis(), settings.presenceRate())
        == Seat.Budget.REFUSED) {
      return new IqReply.Refuse(RoomEntry.tooMuch());
    }
    Affiliations.Entry entry = membership(room, user);
    if (query.child("remove") != null) {
      return entry == null
          ? IqReply.refuse(ErrorCondition.REGISTRATION_REQUIRED)
          : resign(home, live, iq, entry);
    }
    DataForm form = DataForm.of(query.child(DataForm.X));
    if (form == null || !KIND.equals(form.kind())) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    if (form.type().equals("cancel")) {
      return IqReply.empty();
    }
    ErrorCondition refused = refusal(room, user);
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
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, "a nickname is needed");
    }
    if (!room.nickIsFree(user, prepared)) {
      return IqReply.refuse(ErrorCondition.CONFLICT);
    }
    if (entry == null && (room.config().membersOnly() || room.config().moderated())) {
      return apply(home, room, user, prepared);
    }
    return accept(home, live, iq, entry, prepared);
  }

  /// A quarter of the entries is left to the admins, whoever registers.
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
    int most = settings.affiliations() - settings.affiliations() / 4;
    if (!live.room().affiliations().fits(change, most)) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, "the room keeps no more affiliations");
    }
    return make(home, live, iq, from, change);
  }

  /// XEP-0077, section 3.2.
  private IqReply resign(RoomHome home, LiveRoom live, Iq iq, Affiliations.Entry entry) {
    Jid from = iq.from();
    if (from == null || entry.affiliation().isAtLeast(Affiliation.ADMIN)) {
      return IqReply.refuse(
          ErrorCondition.NOT_ALLOWED, "owners decide who is an admin or an owner");
    }
    return make(
        home,
        live,
        iq,
        from,
        List.of(new AffiliationChange(from.bare(), Affiliation.NONE, null, null)));
  }

  private IqReply make(
      RoomHome home, LiveRoom live, Iq iq, Jid from, List<AffiliationChange> change) {
    Room room = live.room();
    boolean made =
        changes.make(
            home,
            live,
            new Changes(room.config(), change, List.of(), Asker.of(room, from)),
            () -> context.send(Iq.result(iq, null)));
    return made ? IqReply.later() : new IqReply.Refuse(RoomCost.tooMuch());
  }

  // ---- with an admin's consent

  private IqReply apply(RoomHome home, Room room, Jid user, String nick) {
    if (home.applicants().add(user)) {
      askAdmins(room, user, nick);
    }
    return IqReply.empty();
  }

  private void askAdmins(Room room, Jid user, String nick) {
    Element form =
        DataForm.builder("form", KIND)
            .title("Registration request")
            .instructions(
                "To approve this request, allow the registration and submit the form."
                    + " To skip it, cancel the form.")
            .field(USER, "jid-single", "User ID", List.of(user.toString()), Map.of())
            .text(NICK, "Desired nickname", nick)
            .truth(ALLOW, "Allow this person to register with the room?", false)
            .build()
            .toElement();
    List<Jid> staff = new ArrayList<>(room.affiliations().with(Affiliation.OWNER));
    staff.addAll(room.affiliations().with(Affiliation.ADMIN));
    for (Jid admin : staff.subList(0, Math.min(staff.size(), MOST_ASKED))) {
      Message question =
          Message.of(Message.Type.NORMAL, room.jid(), admin, context.ids().next(), List.of(form));
      // An admin who blocks that user is not asked.
      context.send(Envelope.of(question).withAuthor(user));
    }
  }

  /// Takes an admin's answer that is no `cancel`; what is wrong with it, or null. It is the admin
  /// who makes the member: that the request has been forgotten meanwhile changes nothing.
  @Nullable StanzaError take(RoomHome home, LiveRoom live, Message message, DataForm form) {
    Jid from = message.from();
    Room room = live.room();
    Asker asker = from == null ? null : Asker.of(room, from);
    if (asker == null || !asker.standing().isAdmin()) {
      return StanzaError.of(ErrorCondition.FORBIDDEN);
    }
    String user = value(form, USER);
    Field allow = form.field(ALLOW);
    Boolean yes = allow == null ? null : allow.truth();
    if (!form.type().equals("submit") || user == null || yes == null) {
      return StanzaError.of(ErrorCondition.BAD_REQUEST);
    }
    Jid applicant;
    try {
      applicant = Jid.of(user).bare();
    } catch (JidFormatException e) {
      return StanzaError.of(ErrorCondition.JID_MALFORMED);
    }
    home.applicants().remove(applicant);
    if (!yes) {
      return null;
    }
    if (room.affiliationOf(applicant) != Affiliation.NONE) {
      return StanzaError.of(ErrorCondition.CONFLICT).withText("that user has been decided on");
    }
    return admit(home, live, asker, applicant, value(form, NICK));
  }

  private @Nullable StanzaError admit(
      RoomHome home, LiveRoom live, Asker asker, Jid applicant, @Nullable String nick) {
    AdminItems items = new AdminItems(live.room(), asker, settings.affiliations());
    Element item =
        Element.builder(MucNames.ADMIN, "item")
            .attribute("affiliation", Affiliation.MEMBER.value())
            .attribute("jid", applicant.toString())
            .attribute("nick", nick)
            .build();
    StanzaError refused = items.add(item);
    refused = refused == null ? items.check() : refused;
    if (refused == null && !changes.make(home, live, items.changes(), () -> {})) {
      refused = RoomCost.tooMuch();
    }
    return refused;
  }

  private static @Nullable String value(DataForm form, String name) {
    Field field = form.field(name);
    return field == null ? null : field.value();
  }
}
