package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.muc.RoomHome.LiveRoom;
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

/// Tells people who have a nickname in a room, and are not there, that they have been mentioned
/// (XEP-0452), if the room's owner wants that. Does not block.
@Xep(number = 452, version = "0.2.2", title = "MUC Mention Notifications")
final class Mentions {
  private static final QName REFERENCE = new QName("urn:xmpp:reference:0", "reference");
  private static final int MOST = 10;

  private final ModuleContext context;

  Mentions(ModuleContext context) {
    this.context = context;
  }

  /// A message has been said in a room.
  ///
  /// @param author who wrote it, by its true address
  /// @param id the message's place in the log and its time
  /// @param message as the room told it
  void tell(LiveRoom live, Jid author, long id, Message message, Envelope cause) {
    if (!live.room().config().mentions() || !message.has(REFERENCE)) {
      return;
    }
    Room room = live.room();
    for (Jid user : mentioned(room, message)) {
      Element forwarded =
          Element.builder("urn:xmpp:forward:0", "forwarded")
              .child(
                  Element.builder(MucNames.DELAY)
                      .attribute("stamp", Stamp.of(MessageLog.timeOf(id)))
                      .build())
              .child(message.withAddresses(message.from(), room.jid()).toElement())
              .build();
      Element mentions = Element.builder("urn:xmpp:mmn:0", "mentions").child(forwarded).build();
      // A user who blocks the author is not notified; the error that comes back is discarded.
      Message notification =
          Message.of(
              Message.Type.NORMAL, room.jid(), user, context.ids().next(), List.of(mentions));
      context.send(Envelope.of(notification, author, cause));
    }
  }

  private static Set<Jid> mentioned(Room room, Message message) {
    Set<Jid> users = new LinkedHashSet<>();
    for (Element reference : message.payloads()) {
      boolean mention =
          reference.name().equals(REFERENCE) && "mention".equals(reference.attribute("type"));
      Jid user = mention ? user(room, reference.attribute("uri")) : null;
      if (user != null && isToBeTold(room, user)) {
        users.add(user);
      }
      if (users.size() == MOST) {
        break;
      }
    }
    return users;
  }

  /// A nickname in the room is how people opt in; whoever is there hears it anyway.
  private static boolean isToBeTold(Room room, Jid user) {
    Affiliations.Entry entry = room.affiliations().entry(user);
    return entry != null
        && entry.nick() != null
        && entry.affiliation().isAtLeast(Affiliation.MEMBER)
        && room.occupantsOf(user).isEmpty();
  }

  /// Who is meant: by true address, or by the nickname in the room.
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
