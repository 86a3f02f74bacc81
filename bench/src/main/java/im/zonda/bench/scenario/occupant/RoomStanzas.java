package im.zonda.bench.scenario.occupant;

import im.zonda.bench.xmpp.Markup;
import java.util.Map;

/// The stanzas of an occupant (XEP-0045).
///
/// @param hosts where the rooms are
/// @param history how many messages a room sends to one who enters
/// @param form settings of new rooms by the names of their fields; empty for the usual ones
record RoomStanzas(Hosts hosts, int history, Map<String, String> form) {
  private static final String MUC = "http://jabber.org/protocol/muc";

  /// The address of a room.
  String room(int room) {
    return hosts.room(room);
  }

  String enter(int room, int player) {
    return "<presence to='"
        + room(room)
        + "/p"
        + player
        + "'><x xmlns='"
        + MUC
        + "'><history maxstanzas='"
        + history
        + "'/></x></presence>";
  }

  String leave(int room, int player) {
    return "<presence type='unavailable' to='" + room(room) + "/p" + player + "'/>";
  }

  /// Configures a new room, which is locked until then (section 10.1).
  String unlock() {
    StringBuilder fields = new StringBuilder();
    if (!form.isEmpty()) {
      field(fields, "FORM_TYPE", MUC + "#roomconfig");
      form.forEach((name, value) -> field(fields, name, value));
    }
    return "<query xmlns='"
        + MUC
        + "#owner'><x xmlns='jabber:x:data' type='submit'>"
        + fields
        + "</x></query>";
  }

  private static void field(StringBuilder fields, String name, String value) {
    fields
        .append("<field var='")
        .append(name)
        .append("'><value>")
        .append(value)
        .append("</value></field>");
  }

  String say(int room, String body) {
    return "<message type='groupchat' to='" + room(room) + "'><body>" + body + "</body></message>";
  }

  static String chat(String address, String body) {
    return "<message type='chat' to='" + address + "'><body>" + body + "</body></message>";
  }

  /// The number of the room that has sent an element; -1 if no room has.
  int sender(byte[] bytes, int from, int to) {
    String address = Markup.attribute(bytes, from, to, "from");
    int at = address == null ? -1 : address.indexOf('@');
    if (address == null
        || at < 2
        || !hosts.isService(address, at + 1)
        || address.charAt(0) != 'r') {
      return -1;
    }
    try {
      return Integer.parseInt(address, 1, at, 10);
    } catch (NumberFormatException e) {
      return -1; // another room
    }
  }
}
