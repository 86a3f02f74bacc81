package im.zonda.app.login;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is offered where a browser's clients connect: they cannot bind the channel, and those that
/// try fail.
@Timeout(60)
class BrowserLoginTest {
  @ParameterizedTest
  @EnumSource(
      value = ServerPlan.Access.class,
      names = {"WEBSOCKET", "EDGE_WEBSOCKET", "BOSH"})
  void noChannelBindingIsOffered(ServerPlan.Access access) throws IOException {
    try (TestServer server =
        ServerPlan.of(StandardModules::create).withAccess(access).startOnSockets()) {
      server.accounts(List.of("juliet@example.org"));
      try (ScriptedClient client =
          server.connected(Login.Security.DIRECT_TLS, "example.org").open("example.org")) {
        assertThat(client.features().toString())
            .contains("SCRAM-SHA-256<")
            .doesNotContain("-PLUS<", "sasl-channel-binding", "HT-SHA-256-EXPR", "ENDP");
      }
      Login login = Login.of("juliet@example.org/balcony", TestServer.PASSWORD);
      server.login(login.withSecurity(Login.Security.DIRECT_TLS)).close();
    }
  }
}
