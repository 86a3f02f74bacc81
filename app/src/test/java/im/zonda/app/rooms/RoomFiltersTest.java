package im.zonda.app.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.journal.Inquiry;
import im.zonda.jid.Jid;
import im.zonda.module.XmppModule;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.trace.TraceStore;
import im.zonda.trace.recording.Choice;
import im.zonda.trace.recording.DeliveryTraces;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Modules filter and observe the rooms of their host.
@Timeout(120)
class RoomFiltersTest {
  private static final String ROOM = "hall@rooms.example.org";
  private static final String ROMEO = "romeo@example.org/orchard";
  private static final String JULIET = "juliet@example.org/balcony";

  private final HallModule hall = new HallModule(false);

  private List<XmppModule> modules() {
    List<XmppModule> modules = new ArrayList<>(StandardModules.create());
    modules.add(hall);
    return modules;
  }

  private TestServer start() throws IOException {
    return ServerPlan.of(this::modules).startOnSockets();
  }

  private static void enter(ScriptedClient client, String nick) {
    client.send(
        "<presence to='%s/%s'><x xmlns='%s'><history maxstanzas='0'/></x></presence>"
            .formatted(ROOM, nick, Occupying.MUC));
    client.receiveFirst(each -> each.child("subject") != null);
  }

  /// Creates the room and accepts its configuration.
  private static void open(ScriptedClient client) {
    enter(client, "romeo");
    client.send(
        ("<iq type='set' id='o' to='%s'><query xmlns='%s#owner'>"
                + "<x xmlns='jabber:x:data' type='submit'/></query></iq>")
            .formatted(ROOM, Occupying.MUC));
    client.receiveFirst(each -> "o".equals(each.attribute("id")));
  }

  private static void say(ScriptedClient client, String text) {
    send(
        client,
        text,
        "<body>" + text + "</body><origin-id xmlns='urn:xmpp:sid:0' id='o-" + text + "'/>");
  }

  private static void send(ScriptedClient client, String id, String payload) {
    client.send(
        "<message type='groupchat' id='%s' to='%s'>%s</message>".formatted(id, ROOM, payload));
  }

  /// The next message with a text, or an error.
  private static XmlElement heard(ScriptedClient client) {
    return client.receiveFirst(each ->
        each.localName().equals("message")
            && (each.child("body") != null || "error".equals(each.attribute("type"))));
  }

  private static @Nullable String body(XmlElement message) {
    return message.childText("body");
  }

  @Test
  void messagesAreMaskedRejectedAndDropped() throws IOException {
    try (TestServer server = start();
        ScriptedClient romeo = server.connect(ROMEO);
        ScriptedClient juliet = server.connect(JULIET)) {
      open(romeo);
      enter(juliet, "juliet");
      say(romeo, "darn");
      say(romeo, "drop");
      say(romeo, "reject");
      say(romeo, "fine");
      XmlElement masked = heard(juliet);
      assertThat(body(masked)).isEqualTo("****");
      assertThat(body(heard(juliet))).isEqualTo("fine");
      XmlElement echo = heard(romeo);
      assertThat(body(echo)).isEqualTo("****");
      assertThat(echo.attribute("id")).isEqualTo("darn");
      for (XmlElement each : List.of(masked, echo)) {
        assertThat(each.attribute("from")).isEqualTo(ROOM + "/romeo");
        XmlElement origin = Objects.requireNonNull(each.child("urn:xmpp:sid:0", "origin-id"));
        assertThat(origin.attribute("id")).isEqualTo("o-darn");
        assertThat(each.child("urn:xmpp:sid:0", "stanza-id")).isNotNull();
        assertThat(each.child("urn:xmpp:occupant-id:0", "occupant-id")).isNotNull();
      }
      XmlElement error = heard(romeo);
      assertThat(error.attribute("id")).isEqualTo("reject");
      assertThat(error.attribute("from")).isEqualTo(ROOM);
      assertThat(error.condition()).isEqualTo("not-acceptable");
      assertThat(error.toString()).contains("not here");
      assertThat(body(heard(romeo))).isEqualTo("fine");
      assertThat(hall.asked)
          .containsExactly(
              ROMEO + " to " + ROOM + ": darn",
              ROMEO + " to " + ROOM + ": drop",
              ROMEO + " to " + ROOM + ": reject",
              ROMEO + " to " + ROOM + ": fine");
      assertThat(history(server)).containsExactly("****", "fine");
      assertThat(archived(juliet)).containsExactly("****", "fine");
    }
  }

  /// `zonda why` names the module that has stopped a message.
  @Test
  void whatWasStoppedIsRecordedWithTheModule() throws IOException {
    try (TestServer server = start();
        ScriptedClient romeo = server.connect(ROMEO)) {
      open(romeo);
      say(romeo, "drop");
      say(romeo, "fine");
      heard(romeo);
      List<Map<?, ?>> why =
          new Inquiry(server, "example.org", () -> {})
              .findings("message.fate", Map.of(), "romeo@example.org", ROOM);
      assertThat(Inquiry.reasons(why)).contains("module");
      assertThat(why.toString()).contains("hall");
    }
  }

  @Test
  void theStepsOfAMessageSayThatItWasChanged() throws IOException {
    try (TestServer server = start();
        ScriptedClient romeo = server.connect(ROMEO)) {
      Instant now = server.runtime().clock().instant();
      Instant later = now.plus(Duration.ofHours(1));
      Choice all = new Choice("t1", Jid.of("romeo@example.org"), null, null, 0, now, later, "root");
      server.server().traces().choose(List.of(all));
      open(romeo);
      say(romeo, "darn");
      heard(romeo);
      Eventually.await("the steps are there", () -> steps(server).contains("room changed"));
      say(romeo, "fine");
      heard(romeo);
      Eventually.await("the steps are there", () -> steps(server).contains("room passed"));
    }
  }

  private static List<String> steps(TestServer server) {
    DeliveryTraces traces = server.server().traces();
    return traces.find(TraceStore.Query.newest(50)).stream()
        .flatMap(each -> traces.steps(each.trace()).stream())
        .map(each -> each.place() + " " + each.verdict())
        .toList();
  }

  /// What is said in other rooms, and what its occupants do elsewhere, does not wait.
  @Test
  void aFilterThatTakesLongHoldsBackItsRoomAlone() throws IOException {
    HallModule slow = new HallModule(true);
    try (TestServer server = ServerPlan.of(StandardModules::create).startOnSockets();
        ScriptedClient romeo = server.connect(ROMEO);
        ScriptedClient juliet = server.connect(JULIET)) {
      open(romeo);
      say(romeo, "first");
      assertThat(body(heard(romeo))).isEqualTo("first");
      server.server().addModule("hall", host -> slow);
      say(romeo, "wait");
      say(romeo, "after");
      Eventually.await("the filter is asked", () -> !slow.asked.isEmpty());
      String other = "garden@rooms.example.org";
      juliet.send(
          "<presence to='%s/juliet'><x xmlns='%s'/></presence>".formatted(other, Occupying.MUC));
      juliet.send("<message type='groupchat' to='" + other + "'><body>fine</body></message>");
      assertThat(body(heard(juliet))).isEqualTo("fine");
      romeo.send("<message type='chat' to='" + JULIET + "'><body>psst</body></message>");
      assertThat(body(heard(juliet))).isEqualTo("psst");
      slow.ready.countDown();
      assertThat(body(heard(romeo))).isEqualTo("wait");
      assertThat(body(heard(romeo))).isEqualTo("after");
    }
  }

  /// What someone gets who enters now.
  private static List<String> history(TestServer server) {
    try (ScriptedClient late = server.connect("late@example.org/pda")) {
      late.send("<presence to='%s/late'><x xmlns='%s'/></presence>".formatted(ROOM, Occupying.MUC));
      List<String> texts = new ArrayList<>();
      XmlElement next = late.receive();
      while (next.child("subject") == null) {
        if (next.child("body") != null) {
          texts.add(String.valueOf(body(next)));
        }
        next = late.receive();
      }
      return texts;
    }
  }

  private static List<String> archived(ScriptedClient client) {
    client.send(
        "<iq type='set' id='a' to='%s'><query xmlns='urn:xmpp:mam:2'/></iq>".formatted(ROOM));
    List<String> texts = new ArrayList<>();
    client.receiveFirst(each -> {
      XmlElement result = each.child("urn:xmpp:mam:2", "result");
      if (result != null) {
        String text = result.toString();
        texts.add(text.replaceAll("(?s).*<body[^>]*>([^<]*)</body>.*", "$1"));
      }
      return "a".equals(each.attribute("id"));
    });
    return texts;
  }

  /// They are messages to the room like others.
  @Test
  void subjectsCorrectionsAndReactionsAreFiltered() throws IOException {
    try (TestServer server = start();
        ScriptedClient romeo = server.connect(ROMEO)) {
      open(romeo);
      send(romeo, "s1", "<subject>reject</subject>");
      assertThat(heard(romeo).condition()).isEqualTo("not-acceptable");
      send(romeo, "s2", "<subject>darn</subject>");
      assertThat(romeo.receiveFirst(each -> each.child("subject") != null).childText("subject"))
          .isEqualTo("****");
      send(romeo, "c", "<body>darn</body><replace xmlns='urn:xmpp:message-correct:0' id='s1'/>");
      assertThat(body(heard(romeo))).isEqualTo("****");
      send(
          romeo,
          "r",
          "<reactions xmlns='urn:xmpp:reactions:0' id='c'><reaction>x</reaction></reactions>");
      romeo.receiveFirst(each -> "r".equals(each.attribute("id")));
      assertThat(hall.asked).hasSize(4);
      try (ScriptedClient juliet = server.connect(JULIET)) {
        juliet.send(
            "<presence to='%s/j'><x xmlns='%s'/></presence>".formatted(ROOM, Occupying.MUC));
        assertThat(juliet.receiveFirst(each -> each.child("subject") != null).childText("subject"))
            .isEqualTo("****");
      }
    }
  }

  /// A filter that makes a subject of a message is defective: its author learns that the message
  /// was not sent.
  @Test
  void aMessageStaysWhatItIs() throws IOException {
    try (TestServer server = start();
        ScriptedClient romeo = server.connect(ROMEO)) {
      open(romeo);
      say(romeo, "topic");
      assertThat(heard(romeo).condition()).isEqualTo("internal-server-error");
      say(romeo, "fine");
      assertThat(body(heard(romeo))).isEqualTo("fine");
    }
  }

  /// Who is not in the room, or has no voice, gets an error of the room itself.
  @Test
  void onlyWhatTheRoomAcceptsIsFiltered() throws IOException {
    try (TestServer server = start();
        ScriptedClient romeo = server.connect(ROMEO);
        ScriptedClient juliet = server.connect(JULIET)) {
      open(romeo);
      say(romeo, "fine");
      heard(romeo);
      say(juliet, "outside");
      assertThat(heard(juliet).condition()).isEqualTo("not-acceptable");
      enter(juliet, "juliet");
      juliet.send("<message type='chat' to='" + ROOM + "/romeo'><body>psst</body></message>");
      assertThat(body(heard(romeo))).isEqualTo("psst");
      assertThat(hall.asked).containsExactly(ROMEO + " to " + ROOM + ": fine");
    }
  }

  /// A gateway brings people of other networks into rooms.
  @Test
  void occupantsOfComponentsAreFilteredAndObserved() throws IOException {
    ServerPlan plan =
        ServerPlan.of(this::modules)
            .with("component.secret", Map.of("gateway.example.org", "component secret"));
    try (TestServer server = plan.startOnSockets();
        ScriptedClient romeo = server.connect(ROMEO);
        ScriptedClient gateway = server.component("gateway.example.org")) {
      open(romeo);
      String nurse = "nurse@gateway.example.org";
      gateway.send(
          "<presence from='%s/g' to='%s/nurse'><x xmlns='%s'/></presence>"
              .formatted(nurse, ROOM, Occupying.MUC));
      gateway.receiveFirst(each -> each.child("subject") != null);
      gateway.send(
          "<message type='groupchat' from='%s/g' to='%s'><body>darn</body></message>"
              .formatted(nurse, ROOM));
      assertThat(body(heard(romeo))).isEqualTo("****");
      assertThat(hall.asked).containsExactly(nurse + "/g to " + ROOM + ": darn");
      assertThat(hall.events).contains("entered " + ROOM + "/nurse " + nurse + "/g");
    }
  }

  @Test
  void theRoomIsObservedFromItsBeginningToItsEnd() throws IOException {
    try (TestServer server = start();
        ScriptedClient romeo = server.connect(ROMEO);
        ScriptedClient juliet = server.connect(JULIET)) {
      open(romeo);
      say(romeo, "darn");
      heard(romeo);
      enter(juliet, "juliet");
      juliet.send("<presence to='" + ROOM + "/jule'/>");
      romeo.receiveFirst(each -> (ROOM + "/jule").equals(each.attribute("from")));
      enter(juliet, "jule"); // once more: it is there already
      romeo.send(
          ("<iq type='set' id='k' to='%s'><query xmlns='%s#admin'>"
                  + "<item nick='jule' role='none'/></query></iq>")
              .formatted(ROOM, Occupying.MUC));
      romeo.receiveFirst(each -> "k".equals(each.attribute("id")));
      enter(juliet, "juliet");
      juliet.send("<presence type='unavailable' to='" + ROOM + "/juliet'/>");
      juliet.receiveFirst(each -> "unavailable".equals(each.attribute("type")));
      romeo.send(
          "<iq type='set' id='d' to='%s'><query xmlns='%s#owner'><destroy/></query></iq>"
              .formatted(ROOM, Occupying.MUC));
      romeo.receiveFirst(each -> "d".equals(each.attribute("id")));
      assertThat(hall.events)
          .containsExactly(
              "created " + ROOM + " by romeo@example.org",
              "entered " + ROOM + "/romeo " + ROMEO,
              ROOM + "/romeo (" + ROMEO + "): ****",
              "entered " + ROOM + "/juliet " + JULIET,
              "left " + ROOM + "/jule " + JULIET,
              "entered " + ROOM + "/juliet " + JULIET,
              "left " + ROOM + "/juliet " + JULIET,
              "left " + ROOM + "/romeo " + ROMEO,
              "removed " + ROOM);
    }
  }

  /// Nobody has said anything in it.
  @Test
  void aRoomThatGoesWithItsLastOccupantIsObserved() throws IOException {
    try (TestServer server = start();
        ScriptedClient romeo = server.connect(ROMEO)) {
      open(romeo);
      romeo.drop();
      Eventually.await("the room is removed", () -> hall.events.contains("removed " + ROOM));
      assertThat(hall.events).contains("left " + ROOM + "/romeo " + ROMEO);
    }
  }

  /// Filters that may block are asked on threads that may; others on the thread that is there.
  @Test
  void filtersThatMayBlockComeAndGoWhileTheServerRuns() throws IOException {
    HallModule slow = new HallModule(true);
    try (TestServer server = ServerPlan.of(StandardModules::create).startOnSockets();
        ScriptedClient romeo = server.connect(ROMEO)) {
      open(romeo);
      say(romeo, "darn");
      assertThat(body(heard(romeo))).isEqualTo("darn");
      server.server().addModule("hall", host -> slow);
      for (int i = 0; i < 20; i++) {
        say(romeo, "" + i);
      }
      say(romeo, "darn");
      for (int i = 0; i < 20; i++) {
        assertThat(body(heard(romeo))).isEqualTo("" + i);
      }
      assertThat(body(heard(romeo))).isEqualTo("****");
      assertThat(slow.virtual).hasSize(21).containsOnly(true);
      server.server().removeModule("hall");
      say(romeo, "darn");
      assertThat(body(heard(romeo))).isEqualTo("darn");
    }
  }

  /// The filters are asked at the home of the room, wherever the occupants are.
  @Test
  void aRoomAtAnotherNodeIsFilteredAndObserved() throws Exception {
    try (TestCluster cluster = TestCluster.start(ServerPlan.of(this::modules), 3);
        ScriptedClient romeo = cluster.connect(ROMEO);
        ScriptedClient juliet = cluster.connect(JULIET)) {
      open(romeo);
      say(romeo, "fine");
      assertThat(body(heard(romeo))).isEqualTo("fine");
      enter(juliet, "juliet");
      for (int round = 0; round < 4; round++) {
        say(juliet, "darn");
        assertThat(body(heard(romeo))).isEqualTo("****");
        assertThat(body(heard(juliet))).isEqualTo("****");
        say(juliet, "reject");
        assertThat(heard(juliet).condition()).isEqualTo("not-acceptable");
        cluster.move(ROOM);
      }
      assertThat(hall.asked).hasSize(9);
      assertThat(hall.events).filteredOn(each -> each.startsWith("entered")).hasSize(2);
      assertThat(hall.events).filteredOn(each -> each.startsWith("left")).isEmpty();
    }
  }
}
