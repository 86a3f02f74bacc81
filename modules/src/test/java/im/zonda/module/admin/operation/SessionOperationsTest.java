package im.zonda.module.admin.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.admin.operation.SessionOperations.Chosen;
import im.zonda.module.admin.operation.SessionOperations.Ending;
import im.zonda.module.admin.operation.SessionOperations.Found;
import im.zonda.module.admin.operation.SessionOperations.Session;
import im.zonda.module.admin.operation.SessionOperations.Wanted;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.session.ClientConnection;
import im.zonda.session.UserAgent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SessionOperationsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");

  private final TestContext context = new TestContext();
  private final TestOperations operations = context.operations();
  private final Instant start = context.clock().instant();
  private final TestSession orchard;

  SessionOperationsTest() {
    DiscoModule disco = new DiscoModule();
    context.install(disco, new AdminModule(disco)).answerRequests();
    orchard = context.bind("romeo@example.org/orchard");
    orchard.set(ClientConnection.KEY, new ClientConnection("192.0.2.1", "TLS 1.3"));
    orchard.set(UserAgent.KEY, new UserAgent("u", "Conversations", "Pixel"));
    context.bind("romeo@example.org/tomb");
    context.bind("juliet@example.org/balcony");
    context.stores().administration().online.addAll(List.of(ROMEO, JULIET));
    context.clock().advance(Duration.ofMinutes(5));
    context.sends(
        orchard, TestXml.stanza("<message to='juliet@example.org'><body>Hi</body></message>"));
  }

  private Found list(@Nullable Jid account, @Nullable Instant idle, @Nullable Jid after, int most) {
    return operations.done(
        SessionOperations.LIST,
        new Wanted("example.org", account, null, null, null, idle, after, most));
  }

  private static List<String> resources(Found found) {
    return found.sessions().stream().map(Session::resource).toList();
  }

  @Test
  void sessionsAreListedInPagesOfAccounts() {
    Found first = list(null, null, null, 1);
    assertThat(resources(first)).containsExactly("balcony");
    assertThat(first.next()).isEqualTo(JULIET);
    Found second = list(null, null, JULIET, 1);
    assertThat(resources(second)).containsExactly("orchard", "tomb");
    assertThat(second.next()).isNull();
    assertThat(resources(list(ROMEO, null, null, 50))).containsExactly("orchard", "tomb");
  }

  @Test
  void aSessionSaysSinceWhenAndWhenItsClientWasActive() {
    assertThat(operations.done(SessionOperations.SHOW, new Chosen(ROMEO, "orchard")))
        .isEqualTo(
            new Session(
                ROMEO,
                "orchard",
                start,
                start.plus(Duration.ofMinutes(5)),
                "192.0.2.1",
                "TLS 1.3",
                "Conversations",
                "Pixel",
                false,
                null,
                null));
    assertThat(operations.refused(SessionOperations.SHOW, new Chosen(ROMEO, "nowhere")))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(resources(list(null, start.plusSeconds(1), null, 50)))
        .containsExactly("balcony", "tomb");
  }

  @Test
  void aSessionHasTheBeginningOfItsStatus() {
    orchard.presence(
        TestXml.presence(
            "<presence><status>%s</status><priority>5</priority></presence>"
                .formatted("\ud83c\udf39".repeat(201))));
    Session shown = operations.done(SessionOperations.SHOW, new Chosen(ROMEO, "orchard"));
    assertThat(shown.priority()).isEqualTo(5);
    assertThat(shown.status()).isEqualTo("\ud83c\udf39".repeat(200));
    orchard.presence(TestXml.presence("<presence><status/></presence>"));
    shown = operations.done(SessionOperations.SHOW, new Chosen(ROMEO, "orchard"));
    assertThat(shown.status()).isNull();
  }

  private List<String> found(
      @Nullable String resource, @Nullable String address, @Nullable String software) {
    return resources(
        operations.done(
            SessionOperations.LIST,
            new Wanted("example.org", null, resource, address, software, null, null, 50)));
  }

  @Test
  void sessionsAreFoundByTheirClients() {
    assertThat(found("tom", null, null)).containsExactly("tomb");
    assertThat(found(null, "192.0.2.1", null)).containsExactly("orchard");
    assertThat(found(null, "192.0.2", null)).isEmpty();
    assertThat(found(null, null, "Convers")).containsExactly("orchard");
    assertThat(
            operations.run(
                TestOperations.OWNER,
                SessionOperations.END_ALL,
                new Ending("example.org", null, null, "192.0.2.1", null, null, false)))
        .isInstanceOf(Outcome.Started.class);
    assertThat(found(null, null, null)).containsExactly("balcony", "tomb");
  }

  @Test
  void oneSessionIsEnded() {
    operations.done(SessionOperations.END, new Chosen(ROMEO, "tomb"));
    assertThat(resources(list(ROMEO, null, null, 50))).containsExactly("orchard");
    assertThat(operations.refused(SessionOperations.END, new Chosen(ROMEO, "tomb")))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(operations.changes()).containsExactly("session: romeo@example.org/tomb -> null");
  }

  private Outcome<SessionOperations.Ended> end(
      @Nullable Jid account, @Nullable Instant idle, boolean dryRun) {
    return operations.run(
        TestOperations.OWNER,
        SessionOperations.END_ALL,
        new Ending("example.org", account, null, null, null, idle, dryRun));
  }

  private static Outcome<SessionOperations.Ended> count(int sessions) {
    return Outcome.done(new SessionOperations.Ended(sessions));
  }

  @Test
  void theSessionsOfAnAccountAreEnded() {
    assertThat(end(ROMEO, null, true)).isEqualTo(count(2));
    assertThat(context.home(ROMEO).sessions()).hasSize(2);
    assertThat(end(ROMEO, null, false)).isEqualTo(count(2));
    assertThat(context.home(ROMEO).sessions()).isEmpty();
    assertThat(context.home(JULIET).sessions()).hasSize(1);
    assertThat(end(Jid.of("romeo@example.net"), null, false)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void thoseThatAFilterFindsAreEndedAsAJob() {
    assertThat(end(null, start.plusSeconds(1), true)).isEqualTo(count(2));
    assertThat(end(null, start.plusSeconds(1), false)).isInstanceOf(Outcome.Started.class);
    assertThat(operations.jobs()).containsExactly("2 of 2 sessions were ended.");
    assertThat(resources(list(null, null, null, 50))).containsExactly("orchard");
  }
}
