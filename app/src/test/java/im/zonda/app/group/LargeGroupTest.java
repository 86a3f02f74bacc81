package im.zonda.app.group;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.ServerConfig;
import im.zonda.config.group.GroupSettings;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A shared group of ten thousand people.
@Timeout(300)
class LargeGroupTest {
  private static final int PEOPLE = 10_000;
  private static final int ONLINE = 20;
  private static final String GROUPED = "a.example";
  private static final String ALONE = "b.example";

  private static TestServer start() throws IOException {
    List<String> members = IntStream.range(0, PEOPLE).mapToObj(i -> "u" + i).toList();
    GroupSettings crowd =
        new GroupSettings("Crowd", members, false, List.of(), false, List.of(), PEOPLE);
    ServerConfig.Host host =
        new ServerConfig.Host(
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            Map.of("crowd", crowd),
            null);
    TestServer server =
        ServerPlan.of(StandardModules::create)
            .withHosts(GROUPED, ALONE)
            .with("host", Map.of(GROUPED, host))
            .startInMemory();
    server.accounts(
        IntStream.range(0, ONLINE)
            .boxed()
            .flatMap(i -> List.of("u" + i + "@" + GROUPED, "u" + i + "@" + ALONE).stream())
            .toList());
    return server;
  }

  /// Logs in with a contact list that the client knows, and becomes available.
  private static ScriptedClient login(TestServer server, String account, String version) {
    ScriptedClient client = server.connect(account + "/phone");
    client.send(
        "<iq type='get' id='r'><query xmlns='jabber:iq:roster' ver='" + version + "'/></iq>");
    client.send("<presence/>");
    client.receiveFirst(each -> each.localName().equals("presence"));
    return client;
  }

  private static String version(TestServer server, String account) {
    try (ScriptedClient client = server.connect(account + "/first")) {
      client.send("<iq type='get' id='v'><query xmlns='jabber:iq:roster' ver=''/></iq>");
      XmlElement answer = client.receiveFirst(each -> "v".equals(each.attribute("id")));
      XmlElement query = Objects.requireNonNull(answer.child("jabber:iq:roster", "query"));
      if (account.endsWith(GROUPED)) {
        assertThat(query.toString().split("<item ", -1)).hasSize(PEOPLE);
      }
      return Objects.requireNonNull(query.attribute("ver"));
    }
  }

  @Test
  void row_aLoginLoadsNobodysHomeAndSendsPresenceToThoseWhoAreThere() throws IOException {
    try (TestServer server = start()) {
      String version = version(server, "u0@" + GROUPED);
      ScriptedClient other = login(server, "u1@" + GROUPED, "");
      ScriptedClient client = login(server, "u0@" + GROUPED, version);
      client.receiveFirst(each -> String.valueOf(each.attribute("from")).startsWith("u1@"));
      other.receiveFirst(each -> String.valueOf(each.attribute("from")).startsWith("u0@"));
      client.fence("end");
      assertThat(server.server().router().loadedAccounts()).isEqualTo(2);
    }
  }
}
