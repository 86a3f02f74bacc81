package im.zonda.app.load;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.bench.chat.ChatLoad;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The load driver counts every message that a whole server delivers.
@Timeout(60)
class ChatLoadTest {
  @ParameterizedTest
  @CsvSource({"tls, DIRECT_TLS", "starttls, STARTTLS"})
  void countsWhatIsDelivered(String word, Login.Security security) throws IOException {
    try (TestServer server = ServerPlan.of(StandardModules::create).startOnSockets()) {
      List<String> accounts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        accounts.add("a" + i + "@example.org");
        accounts.add("b" + i + "@example.org");
      }
      server.accounts(accounts);
      ChatLoad.Report report =
          ChatLoad.run(
              "--host",
              server.address(security).getHostString(),
              "--port",
              String.valueOf(server.address(security).getPort()),
              "--security",
              word,
              "--pairs",
              "4",
              "--rate",
              "200",
              "--seconds",
              "1",
              "--warmup",
              "0",
              "--pid",
              String.valueOf(ProcessHandle.current().pid()));
      assertThat(report.sent()).isBetween(199L, 201L);
      assertThat(report.delivered()).isEqualTo(report.sent());
      assertThat(report.latency().getMaxValue()).isPositive();
      assertThat(report.serverMicros()).isPositive();
    }
  }
}
