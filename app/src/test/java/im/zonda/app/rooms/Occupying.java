package im.zonda.app.rooms;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One session's view of one room: the stanzas that it got, in order, while it was there, and the
/// occupants that it believes to be there. Everyone says in its presence which change this is
/// (`<status/>`), so that all can be told apart.
final class Occupying {
  static final String MUC = "http://jabber.org/protocol/muc";

  private final ScriptedClient client;
  private final String room;
  private final List<List<String>> stays = new ArrayList<>();
  private final Map<String, String> others = new TreeMap<>();
  private @Nullable String nick;

  Occupying(ScriptedClient client, String room) {
    this.client = client;
    this.room = room;
  }

  String room() {
    return room;
  }

  /// Sends presence to the room: enters it, has another nickname, says something of itself.
  void present(String nickname, String mark) {
    client.send(
        "<presence to='"
            + room
            + "/"
            + nickname
            + "'>"
            + (isThere() ? "" : "<x xmlns='" + MUC + "'><history maxstanzas='0'/></x>")
            + "<status>"
            + mark
            + "</status></presence>");
  }

  void leave(String mark) {
    client.send(
        "<presence type='unavailable' to='"
            + room
            + "/"
            + nick
            + "'><status>"
            + mark
            + "</status></presence>");
  }

  void say(String body) {
    client.send("<message type='groupchat' to='" + room + "'><body>" + body + "</body></message>");
  }

  /// Notes a stanza from the room.
  void take(XmlElement stanza) {
    String type = String.valueOf(stanza.attribute("type"));
    if (type.equals("error") || stanza.localName().equals("iq")) {
      return;
    }
    if (stanza.localName().equals("message")) {
      XmlElement id = stanza.child("urn:xmpp:sid:0", "stanza-id");
      if (stanza.child("body") != null && id != null) {
        tell("said " + id.attribute("id"));
      }
      return;
    }
    String from = String.valueOf(stanza.attribute("from"));
    String who = from.substring(from.indexOf('/') + 1);
    boolean own = hasCode(stanza, "110");
    if (own && nick == null) {
      if (type.equals("unavailable")) {
        throw new AssertionError("leaves where it was not: " + stanza);
      }
      stays.add(new ArrayList<>());
      nick = who;
    }
    tell(type.equals("unavailable") ? gone(stanza, who) : there(stanza, who));
    if (own) {
      nick = type.equals("unavailable") ? renamed(stanza) : who;
    }
    if (nick == null && !isArriving(own, type)) {
      others.clear();
    }
  }

  /// A session receives the presence of the others before its own (section 7.2.2).
  private static boolean isArriving(boolean own, String type) {
    return !own && !type.equals("unavailable");
  }

  private String there(XmlElement presence, String who) {
    XmlElement item = item(presence);
    String what =
        presence.childText("status")
            + " "
            + item.attribute("affiliation")
            + " "
            + item.attribute("role");
    others.put(who, what);
    return who + " is " + what;
  }

  private String gone(XmlElement presence, String who) {
    String before = String.valueOf(others.remove(who));
    String now = renamed(presence);
    return who + " goes, was " + before + ", " + (now == null ? presence.childText("status") : now);
  }

  /// The nickname that comes next, or null.
  private static @Nullable String renamed(XmlElement presence) {
    return hasCode(presence, "303") ? item(presence).attribute("nick") : null;
  }

  private void tell(String event) {
    if (nick != null) {
      stays.getLast().add(event);
    }
  }

  private static XmlElement item(XmlElement presence) {
    XmlElement x = presence.child(MUC + "#user", "x");
    XmlElement item = x == null ? null : x.child("item");
    if (item == null) {
      throw new AssertionError("presence without an item: " + presence);
    }
    return item;
  }

  private static boolean hasCode(XmlElement presence, String code) {
    XmlElement x = presence.child(MUC + "#user", "x");
    return x != null
        && x.children().stream().anyMatch(child -> code.equals(child.attribute("code")));
  }

  boolean isThere() {
    return nick != null;
  }

  /// The own nickname, or null.
  @Nullable String nick() {
    return nick;
  }

  /// Everyone who is there, itself too, with the last mark, affiliation and role.
  Map<String, String> view() {
    return others;
  }

  /// The stanzas received in each stay, from entering to leaving.
  List<List<String>> stays() {
    return stays;
  }
}
