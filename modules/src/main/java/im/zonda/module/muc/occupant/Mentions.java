package im.zonda.module.muc.occupant;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.DateTimes;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Room;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Notifies users with a reserved nickname who are not in the room that they are mentioned
/// (XEP-0452), if the room is configured so: by a reference, or by their occupant identifier
/// (XEP-0513). Does not block.
@Xep(number = 452, version = "0.2.2", title = "MUC Mention Notifications")
@Xep(
    number = 513,
    version = "0.1.0",
    title = "Explicit Mentions",
    note =
        "Rooms notify users who are not there and are mentioned by their occupant identifier, as for"
            + " XEP-0452. Mentions of groups are for clients; there are no permissions, so the"
            + " feature is not advertised")
final class Mentions {
  private static final QName REFERENCE = new QName("urn:xmpp:reference:0", "reference");
  private static final String MENTIONS = "urn:xmpp:mentions:0";
  private static final QName MENTION = new QName(MENTIONS, "mention");
  private static final int MAX = 10;

  /// Occupant identifiers are not looked up in rooms with more affiliations: each has to be
  /// derived.
  private static final int MOST_AFFILIATIONS = 1_000;

  private final ModuleContext context;

  Mentions(ModuleContext context) {
    this.context = context;
  }

  /// Notifies the users that a message mentions.
  ///
  /// @param author the real JID of the sender
  /// @param id the id of the message in the log, which contains its time
  /// @param message as broadcast by the room
  void notifyMentioned(LiveRoom live, Jid author, long id, Message message, Envelope cause) {
    if (!live.room().config().mentions() || !(message.has(REFERENCE) || message.has(MENTION))) {
      return;
    }
    Room room = live.room();
    // The same if the message is sent again: then the log knows the notification, too.
    String same = message.id();
    for (Jid user : mentioned(live, message)) {
      Element forwarded =
          Element.builder("urn:xmpp:forward:0", "forwarded")
              .child(
                  Element.builder(MucNames.DELAY)
                      .attribute("stamp", DateTimes.of(MessageLog.timeOf(id)))
                      .build())
              .child(message.withAddresses(message.from(), room.jid()).toElement())
              .build();
      Element mentions = Element.builder("urn:xmpp:mmn:0", "mentions").child(forwarded).build();
      // A user who blocks the author is not notified; the room discards the error.
      Message notification =
          Message.of(
              Message.Type.NORMAL,
              room.jid(),
              user,
              same == null ? context.ids().next() : same,
              List.of(mentions));
      context.send(Envelope.of(notification, author, cause));
    }
  }

  private static Set<Jid> mentioned(LiveRoom live, Message message) {
    Room room = live.room();
    Set<Jid> users = new LinkedHashSet<>();
    addByOccupantId(live, message, users);
    for (Element reference : message.payloads()) {
      boolean mention =
          reference.name().equals(REFERENCE) && "mention".equals(reference.attribute("type"));
      Jid user = mention ? user(room, reference.attribute("uri")) : null;
      if (user != null && isNotifiable(room, user)) {
        users.add(user);
      }
      if (users.size() >= MAX) {
        break;
      }
    }
    return users;
  }

  private static void addByOccupantId(LiveRoom live, Message message, Set<Jid> users) {
    Set<String> wanted = new LinkedHashSet<>();
    for (Element mention : message.payloads()) {
      String id = mention.name().equals(MENTION) ? mention.attribute("occupantid") : null;
      if (id != null && wanted.size() < MAX && notifies(mention)) {
        wanted.add(id);
      }
    }
    Affiliations affiliations = live.room().affiliations();
    if (wanted.isEmpty() || affiliations.size() > MOST_AFFILIATIONS) {
      return;
    }
    for (Jid user : affiliations.all().keySet()) {
      if (isNotifiable(live.room(), user) && wanted.contains(live.ids().of(user).toString())) {
        users.add(user);
      }
    }
  }

  /// Whether a mention is of one user, who is notified although not in the room (XEP-0513, sections
  /// 3.1 and 3.5).
  private static boolean notifies(Element mention) {
    return mention.attribute("mentions") == null
        && mention.child("noping") == null
        && mention.child("active") == null;
  }

  /// Users opt in by reserving a nickname; occupants have received the message itself.
  private static boolean isNotifiable(Room room, Jid user) {
    Affiliations.Entry entry = room.affiliations().entry(user);
    return entry != null
        && entry.nick() != null
        && entry.affiliation().isAtLeast(Affiliation.MEMBER)
        && room.occupantsOf(user).isEmpty();
  }

  /// Finds the user by real JID, or by reserved nickname.
  private static @Nullable Jid user(Room room, @Nullable String uri) {
    if (uri == null || !uri.startsWith("xmpp:")) {
      return null;
    }
    try {
      int query = uri.indexOf('?');
      String plain = query < 0 ? uri : uri.substring(0, query);
      Jid jid = Jid.of(new URI(plain).getSchemeSpecificPart());
      String nick = jid.resource();
      if (jid.bare().equals(room.jid())) {
        return nick == null ? null : room.affiliations().holderOf(nick);
      }
      return jid.local() == null ? null : jid.bare();
    } catch (URISyntaxException | JidFormatException e) {
      return null;
    }
  }
}
