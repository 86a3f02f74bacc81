package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.BoshNetwork;
import im.zonda.testkit.client.BoshWire;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.LossyBosh;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of BOSH behind a network that loses, delays and repeats requests and responses: nothing
/// is lost, doubled or in another order.
class BoshLossTest {
  private static final int MESSAGES = 40;

  @Timeout(120)
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nothingIsLostOrDoubledOrReordered(long seed) throws Exception {
    try (TestServer server =
        ServerPlan.of(StandardModules::create)
            .withAccess(ServerPlan.Access.BOSH)
            .startOnSockets()) {
      server.accounts(List.of("romeo@example.org", "juliet@example.org"));
      LossyBosh network =
          new LossyBosh(
              BoshNetwork.https(server.address(Login.Security.DIRECT_TLS), "example.org"), seed);
      try (ScriptedClient romeo = client(network, "romeo@example.org/a");
          ScriptedClient juliet = client(network, "juliet@example.org/b")) {
        for (int i = 0; i < MESSAGES; i++) {
          romeo.send(message("juliet@example.org/b", i));
          juliet.send(message("romeo@example.org/a", i));
        }
        assertThat(received(juliet)).isEqualTo(numbers());
        assertThat(received(romeo)).isEqualTo(numbers());
        romeo.fence("f1");
        juliet.fence("f2");
        assertThat(romeo.unread() + juliet.unread()).isZero();
      }
      assertThat(network.losses()).isGreaterThan(5);
      assertThat(network.repetitions()).isGreaterThan(2);
    }
  }

  private static ScriptedClient client(LossyBosh network, String address) {
    Login login = Login.of(address, TestServer.PASSWORD).withSecurity(Login.Security.DIRECT_TLS);
    return new ScriptedClient(BoshWire.over(network)).login(login);
  }

  private static String message(String to, int number) {
    return "<message to='%s' id='m%d' type='chat'><body>%d</body></message>"
        .formatted(to, number, number);
  }

  private static List<String> received(ScriptedClient client) {
    List<String> ids = new ArrayList<>();
    while (ids.size() < MESSAGES) {
      ids.add(
          String.valueOf(
              client.receiveFirst(each -> each.localName().equals("message")).attribute("id")));
    }
    return ids;
  }

  private static List<String> numbers() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      all.add("m" + i);
    }
    return all;
  }
}
