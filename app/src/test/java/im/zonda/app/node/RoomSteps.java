package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.util.Map;

/// What clients do in the room of these tests (XEP-0045). What they receive meanwhile is kept.
final class RoomSteps {
  static final String ROOM = "coven@rooms.example.org";

  private RoomSteps() {}

  /// Enters.
  ///
  /// @param history what is asked for of the history, as XML; may be empty
  static void enter(ScriptedClient client, String nick, String history) {
    client.send(
        "<presence to='%s/%s'><x xmlns='http://jabber.org/protocol/muc'>%s</x></presence>"
            .formatted(ROOM, nick, history));
    awaitPresence(client, nick);
  }

  static void enter(ScriptedClient client, String nick) {
    enter(client, nick, "");
  }

  /// Waits until the client knows of an occupant.
  static void awaitPresence(ScriptedClient client, String nick) {
    client.receiveFirst(stanza ->
        stanza.localName().equals("presence")
            && (ROOM + "/" + nick).equals(stanza.attribute("from"))
            && !"unavailable".equals(stanza.attribute("type")));
  }

  /// Accepts the default configuration of a new room.
  static void configure(ScriptedClient client) {
    configure(client, Map.of());
  }

  /// Configures the room with these fields.
  static void configure(ScriptedClient client, Map<String, String> fields) {
    StringBuilder form = new StringBuilder();
    fields.forEach((name, value) ->
        form.append("<field var='%s'><value>%s</value></field>".formatted(name, value)));
    client.send(
        """
        <iq type='set' id='c' to='%s'><query xmlns='http://jabber.org/protocol/muc#owner'>\
        <x xmlns='jabber:x:data' type='submit'>%s</x></query></iq>\
        """
            .formatted(ROOM, form));
    XmlElement answer = client.receiveFirst(stanza -> stanza.localName().equals("iq"));
    assertThat(answer.attribute("type")).isEqualTo("result");
  }

  static void say(ScriptedClient client, String text) {
    client.send(
        "<message type='groupchat' to='%s' id='m%s'><body>%s</body></message>"
            .formatted(ROOM, text, text));
  }

  /// The text of the next message.
  static String heard(ScriptedClient client) {
    return client.receiveFirst(stanza -> stanza.child("body") != null).childText("body");
  }
}
