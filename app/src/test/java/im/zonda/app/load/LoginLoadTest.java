package im.zonda.app.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import im.zonda.app.StandardModules;
import im.zonda.bench.login.LoginLoad;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The load generator for logins does what it says.
@Timeout(60)
class LoginLoadTest {
  @ParameterizedTest
  @ValueSource(strings = {"old", "inline", "token"})
  void everyWayLogsIn(String way) throws IOException {
    try (TestServer server = ServerPlan.of(StandardModules::create).startOnSockets()) {
      server.accounts(List.of("a0@example.org", "a1@example.org"));
      String port = Integer.toString(server.address(Login.Security.DIRECT_TLS).getPort());

      LoginLoad.Report report =
          LoginLoad.run(way, "--port", port, "--pairs", "2", "--seconds", "1", "--warmup", "0");

      assertThat(report.logins()).isPositive();
      assertThat(report.latency().getTotalCount()).isEqualTo(report.logins());
      assertThat(report.serverMicros()).isNaN();
    }
  }

  @Test
  void anUnknownWay() {
    assertThatIllegalArgumentException().isThrownBy(() -> LoginLoad.run("by-magic"));
  }
}
