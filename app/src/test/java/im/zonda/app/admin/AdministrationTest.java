package im.zonda.app.admin;

import static im.zonda.app.admin.AdminSteps.field;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.Administration;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands of administrators (XEP-0133) whose effects are outside of the conversation.
@Timeout(60)
class AdministrationTest {
  private static final String ADMIN = "bard@example.org/globe";
  private static final String USER = "juliet@example.org";

  @TempDir private Path data;
  private TestServer server;
  private ScriptedClient bard;
  private AdminSteps admin;

  @SuppressWarnings("NullAway.Init") // set before each test
  AdministrationTest() {}

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .with(
                "services.administration",
                Administration.DEFAULTS.withAdmins(List.of("bard@example.org")))
            .withData(data)
            .startInMemory();
    bard = server.connect(ADMIN);
    admin = new AdminSteps(bard, "example.org");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// The final element of an authentication.
  private XmlElement login(String mechanism) {
    return login(Login.of(USER + "/balcony", TestServer.PASSWORD).withMechanism(mechanism));
  }

  private XmlElement login(Login login) {
    return server.open(USER + "/balcony").authenticate(login);
  }

  @Test
  void aDisabledAccountCannotLogInAndItsSessionsEnd() throws IOException {
    ScriptedClient juliet = server.connect(USER + "/balcony");
    admin.run("disable-user", field("accountjids", USER));
    assertThat(juliet.awaitStreamError()).isEqualTo("not-authorized");
    for (String mechanism : List.of("SCRAM-SHA-1", "SCRAM-SHA-256", "PLAIN")) {
      XmlElement answer = login(mechanism);
      assertThat(answer.localName()).as(mechanism).isEqualTo("failure");
      assertThat(answer.child("account-disabled")).as(answer.toString()).isNotNull();
    }
    assertThat(admin.number("get-disabled-users-num")).isEqualTo("1");
    server.close();
    server = server.restart();
    assertThat(login("SCRAM-SHA-256").child("account-disabled")).isNotNull();
    bard = server.connect(ADMIN);
    admin = new AdminSteps(bard, "example.org");
    admin.run("reenable-user", field("accountjids", USER));
    assertThat(login("SCRAM-SHA-256").localName()).isEqualTo("success");
    assertThat(admin.number("get-disabled-users-num")).isEqualTo("0");
  }

  @Test
  void aWrongPasswordDoesNotTellThatTheAccountIsDisabled() {
    server.connect(USER + "/balcony").disconnect();
    admin.run("disable-user", field("accountjids", USER));
    XmlElement answer = login(Login.of(USER + "/balcony", "wrong"));
    assertThat(answer.child("not-authorized")).as(answer.toString()).isNotNull();
  }

  @Test
  void aSessionEndsAndTheUserComesBack() {
    ScriptedClient juliet = server.connect(USER + "/balcony");
    ScriptedClient other = server.connect(USER + "/chamber");
    admin.run("end-user-session", field("accountjids", USER + "/balcony"));
    assertThat(juliet.awaitStreamError()).isEqualTo("policy-violation");
    other.fence("still-there");
    admin.run("end-user-session", field("accountjids", USER));
    assertThat(other.awaitStreamError()).isEqualTo("policy-violation");
    server.connect(USER + "/balcony").fence("back");
  }

  @Test
  void aDeletedAccountIsGone() {
    ScriptedClient juliet = server.connect(USER + "/balcony");
    admin.run("delete-user", field("accountjids", USER));
    juliet.awaitStreamError();
    assertThat(login("SCRAM-SHA-256").child("not-authorized")).isNotNull();
    XmlElement again = admin.submit("delete-user", field("accountjids", USER));
    assertThat(again.toString()).contains("<note type='error'>No such account: " + USER);
  }

  @Test
  void aChangedPasswordCounts() {
    server.connect(USER + "/balcony").disconnect();
    admin.run("change-user-password", field("accountjid", USER) + field("password", "n3w"));
    assertThat(login("SCRAM-SHA-256").child("not-authorized")).isNotNull();
    assertThat(login(Login.of(USER + "/balcony", "n3w")).localName()).isEqualTo("success");
  }

  @Test
  void whoRegistersAfterwardsIsWelcomedOnce() {
    server.connect("old@example.org/x").disconnect();
    server.advance(Duration.ofSeconds(1));
    admin.run("set-welcome", field("welcome", "Welcome!"));
    admin.run("add-user", field("accountjid", USER) + field("password", TestServer.PASSWORD));
    ScriptedClient juliet = server.connect(USER + "/balcony");
    juliet.send("<presence/>");
    XmlElement message = juliet.receiveFirst(each -> each.localName().equals("message"));
    assertThat(message.childText("body")).isEqualTo("Welcome!");
    ScriptedClient later = server.connect(USER + "/chamber");
    ScriptedClient old = server.connect("old@example.org/x");
    for (ScriptedClient client : List.of(later, old)) {
      client.send("<presence/>");
      client.fence("a");
      client.fence("b");
      while (client.unread() > 0) {
        assertThat(client.receive().localName()).isNotEqualTo("message");
      }
    }
  }

  @Test
  void aServerThatNobodyCanStopDoesNotOfferIt() {
    assertThat(admin.request("restart", null, "", "").condition()).isEqualTo("forbidden");
  }

  // ---- attacks

  @Test
  void aSessionOfAnotherAdministratorIsNoSession() {
    ScriptedClient juliet = server.connect(USER + "/balcony");
    admin.run("edit-admin", field("adminjids", "bard@example.org", USER));
    String session = admin.begin("delete-user");
    AdminSteps other = new AdminSteps(juliet, "example.org");
    XmlElement answer =
        other.request(
            "delete-user", session, "", AdminSteps.form(field("accountjids", "old@example.org")));
    assertThat(answer.condition()).isEqualTo("bad-request");
    assertThat(answer.toString()).contains("bad-sessionid");
  }

  @Test
  void sessionsOfOneAdministratorAreBounded() {
    String first = admin.begin("delete-user");
    int most = Administration.DEFAULTS.sessions();
    for (int i = 0; i < most; i++) {
      admin.begin("delete-user");
    }
    assertThat(admin.request("delete-user", first, "action='cancel'", "").toString())
        .contains("session-expired");
  }

  @Test
  void aHugeFormIsRejected() {
    String session = admin.begin("announce");
    String huge = AdminSteps.form(field("announcement", "x".repeat(70_000)));
    assertThat(admin.request("announce", session, "", huge).toString()).contains("bad-payload");
    StringBuilder accounts = new StringBuilder();
    String[] many = new String[101];
    for (int i = 0; i < many.length; i++) {
      many[i] = "u" + i + "@example.org";
    }
    accounts.append(field("accountjids", many));
    assertThat(admin.submit("end-user-session", accounts.toString()).toString())
        .contains("Enter at most 100 accounts at a time.");
  }

  @Test
  void clientsCannotSendTheRequestsOfTheServer() {
    ScriptedClient juliet = server.connect(USER + "/balcony");
    ScriptedClient iago = server.connect("iago@example.org/x");
    iago.send(
        "<iq type='set' id='t' to='"
            + USER
            + "'><task xmlns='urn:zonda:administration:0'"
            + " do='DISABLE'/></iq>");
    assertThat(iago.receive().condition()).isEqualTo("service-unavailable");
    juliet.fence("alive");
  }

  @Test
  void aSessionEndsWithItsTime() {
    String session = admin.begin("delete-user");
    server.advance(Administration.DEFAULTS.sessionTime().plus(Duration.ofSeconds(1)));
    assertThat(admin.request("delete-user", session, "action='cancel'", "").toString())
        .contains("session-expired");
  }
}
