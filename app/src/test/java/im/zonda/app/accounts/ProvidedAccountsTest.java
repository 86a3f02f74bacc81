package im.zonda.app.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import im.zonda.app.StandardModules;
import im.zonda.config.accounts.Accounts;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.config.copy.RecordCopy;
import im.zonda.jid.Jid;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// People of a directory on a whole server, beside accounts of the server's own.
class ProvidedAccountsTest {
  private static final String BASE = "ou=people,dc=example,dc=org";

  private InMemoryDirectoryServer directory;
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    InMemoryDirectoryServerConfig plan = new InMemoryDirectoryServerConfig("dc=example,dc=org");
    plan.setSchema(null);
    plan.setListenerConfigs(
        InMemoryListenerConfig.createLDAPConfig(
            "plain", InetAddress.getLoopbackAddress(), 0, null));
    directory = new InMemoryDirectoryServer(plan);
    directory.add("dn: dc=example,dc=org", "objectClass: domain", "dc: example");
    directory.add("dn: " + BASE, "objectClass: organizationalUnit", "ou: people");
    person("juliet", "balcony");
    person("nurse", "angelica");
    directory.startListening();
    server =
        ServerPlan.of(StandardModules::create)
            .withConfig(config -> config.withAccounts(accounts()))
            .withProviders(new AccountSources(InstantSource.system()))
            .startOnSockets();
    server.accounts(List.of("romeo@example.org"));
  }

  @AfterEach
  void stop() {
    server.close();
    directory.close();
  }

  private void person(String name, String password) throws Exception {
    directory.add(
        "dn: uid=" + name + "," + BASE,
        "objectClass: inetOrgPerson",
        "uid: " + name,
        "cn: " + name,
        "sn: " + name,
        "userPassword: " + password);
  }

  private Accounts accounts() {
    LdapAccounts staff =
        RecordCopy.with(
            RecordCopy.with(
                RecordCopy.with(
                    LdapAccounts.NONE,
                    "servers",
                    List.of("ldap://127.0.0.1:" + directory.getListenPort())),
                "startTls",
                false),
            "base",
            BASE);
    Accounts accounts =
        RecordCopy.with(Accounts.DEFAULTS, "chain", List.of("staff", Accounts.INTERNAL));
    return RecordCopy.with(
        RecordCopy.with(accounts, "timeLimit", Duration.ofSeconds(1)),
        "ldap",
        Map.of("staff", staff));
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
    server.reload(config ->
        config.withAccounts(
            RecordCopy.with(
                RecordCopy.with(accounts(), "refresh", Duration.ofMillis(1)),
                "cache",
                Duration.ZERO)));
    try (ScriptedClient juliet = login("juliet", "balcony")) {
      directory.delete("uid=juliet," + BASE);
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
      directory.shutDown(true);
      try (ScriptedClient again = login("juliet", "balcony");
          ScriptedClient romeo = login("romeo", TestServer.PASSWORD)) {
        romeo.send("<message to='" + juliet.jid() + "' type='chat'><body>here</body></message>");
        assertThat(juliet.receiveFirst(each -> each.toString().contains("here"))).isNotNull();
        assertThat(again.jid()).startsWith("juliet@example.org/");
      }
    }
  }
}
