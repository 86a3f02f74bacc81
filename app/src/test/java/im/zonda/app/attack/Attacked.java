package im.zonda.app.attack;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;

/// A room under attack: what attacker and victim do there.
record Attacked(Target target, String room) {
  static final String MUC = "http://jabber.org/protocol/muc";

  static Attacked room(Target target, String name) {
    return new Attacked(target, name + "@rooms.example.org");
  }

  static String enter(String address, String more) {
    return "<presence to='"
        + XmlElement.escape(address)
        + "'><x xmlns='"
        + MUC
        + "'/>"
        + more
        + "</presence>";
  }

  /// Someone who has entered under its own name, and made the room if it was not there. It has read
  /// all that came with that.
  ScriptedClient occupant(String name) {
    ScriptedClient client = target.named(name + "@example.org/r");
    XmlElement self = enters(client, name, "");
    if (self.toString().contains("'201'")) {
      configure(client, "");
    }
    client.skipUnread();
    return client;
  }

  /// What the room answers to someone who wants to enter: its own presence, or an error.
  XmlElement enters(ScriptedClient client, String nick, String more) {
    client.send(enter(room + "/" + nick, more));
    XmlElement answer =
        client.receiveFirst(e ->
            e.localName().equals("presence")
                && ("error".equals(e.attribute("type")) || hasCode(e, "110")));
    client.fence("entered", room);
    return answer;
  }

  static boolean hasCode(XmlElement presence, String code) {
    XmlElement x = presence.child(MUC + "#user", "x");
    return x != null
        && x.children().stream().anyMatch(child -> code.equals(child.attribute("code")));
  }

  void configure(ScriptedClient owner, String fields) {
    XmlElement answer =
        ask(owner, "set", "#owner", "<x xmlns='jabber:x:data' type='submit'>" + fields + "</x>");
    if (!"result".equals(answer.attribute("type"))) {
      throw new AssertionError("the room is not configured: " + answer);
    }
  }

  static String field(String name, String value) {
    return "<field var='muc#roomconfig_" + name + "'><value>" + value + "</value></field>";
  }

  XmlElement ask(ScriptedClient client, String type, String kind, String payload) {
    client.send(
        "<iq type='"
            + type
            + "' id='ask' to='"
            + room
            + "'><query xmlns='"
            + MUC
            + kind
            + "'>"
            + payload
            + "</query></iq>");
    return client.receiveFirst(e -> e.localName().equals("iq") && "ask".equals(e.attribute("id")));
  }

  void say(ScriptedClient client, String payload) {
    client.send("<message type='groupchat' id='m' to='" + room + "'>" + payload + "</message>");
  }

  /// The next message of any kind.
  static XmlElement message(ScriptedClient client) {
    return client.receiveFirst(e -> e.localName().equals("message"));
  }
}
