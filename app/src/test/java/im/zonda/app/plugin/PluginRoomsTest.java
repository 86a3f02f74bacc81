package im.zonda.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.operation.Caller;
import im.zonda.operation.Outcome;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A plugin filters what is said in rooms, and learns what happens there.
@Timeout(120)
class PluginRoomsTest {
  private static final String ROOM = "hall@rooms.example.org";
  private static final String ROMEO = "romeo@example.org/orchard";

  private TestServer server;
  private PluginStart plugins;

  @BeforeEach
  void start(@TempDir Path data) throws IOException {
    server = ServerPlan.of(StandardModules::create).withData(data).startOnSockets();
    plugins = PluginStart.over(server.server(), server.stores(), server.runtime(), server.config());
    String jar =
        SampleJar.of(Samples.Rooms.class, "messages", "events", "send")
            .with(Samples.Filter.class)
            .base64();
    assertThat(
            server
                .operations()
                .run(
                    Caller.owner("root"),
                    PluginOperations.ADD,
                    new PluginOperations.New(jar, null)))
        .isInstanceOf(Outcome.Done.class);
  }

  @AfterEach
  void stop() {
    plugins.close();
    server.close();
  }

  private static void say(ScriptedClient from, String text) {
    from.send(
        "<message type='groupchat' id='%s' to='%s'><body>%s</body></message>"
            .formatted(text, ROOM, text));
  }

  private static XmlElement heard(ScriptedClient client) {
    return client.receiveFirst(
        each -> each.child("body") != null || "error".equals(each.attribute("type")));
  }

  private static List<String> told(ScriptedClient watch, int events) {
    List<String> told = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      told.add(String.valueOf(heard(watch).childText("body")));
    }
    return told;
  }

  @Test
  void theyAreFilteredAndObserved() {
    try (ScriptedClient watch = server.connect("watch@example.org/w")) {
      watch.send("<presence/>");
      try (ScriptedClient romeo = server.connect(ROMEO)) {
        romeo.send("<presence/>");
        romeo.send(
            "<presence to='%s/romeo'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                .formatted(ROOM));
        say(romeo, "darn");
        say(romeo, "drop");
        say(romeo, "reject");
        say(romeo, "fail");
        assertThat(heard(romeo).childText("body")).isEqualTo("****");
        XmlElement refused = heard(romeo);
        assertThat(refused.attribute("id")).isEqualTo("reject");
        assertThat(refused.condition()).isEqualTo("not-acceptable");
        assertThat(heard(romeo).childText("body")).isEqualTo("fail");
        assertThat(told(watch, 5))
            .containsExactly(
                "AVAILABLE " + ROMEO,
                "created " + ROOM + " romeo@example.org",
                "entered " + ROOM + "/romeo " + ROMEO,
                ROOM + "/romeo " + ROMEO + " ****",
                ROOM + "/romeo " + ROMEO + " fail");
        // Not before: events of an account and of a room have no order.
        romeo.drop();
        assertThat(told(watch, 2))
            .containsExactlyInAnyOrder("UNAVAILABLE " + ROMEO, "left " + ROOM + "/romeo " + ROMEO);
      }
    }
  }
}
