package im.zonda.module.muc.discovery;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.Xep;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.AffiliationVersion;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.room.RoomName;
import im.zonda.module.muc.room.RoomVisibility;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.RoomStore;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Service discovery of the service and its rooms (XEP-0045, section 6).
///
/// A public room discloses its configuration to everyone, and its subject and number of occupants
/// to users who may enter. A hidden room discloses to others only that it exists and the features
/// of its configuration, as the protocol requires. A locked room exists for its owners only. The
/// list of occupants is for occupants and, in a public room, for users who may enter.
@Xep(
    number = 503,
    version = "0.3.0",
    title = "Server-side spaces",
    note = "The node that a room is associated with counts as its space")
public final class RoomDiscovery {
  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";
  private static final QName INFO_QUERY = new QName(INFO, "query");
  private static final QName ITEMS_QUERY = new QName(ITEMS, "query");
  private static final String OWN_NICK = "x-roomuser-item";
  private static final String TRAFFIC = "http://jabber.org/protocol/muc#traffic";
  private static final QName PING = new QName("urn:xmpp:ping", "ping");
  private static final String SPACES = "urn:xmpp:spaces:0";
  private static final int PAGE = 100;

  private final RoomStore store;
  private final Jid domain;
  private final String title;
  private final RequestTable table;
  private final RoomCommands commands;

  /// @param table supplies the features, after all handlers have been added
  public RoomDiscovery(
      RoomStore store, Jid domain, String title, RequestTable table, RoomCommands commands) {
    this.store = store;
    this.domain = domain;
    this.title = title;
    this.table = table;
    this.commands = commands;
  }

  public void install() {
    table
        .onServiceIq(Iq.Type.GET, INFO_QUERY, (iq, query) -> serviceInfo(query))
        .onServiceIq(Iq.Type.GET, ITEMS_QUERY, (iq, query) -> rooms(query))
        .onServiceIq(Iq.Type.GET, PING, (iq, ping) -> IqReply.empty())
        .onRoomIq(Iq.Type.GET, INFO_QUERY, this::roomInfo)
        .onRoomIq(Iq.Type.GET, ITEMS_QUERY, (home, live, iq, query) -> items(live, iq, query))
        .onRoomIq(Iq.Type.GET, PING, (home, live, iq, ping) -> IqReply.empty());
    for (String feature :
        List.of(MucNames.MUC, INFO, ITEMS, PING.namespace(), ResultSetRequest.NAMESPACE)) {
      table.serviceFeature(feature).roomFeature(feature);
    }
    table.serviceFeature("muc_rooms");
    for (String feature :
        List.of(
            MucNames.OCCUPANT_ID.namespace(),
            AffiliationVersion.NAMESPACE,
            StanzaIds.NAME.namespace(),
            MucNames.MUC + "#stable_id",
            MucNames.MUC + "#roominfo")) {
      table.roomFeature(feature);
    }
  }

  // ---- the service

  private IqReply serviceInfo(Element query) {
    if (query.attribute("node") != null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    Element.Builder info = Element.builder(INFO_QUERY).child(identity(title));
    table.serviceFeatures().forEach(feature -> info.child(feature(feature)));
    return IqReply.result(info.build());
  }

  /// Lists the public rooms (section 6.3).
  private IqReply rooms(Element query) {
    if (query.attribute("node") != null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    Element set = query.child(ResultSetRequest.SET);
    ResultSetRequest page;
    try {
      page = forwards(set);
    } catch (ResultSetException e) {
      return e.reply();
    }
    List<Element> items = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    List<RoomStore.Room> found = store.listed(domain.domain(), page.after(), null, page.max() + 1);
    for (RoomStore.Room room : found.subList(0, Math.min(page.max(), found.size()))) {
      String local = String.valueOf(room.jid().local());
      keys.add(local);
      items.add(item(room.jid(), RoomName.of(room.jid(), room.name())));
    }
    return page(items, keys, set != null || found.size() > page.max());
  }

  private static ResultSetRequest forwards(@Nullable Element set) throws ResultSetException {
    return ResultSetRequest.of(set, PAGE).forwards();
  }

  private static IqReply page(List<Element> items, List<String> keys, boolean withSet) {
    Element.Builder answer = Element.builder(ITEMS_QUERY).children(items);
    if (withSet) {
      boolean empty = keys.isEmpty();
      answer.child(
          ResultSetRequest.result(empty ? null : keys.getFirst(), empty ? null : keys.getLast()));
    }
    return IqReply.result(answer.build());
  }

  // ---- a room

  private IqReply roomInfo(RoomHome home, LiveRoom live, Iq iq, Element query) {
    Room room = live.room();
    Jid from = iq.from();
    if (from == null || !RoomVisibility.existsFor(room, from)) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    return switch (query.attribute("node")) {
      case null -> IqReply.result(info(home, room, from));
      case OWN_NICK -> ownNick(room, from);
      // The room forwards all traffic (section 17.1.1).
      case TRAFFIC -> IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
      default -> IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    };
  }

  private Element info(RoomHome home, Room room, Jid from) {
    RoomConfig config = room.config();
    String name = RoomName.of(room.jid(), config.name());
    Element.Builder info = Element.builder(INFO_QUERY).child(identity(name));
    table.roomFeatures(config).forEach(feature -> info.child(feature(feature)));
    info.child(feature(config.listed() ? "muc_public" : "muc_hidden"));
    info.child(feature(config.persistent() ? "muc_persistent" : "muc_temporary"));
    info.child(feature(config.membersOnly() ? "muc_membersonly" : "muc_open"));
    info.child(feature(config.moderated() ? "muc_moderated" : "muc_unmoderated"));
    info.child(feature(config.nonAnonymous() ? "muc_nonanonymous" : "muc_semianonymous"));
    info.child(feature(config.password() == null ? "muc_unsecured" : "muc_passwordprotected"));
    if (RoomVisibility.isVisibleTo(room, from)) {
      boolean inSpace = !config.space().isEmpty();
      if (inSpace) {
        info.child(feature(SPACES));
      }
      info.child(form(home, room, RoomVisibility.canEnter(room, from)));
      if (inSpace) {
        info.child(spaceForm(config.space()));
      }
    }
    return info.build();
  }

  /// Builds the form that names the space of the room (XEP-0503, section 5.5). It follows
  /// `muc#roominfo`, which clients may take to be the first form.
  private static Element spaceForm(String space) {
    return DataForm.builder("result", SPACES)
        .text("parent", "Space parent", space)
        .build()
        .toElement();
  }

  /// Builds the form `muc#roominfo` (section 15.5.4).
  private Element form(RoomHome home, Room room, boolean canEnter) {
    RoomConfig config = room.config();
    DataForm.Builder form = DataForm.builder("result", MucNames.MUC + "#roominfo");
    text(form, "muc#roominfo_description", "Description", config.description());
    text(form, "muc#roominfo_lang", "Language of discussion", config.lang());
    if (!config.contacts().isEmpty()) {
      form.field(
          "muc#roominfo_contactjid", "jid-multi", "Contact Addresses", config.contacts(), Map.of());
    }
    form.bool("muc#roominfo_subjectmod", "Subject can be modified", config.changeSubject());
    form.bool("muc#roomconfig_changesubject", "Subject can be modified", config.changeSubject());
    text(
        form,
        "muc#maxhistoryfetch",
        "Maximum Number of History Messages Returned by Room",
        Integer.toString(config.history()));
    text(form, "muc#roomconfig_pubsub", "Associated pubsub node", config.space());
    text(form, "muc#roominfo_slow_mode_duration", "Slow Mode", Integer.toString(config.slowMode()));
    if (canEnter) {
      Subject subject = room.subject();
      Element said = subject == null ? null : subject.message().payload(MucNames.SUBJECT);
      text(
          form,
          "muc#roominfo_subject",
          "Current Discussion Topic",
          said == null ? "" : said.text());
      text(
          form,
          "muc#roominfo_occupants",
          "Number of occupants",
          Integer.toString(room.occupants().size()));
    }
    table.roomInfos().forEach(more -> more.add(home, form));
    return form.build().toElement();
  }

  private static void text(DataForm.Builder form, String name, String label, String value) {
    if (!value.isEmpty()) {
      form.text(name, label, value);
    }
  }

  /// Returns the requester's reserved nickname (section 7.12).
  private static IqReply ownNick(Room room, Jid from) {
    Affiliations.Entry entry = room.affiliations().entry(from.bare());
    Element.Builder info = Element.builder(INFO_QUERY).attribute("node", OWN_NICK);
    if (entry != null && entry.nick() != null) {
      info.child(identity(entry.nick()));
    }
    return IqReply.result(info.build());
  }

  private IqReply items(LiveRoom live, Iq iq, Element query) {
    Room room = live.room();
    Jid from = iq.from();
    if (from == null || !RoomVisibility.existsFor(room, from)) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    return switch (query.attribute("node")) {
      case null -> occupants(room, from, query);
      case RoomCommands.NAMESPACE ->
          IqReply.result(
              Element.builder(ITEMS_QUERY)
                  .attribute("node", RoomCommands.NAMESPACE)
                  .children(commands.items(live, from))
                  .build());
      default -> IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    };
  }

  /// Lists the occupants (section 6.5; reliability row 72).
  private static IqReply occupants(Room room, Jid from, Element query) {
    Occupant requester = room.occupant(from);
    boolean moderates = requester != null && requester.role() == Role.MODERATOR;
    if (requester == null && !(room.config().listed() && RoomVisibility.canEnter(room, from))) {
      return IqReply.result(Element.of(ITEMS_QUERY));
    }
    Element set = query.child(ResultSetRequest.SET);
    ResultSetRequest page;
    try {
      page = forwards(set);
    } catch (ResultSetException e) {
      return e.reply();
    }
    List<Element> items = new ArrayList<>();
    List<String> nicks = new ArrayList<>();
    boolean begun = page.after() == null;
    boolean more = false;
    for (Occupant occupant : room.occupants()) {
      if (begun && (occupant.isAnnounced() || moderates)) {
        more = items.size() == page.max();
        if (more) {
          break;
        }
        items.add(item(occupant.address(), null));
        nicks.add(occupant.nick());
      }
      begun |= occupant.nick().equals(page.after());
    }
    return begun
        ? page(items, nicks, set != null || more)
        : IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
  }

  // ---- elements

  private static Element identity(String name) {
    return Element.builder(INFO, "identity")
        .attribute("category", "conference")
        .attribute("type", "text")
        .attribute("name", name)
        .build();
  }

  private static Element feature(String name) {
    return Element.builder(INFO, "feature").attribute("var", name).build();
  }

  private static Element item(Jid jid, @Nullable String name) {
    return Element.builder(ITEMS, "item")
        .attribute("jid", jid.toString())
        .attribute("name", name)
        .build();
  }
}
