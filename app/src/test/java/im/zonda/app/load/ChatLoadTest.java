package im.zonda.app.load;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.load.chat.ChatLoad;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
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

  @ParameterizedTest
  @CsvSource({"websocket, WEBSOCKET", "bosh, BOSH"})
  void countsWhatIsDeliveredByHttp(String transport, ServerPlan.Access access) throws IOException {
    try (TestServer server =
        ServerPlan.of(StandardModules::create).withAccess(access).startOnSockets()) {
      server.accounts(
          List.of("a0@example.org", "b0@example.org", "a1@example.org", "b1@example.org"));
      ChatLoad.Report report =
          ChatLoad.run(
              "--transport",
              transport,
              "--port",
              String.valueOf(server.address(Login.Security.DIRECT_TLS).getPort()),
              "--pairs",
              "2",
              "--rate",
              "100",
              "--seconds",
              "1",
              "--warmup",
              "0");
      assertThat(report.sent()).isBetween(99L, 101L);
      assertThat(report.delivered()).isEqualTo(report.sent());
    }
  }

  @Test
  void countsWhatAComponentSendsBack() throws IOException {
    try (TestServer server =
        ServerPlan.of(StandardModules::create)
            .with("component.secret", Map.of("echo.example.org", "secret of echo"))
            .startOnSockets()) {
      server.accounts(List.of("a0@example.org", "a1@example.org"));
      ChatLoad.Report report =
          ChatLoad.run(
              "--port",
              String.valueOf(server.address(Login.Security.NONE).getPort()),
              "--security",
              "starttls",
              "--pairs",
              "2",
              "--rate",
              "200",
              "--seconds",
              "1",
              "--warmup",
              "0",
              "--component",
              "echo.example.org",
              "--component-port",
              String.valueOf(componentPort(server)),
              "--component-secret",
              "secret of echo");
      assertThat(report.delivered()).isEqualTo(report.sent());
      assertThat(report.sent()).isBetween(199L, 201L);
    }
  }

  private static int componentPort(TestServer server) {
    try (ScriptedClient unused = server.connectedComponent()) {
      return ((SocketWire) unused.wire()).socket().getPort();
    }
  }
}
