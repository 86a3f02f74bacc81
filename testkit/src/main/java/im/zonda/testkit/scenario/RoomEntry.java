package im.zonda.testkit.scenario;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;

/// One client entering a room in the ordinary way (XEP-0045, sections 7.2 and 10.1.2).
final class RoomEntry {
  private static final String MUC = "http://jabber.org/protocol/muc";
  private static final String SELF = "110";
  private static final String NEW_ROOM = "201";

  private final ScriptedClient client;
  private final String occupant;
  private final String room;

  RoomEntry(ScriptedClient client, String occupant) {
    this.client = client;
    this.occupant = occupant;
    this.room = occupant.substring(0, occupant.indexOf('/'));
  }

  /// Enters, accepts the default configuration of a new room, and skips everything received.
  void enter() {
    client.send(
        "<presence to='" + XmlElement.escape(occupant) + "'><x xmlns='" + MUC + "'/></presence>");
    XmlElement self = client.receiveFirst(this::answers);
    if ("error".equals(self.attribute("type"))) {
      throw new AssertionError(occupant + " may not enter: " + self);
    }
    if (hasStatus(self, NEW_ROOM)) {
      acceptDefaults();
    }
    // The room has sent history and subject before it answers this.
    client.fence("zonda-entered", room);
    client.skipUnread();
  }

  private boolean answers(XmlElement element) {
    String from = element.attribute("from");
    return element.localName().equals("presence")
        && from != null
        && (from.equals(room) || from.startsWith(room + "/"))
        && ("error".equals(element.attribute("type")) || hasStatus(element, SELF));
  }

  private static boolean hasStatus(XmlElement presence, String code) {
    XmlElement x = presence.child(MUC + "#user", "x");
    return x != null
        && x.children().stream()
            .anyMatch(child ->
                child.localName().equals("status") && code.equals(child.attribute("code")));
  }

  private void acceptDefaults() {
    client.send(
        "<iq type='set' id='zonda-instant' to='"
            + XmlElement.escape(room)
            + "'><query xmlns='"
            + MUC
            + "#owner'><x xmlns='jabber:x:data' type='submit'/></query></iq>");
    XmlElement answer =
        client.receiveFirst(element ->
            element.localName().equals("iq") && "zonda-instant".equals(element.attribute("id")));
    if (!"result".equals(answer.attribute("type"))) {
      throw new AssertionError(room + " stays locked: " + answer);
    }
  }
}
