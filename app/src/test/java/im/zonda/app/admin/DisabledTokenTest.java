package im.zonda.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.Administration;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client with a token (XEP-0484) cannot log in to a disabled account either.
@Timeout(60)
class DisabledTokenTest {
  private static final String MECHANISM = "HT-SHA-256-EXPR";
  private static final String AGENT = "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'/>";
  private static final Login JULIET =
      Login.of("juliet@example.org", TestServer.PASSWORD).withSecurity(Login.Security.DIRECT_TLS);

  private static ScriptedClient connected(TestServer server) {
    return server.connected(Login.Security.DIRECT_TLS, "example.org");
  }

  private static XmlElement comeBack(TestServer server, String token) {
    try (ScriptedClient client = connected(server)) {
      return client.comeBack(JULIET, MECHANISM, token, AGENT);
    }
  }

  @Test
  void aTokenOfADisabledAccountIsRejectedUntilItIsEnabled() throws IOException {
    try (TestServer server =
        ServerPlan.of(StandardModules::create)
            .with(
                "services.administration",
                Administration.DEFAULTS.withAdmins(List.of("bard@example.org")))
            .startOnSockets()) {
      server.accounts(List.of("juliet@example.org", "bard@example.org"));
      String token;
      try (ScriptedClient client = connected(server).open("example.org")) {
        XmlElement success =
            client.authenticate2(
                JULIET,
                AGENT + "<request-token xmlns='urn:xmpp:fast:0' mechanism='" + MECHANISM + "'/>");
        XmlElement given = Objects.requireNonNull(success.child("urn:xmpp:fast:0", "token"));
        token = Objects.requireNonNull(given.attribute("token"));
      }
      AdminSteps admin = new AdminSteps(server.connect("bard@example.org/globe"), "example.org");
      admin.run("disable-user", AdminSteps.field("accountjids", "juliet@example.org"));
      XmlElement failure = comeBack(server, token);
      assertThat(failure.child(ScriptedClient.SASL, "account-disabled"))
          .as(failure.toString())
          .isNotNull();
      admin.run("reenable-user", AdminSteps.field("accountjids", "juliet@example.org"));
      assertThat(comeBack(server, token).localName()).isEqualTo("success");
    }
  }
}
