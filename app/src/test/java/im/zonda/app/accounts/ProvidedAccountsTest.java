package im.zonda.app.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// People of a directory on a whole server, beside accounts of the server's own.
class ProvidedAccountsTest {
  private StaffDirectory directory;
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before each test
  ProvidedAccountsTest() {}

  @BeforeEach
  void start() throws Exception {
    directory = new StaffDirectory();
    directory.add("juliet", "balcony");
    directory.add("nurse", "angelica");
    server = directory.plan(directory.accounts()).startOnSockets();
    server.accounts(List.of("romeo@example.org"));
  }

  @AfterEach
  void stop() {
    server.close();
    directory.close();
  }

  private ScriptedClient login(String account, String password) {
    return server.login(Login.of(account + "@example.org", password).withMechanism("PLAIN"));
  }

  @Test
  void peopleOfTheDirectoryTalkWithThoseOfTheServer() {
    try (ScriptedClient juliet = login("juliet", "balcony");
        ScriptedClient romeo = login("romeo", TestServer.PASSWORD)) {
      juliet.send(
          "<message to='"
              + romeo.jid()
              + "' type='chat'><body>Wherefore art thou?</body></message>");
      assertThat(romeo.receiveFirst(each -> each.toString().contains("Wherefore")).toString())
          .contains("Wherefore art thou?")
          .contains("from='juliet@example.org/");
    }
    assertThat(server.stores().accounts().find(Jid.of("juliet@example.org"))).isNotNull();
  }

  @Test
  void onlyMechanismsThatTheChainCanServeAreOffered() {
    try (ScriptedClient client = server.connected(Login.Security.DIRECT_TLS, "example.org")) {
      client.open("example.org");
      XmlElement features = client.features();
      assertThat(features.toString()).contains("PLAIN").doesNotContain("SCRAM");
    }
  }

  @Test
  void messagesWaitForThoseWhoHaveLoggedInOnce() throws Exception {
    login("nurse", "angelica").close();
    try (ScriptedClient romeo = login("romeo", TestServer.PASSWORD)) {
      romeo.send("<message to='nurse@example.org' type='chat'><body>Commend me</body></message>");
      romeo.fence("stored");
    }
    try (ScriptedClient nurse = login("nurse", "angelica")) {
      nurse.send("<presence/>");
      assertThat(nurse.receiveFirst(each -> each.toString().contains("Commend me"))).isNotNull();
    }
  }

  @Test
  void whoWasRemovedFromTheDirectoryIsSignedOut() throws Exception {
    assertThat(server.reload(config -> config.withAccounts(directory.impatient()))).isEmpty();
    try (ScriptedClient juliet = login("juliet", "balcony")) {
      directory.remove("juliet");
      assertThat(juliet.awaitStreamError()).isEqualTo("not-authorized");
    }
  }

  @Test
  void thePasswordIsChangedWhereTheAccountIsKept() {
    try (ScriptedClient juliet = login("juliet", "balcony")) {
      juliet.send(
          "<iq type='set' id='p' to='example.org'><query xmlns='jabber:iq:register'>"
              + "<username>juliet</username><password>orchard wall</password></query></iq>");
      assertThat(juliet.receiveFirst(each -> each.toString().contains("not-allowed")).toString())
          .contains("type='error'")
          .contains("not-allowed");
    }
  }

  @Test
  void whoIsOnlineNoticesNothingWhenTheDirectoryIsAway() throws Exception {
    try (ScriptedClient juliet = login("juliet", "balcony")) {
      directory.stop();
      try (ScriptedClient again = login("juliet", "balcony");
          ScriptedClient romeo = login("romeo", TestServer.PASSWORD)) {
        romeo.send("<message to='" + juliet.jid() + "' type='chat'><body>here</body></message>");
        assertThat(juliet.receiveFirst(each -> each.toString().contains("here"))).isNotNull();
        assertThat(again.jid()).startsWith("juliet@example.org/");
      }
    }
  }
}
