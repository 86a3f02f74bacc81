package im.zonda.module.muc.admin;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Permissions;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Handles `muc#admin` requests: lists of users and occupants, and changes of roles and
/// affiliations (XEP-0045, sections 8, 9 and 10.3 to 10.8).
public final class AdminRequests {
  private static final QName QUERY = new QName(MucNames.ADMIN, "query");

  /// Maximum number of items in one request.
  private static final int MAX_ITEMS = 200;

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final PrivilegeChanges changes;

  public AdminRequests(ModuleContext context, Supplier<Rooms> settings, PrivilegeChanges changes) {
    this.context = context;
    this.settings = settings;
    this.changes = changes;
  }

  public void install(RequestTable table) {
    table.onRoomIq(Iq.Type.GET, QUERY, this::get);
    table.onRoomIq(Iq.Type.SET, QUERY, this::set);
  }

  private Requester requester(Room room, Jid from) {
    return from.equals(context.domain()) ? Requester.ofHost(from) : Requester.of(room, from);
  }

  private static List<Element> items(Element query) {
    return query.children().stream().filter(child -> child.is(MucNames.ADMIN, "item")).toList();
  }

  private IqReply set(RoomHome home, LiveRoom live, Iq iq, Element query) {
    Jid from = iq.from();
    List<Element> all = items(query);
    if (from == null || all.isEmpty()) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    if (all.size() > MAX_ITEMS) {
      return IqReply.refuse(
          ErrorCondition.POLICY_VIOLATION,
          "a request has at most 200 items; send several requests");
    }
    Requester requester = requester(live.room(), from);
    AdminItems items = new AdminItems(live.room(), requester, settings.get().affiliations());
    for (Element item : all) {
      StanzaError refused = items.add(item);
      if (refused != null) {
        return new IqReply.Refuse(refused);
      }
    }
    StanzaError refused = items.check();
    if (refused != null) {
      return new IqReply.Refuse(refused);
    }
    return changes.saveAndApply(
            home, live, items.changes(), () -> context.send(Iq.result(iq, null)))
        ? IqReply.later()
        : new IqReply.Refuse(MucErrors.creatorMemoryExceeded());
  }

  private IqReply get(RoomHome home, LiveRoom live, Iq iq, Element query) {
    Jid from = iq.from();
    List<Element> all = items(query);
    if (from == null || all.size() != 1) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    Room room = live.room();
    Requester requester = requester(room, from);
    Affiliation affiliation = Affiliation.of(all.getFirst().attribute("affiliation"));
    Role role = Role.of(all.getFirst().attribute("role"));
    if (affiliation != null && affiliation != Affiliation.NONE && role == null) {
      return Permissions.maySee(affiliation, room.config(), requester.privileges())
          ? IqReply.result(list(room, affiliation))
          : IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    if (role != null && role != Role.NONE && affiliation == null) {
      return Permissions.maySee(role, requester.privileges())
          ? IqReply.result(list(room, role))
          : IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    return IqReply.refuse(ErrorCondition.BAD_REQUEST);
  }

  /// Lists users by affiliation, with the bare address and the reserved nickname (section 15.4).
  private static Element list(Room room, Affiliation affiliation) {
    Element.Builder query = Element.builder(QUERY);
    for (Jid user : room.affiliations().with(affiliation)) {
      Affiliations.Entry entry = room.affiliations().entry(user);
      String reason = entry == null ? null : entry.reason();
      Element.Builder item =
          Element.builder(MucNames.ADMIN, "item")
              .attribute("affiliation", affiliation.value())
              .attribute("jid", user.toString())
              .attribute("nick", room.affiliations().nickOf(user));
      // The reason of a membership is only for those who granted it.
      addReason(item, affiliation == Affiliation.OUTCAST ? reason : null);
      query.child(item.build());
    }
    return query.build();
  }

  private static void addReason(Element.Builder item, @Nullable String reason) {
    if (reason != null) {
      item.child("reason", reason);
    }
  }

  /// Lists occupants by role, with the full address (section 15.4).
  private static Element list(Room room, Role role) {
    Element.Builder query = Element.builder(QUERY);
    for (Occupant occupant : room.occupants()) {
      if (occupant.role() == role) {
        query.child(
            Element.builder(MucNames.ADMIN, "item")
                .attribute("affiliation", occupant.affiliation().value())
                .attribute("jid", occupant.mainSession().jid().toString())
                .attribute("nick", occupant.nick())
                .attribute("role", role.value())
                .build());
      }
    }
    return query.build();
  }
}
