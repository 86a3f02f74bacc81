package im.zonda.app.modules;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.host.VirtualHost;
import im.zonda.module.XmppModule;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A module that is stopped while the server runs.
@Timeout(60)
class ModuleStopTest {
  private static final String QUERY = "<query xmlns='" + ProbeModule.NAMESPACE + "'/>";
  private static final int REQUESTS = 400;

  private final ProbeModule probe = new ProbeModule();

  private List<XmppModule> modules() {
    List<XmppModule> modules = new ArrayList<>(StandardModules.create());
    // First, so that the others' values in homes come after its own.
    modules.addFirst(probe);
    return modules;
  }

  private static VirtualHost host(TestServer server) {
    return server.server().hosts().getFirst();
  }

  private static XmlElement ask(ScriptedClient client, String id, String to, String payload) {
    client.send("<iq type='get' id='" + id + "'" + to + ">" + payload + "</iq>");
    return client.receiveFirst(each -> id.equals(each.attribute("id")));
  }

  @Test
  void whatItDeclaredIsWithdrawn() throws IOException {
    FakeClock clock = new FakeClock();
    try (TestServer server = ServerPlan.of(this::modules).withClock(clock).startInMemory();
        ScriptedClient romeo = server.connect("romeo@example.org/orchard")) {
      romeo.send("<presence/>");
      assertThat(ask(romeo, "q1", "", QUERY).attribute("type")).isEqualTo("result");
      assertThat(info(romeo, "i1")).contains(ProbeModule.NAMESPACE);
      assertThat(romeo.features().child(ProbeModule.NAMESPACE, "offered")).isNotNull();
      romeo.send("<message to='romeo@example.org' type='chat'><body>1</body></message>");
      romeo.fence("f1");
      server.advance(ProbeModule.PERIOD);
      int filtered = probe.filtered.get();
      int runs = probe.runs.get();
      assertThat(filtered).isPositive();
      assertThat(runs).isPositive();

      assertThat(host(server).stopModule("probe")).isTrue();

      assertThat(ask(romeo, "q2", "", QUERY).condition()).isEqualTo("service-unavailable");
      assertThat(info(romeo, "i2")).doesNotContain(ProbeModule.NAMESPACE);
      assertThat(ask(romeo, "r", "", "<query xmlns='jabber:iq:roster'/>").attribute("type"))
          .isEqualTo("result");
      romeo.send("<message to='romeo@example.org' type='chat'><body>2</body></message>");
      romeo.fence("f2");
      server.advance(ProbeModule.PERIOD);
      assertThat(probe.filtered).hasValue(filtered);
      assertThat(probe.runs).hasValue(runs);
      assertThat(probe.stops).hasValue(1);
      assertThat(host(server).stopModule("probe")).isFalse();
      try (ScriptedClient juliet = server.connect("juliet@example.org/balcony")) {
        assertThat(juliet.features().child(ProbeModule.NAMESPACE, "offered")).isNull();
        assertThat(ask(juliet, "p", " to='example.org'", "<ping xmlns='urn:xmpp:ping'/>"))
            .extracting(answer -> answer.attribute("type"))
            .isEqualTo("result");
      }
    }
    assertThat(probe.stops).as("stopped once, not again with the server").hasValue(1);
  }

  @Test
  void modulesStopWithTheServer() throws IOException {
    ServerPlan.of(this::modules).startInMemory().close();
    assertThat(probe.stops).hasValue(1);
  }

  @Test
  void aServiceIsWithdrawnWithItsModule() throws IOException {
    try (TestServer server = ServerPlan.of(this::modules).startInMemory();
        ScriptedClient romeo = server.connect("romeo@example.org/orchard")) {
      String disco = "<query xmlns='http://jabber.org/protocol/disco#info'/>";
      String rooms = " to='rooms.example.org'";
      assertThat(ask(romeo, "d1", rooms, disco).attribute("type")).isEqualTo("result");

      host(server).stopModule("muc");

      assertThat(ask(romeo, "d2", rooms, disco).condition()).isEqualTo("remote-server-not-found");
      String items = "<query xmlns='http://jabber.org/protocol/disco#items'/>";
      assertThat(ask(romeo, "d3", " to='example.org'", items).toString())
          .doesNotContain("rooms.example.org");
    }
  }

  @Test
  void requestsThatComeMeanwhileAreAllAnswered() throws IOException {
    try (TestServer server = ServerPlan.of(this::modules).startOnSockets();
        ScriptedClient romeo = server.connect("romeo@example.org/orchard")) {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < REQUESTS; i++) {
        requests.append("<iq type='get' id='").append(i).append("'>").append(QUERY).append("</iq>");
      }
      romeo.send(requests.toString());
      List<String> answers = new ArrayList<>();
      answers.add(romeo.receive().attribute("type"));
      host(server).stopModule("probe");
      romeo.send("<iq type='get' id='last'>" + QUERY + "</iq>");
      while (answers.size() < REQUESTS) {
        XmlElement answer = romeo.receive();
        answers.add("result".equals(answer.attribute("type")) ? "result" : answer.condition());
      }
      assertThat(answers).startsWith("result").isSubsetOf("result", "service-unavailable");
      assertThat(romeo.receive().condition()).isEqualTo("service-unavailable");
    }
  }

  private static String info(ScriptedClient client, String id) {
    return ask(
            client,
            id,
            " to='example.org'",
            "<query xmlns='http://jabber.org/protocol/disco#info'/>")
        .toString();
  }
}
