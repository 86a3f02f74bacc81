package im.zonda.app.noloss.room;

import im.zonda.testkit.client.ArchiveReader;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.history.RoomLedger.Said;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Someone who makes the room, or looks at it, step by step.
final class RoomVisit implements AutoCloseable {
  static final String NAME = "Coven & friends";
  static final String WITNESS = "witness";

  /// What the room remembers for those who enter.
  static final int HISTORY = 20;

  private static final String MUC = "http://jabber.org/protocol/muc";

  private final ScriptedClient client;
  private final String nick;

  private RoomVisit(ScriptedClient client, String nick) {
    this.client = client;
    this.nick = nick;
  }

  static RoomVisit of(RoomRunState course, String account)
      throws IOException, InterruptedException {
    ScriptedClient client = new ScriptedClient(SocketWire.connect(course.lives().await()));
    return new RoomVisit(client.login(course.login(account, "visit")), account);
  }

  /// Makes the room, lets members only in, and these are members.
  void found(List<String> members) {
    enter();
    ask("set", "#owner", configuration());
    for (String member : members.subList(1, members.size())) {
      ask("set", "#admin", item(member, "member"));
    }
    ask("set", "#admin", item(WITNESS, "owner"));
    client.send("</stream:stream>");
    client.awaitEnd();
  }

  private static String configuration() {
    return "<x xmlns='jabber:x:data' type='submit'>"
        + field("FORM_TYPE", MUC + "#roomconfig")
        + field("muc#roomconfig_roomname", XmlElement.escape(NAME))
        + field("muc#roomconfig_persistentroom", "1")
        + field("muc#roomconfig_membersonly", "1")
        + field("muc#maxhistoryfetch", Integer.toString(HISTORY))
        + "</x>";
  }

  private static String field(String name, String value) {
    return "<field var='" + name + "'><value>" + value + "</value></field>";
  }

  private static String item(String account, String affiliation) {
    return "<item affiliation='"
        + affiliation
        + "' jid='"
        + account
        + "@"
        + NoLossPlan.DOMAIN
        + "'/>";
  }

  /// Enters and returns the history and the subject.
  List<XmlElement> enter() {
    client.send(
        "<presence to='"
            + RoomRunState.ROOM
            + "/"
            + nick
            + "'><x xmlns='"
            + MUC
            + "'/></presence>");
    List<XmlElement> messages = new ArrayList<>();
    XmlElement next = client.receive();
    while (!next.localName().equals("message") || next.child("body") != null) {
      if ("error".equals(next.attribute("type"))) {
        throw new AssertionError(nick + " may not enter: " + next);
      }
      if (next.localName().equals("message")) {
        messages.add(next);
      }
      next = client.receive();
    }
    messages.add(next);
    return messages;
  }

  /// A message as the ledger knows it.
  static Said said(XmlElement message) {
    XmlElement stanzaId = Objects.requireNonNull(message.child("stanza-id"));
    return new Said(
        String.valueOf(stanzaId.attribute("id")), String.valueOf(message.attribute("id")));
  }

  /// The room's archive as anyone reads it (XEP-0313).
  List<Said> archive() {
    List<Said> all = new ArrayList<>();
    new ArchiveReader(client, 200, RoomRunState.ROOM)
        .readAll((stanzaId, message) -> {
          if (message.child("body") != null) {
            all.add(new Said(stanzaId, String.valueOf(message.attribute("id"))));
          }
        });
    return all;
  }

  /// The names of the accounts with that affiliation.
  List<String> affiliated(String affiliation) {
    XmlElement query = ask("get", "#admin", "<item affiliation='" + affiliation + "'/>");
    return query.children().stream()
        .map(item -> String.valueOf(item.attribute("jid")))
        .map(jid -> jid.substring(0, jid.indexOf('@')))
        .toList();
  }

  /// What the configuration says.
  String configured(String name) {
    XmlElement form = ask("get", "#owner", "").child("x");
    return Objects.requireNonNull(form).children().stream()
        .filter(field -> name.equals(field.attribute("var")))
        .findFirst()
        .orElseThrow()
        .childText("value");
  }

  private XmlElement ask(String type, String kind, String payload) {
    client.send(
        "<iq type='"
            + type
            + "' id='ask' to='"
            + RoomRunState.ROOM
            + "'><query xmlns='"
            + MUC
            + kind
            + "'>"
            + payload
            + "</query></iq>");
    XmlElement answer =
        client.receiveFirst(e -> e.localName().equals("iq") && "ask".equals(e.attribute("id")));
    if (!"result".equals(answer.attribute("type"))) {
      throw new AssertionError("the room refuses " + payload + ": " + answer);
    }
    XmlElement query = answer.child("query");
    return query == null ? answer : query;
  }

  @Override
  public void close() {
    client.close();
  }
}
