package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Sessions without a connection that are filled with what nobody acknowledges (XEP-0198): the
/// account that has many of them pays, and nobody else.
class DetachedSessionsTest {
  private static final String SM = "urn:xmpp:sm:3";
  private static final long TOTAL = 2_000_000;

  private static ScriptedClient managed(TestServer server, String address) {
    ScriptedClient client = server.connect(address);
    client.send("<enable xmlns='" + SM + "' resume='true'/>");
    client.receiveFirst(e -> e.is(SM, "enabled"));
    client.send("<presence/>");
    client.receiveFirst(e -> e.localName().equals("presence"));
    return client;
  }

  private static void fill(ScriptedClient sender, String address, int messages) {
    String body = "x".repeat(20_000);
    for (int i = 0; i < messages; i++) {
      sender.send(
          "<message type='headline' to='" + address + "'><body>" + body + "</body></message>");
    }
  }

  @Test
  void row48_manySessionsWithoutAConnection() throws IOException {
    try (TestServer server =
        ServerPlan.of(StandardModules::create)
            .with("limits.allUnacknowledgedBytes", TOTAL)
            .startInMemory()) {
      ScriptedClient juliet = managed(server, "juliet@example.org/balcony");
      ScriptedClient attacker = server.connect("hog0@example.org/attacker");
      int bodies = 0;
      for (int i = 0; i < 60; i++) {
        String address = "hog" + i % 5 + "@example.org/r" + i;
        managed(server, address).drop();
        fill(attacker, address, 10);
        attacker.fence("filled" + i);
        assertThat(server.server().router().sessions().unacknowledgedBytes())
            .as("unacknowledged")
            .isLessThan(TOTAL + TOTAL / 8);
        // She chats and logs in all the time, and reads without acknowledging.
        attacker.send(
            "<message type='chat' to='juliet@example.org'><body>chat " + i + "</body></message>");
        XmlElement message = juliet.receiveFirst(e -> e.localName().equals("message"));
        assertThat(message.childText("body")).isEqualTo("chat " + i);
        bodies++;
        ScriptedClient login = managed(server, "juliet@example.org/login");
        login.disconnect();
      }
      assertThat(bodies).isEqualTo(60);
      juliet.fence("still there");
    }
  }

  @Test
  void row48_oneAccountKeepsFewOfThem() throws IOException {
    try (TestServer server =
        ServerPlan.of(StandardModules::create)
            .with("limits.detachedSessionsPerAccount", 3)
            .startInMemory()) {
      List<String> addresses = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        addresses.add("hog@example.org/r" + i);
        managed(server, addresses.getLast()).drop();
      }
      ScriptedClient asking = server.connect("hog@example.org/asking");
      asking.send("<presence/>");
      asking.fence("presence");
      List<String> there = new ArrayList<>();
      while (asking.unread() > 0) {
        XmlElement element = asking.receive();
        String from = element.attribute("from");
        if (element.localName().equals("presence")
            && addresses.contains(from)
            && element.attribute("type") == null) {
          there.add(from);
        }
      }
      assertThat(there).containsExactlyInAnyOrderElementsOf(addresses.subList(3, 6));
    }
  }
}
