package im.zonda.console.login;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.console.testing.MapValues;
import im.zonda.jid.Jid;
import im.zonda.operation.Grant;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdminSessionsTest {
  private static final Identity OWNER = new Identity.ByLink("root", Grant.ALL);

  private Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private final MapValues values = new MapValues();
  private final AdminSessions sessions = sessions();

  /// Another node, or the same after a restart.
  private AdminSessions sessions() {
    return new AdminSessions(values, () -> now, new SecureRandom());
  }

  private void advance(Duration time) {
    now = now.plus(time);
  }

  @Test
  void aSessionThatIsNotUsedEnds() {
    String token = sessions.open(OWNER, "127.0.0.1");
    advance(AdminSessions.IDLE.minusSeconds(1));
    assertThat(sessions.use(token)).isNotNull();
    advance(AdminSessions.IDLE.minusSeconds(1));
    assertThat(sessions.find(token)).isNotNull();
    advance(Duration.ofSeconds(1));
    assertThat(sessions.find(token)).isNull(); // looking does not use it
    assertThat(sessions.all()).isEmpty();
  }

  @Test
  void noSessionIsLongerThanTheLongest() {
    String token = sessions.open(OWNER, "127.0.0.1");
    Instant end = now.plus(AdminSessions.LONGEST);
    while (now.plus(Duration.ofMinutes(20)).isBefore(end)) {
      advance(Duration.ofMinutes(20));
      assertThat(sessions.use(token)).isNotNull();
    }
    now = end;
    assertThat(sessions.use(token)).isNull();
  }

  @Test
  void theLeastUsedMakesRoom() {
    String first = sessions.open(OWNER, "127.0.0.1");
    advance(Duration.ofSeconds(5));
    final String second = sessions.open(OWNER, "127.0.0.1");
    for (int i = 2; i < AdminSessions.MOST; i++) {
      advance(Duration.ofSeconds(5));
      assertThat(sessions.open(OWNER, "127.0.0.1")).isNotEmpty();
    }
    advance(AdminSessions.PRECISION);
    assertThat(sessions.use(first)).isNotNull();
    advance(Duration.ofSeconds(1));
    String last = sessions.open(OWNER, "127.0.0.1");
    assertThat(sessions.all()).hasSize(AdminSessions.MOST);
    assertThat(sessions.find(first)).isNotNull();
    assertThat(sessions.find(second)).isNull(); // the least used
    assertThat(sessions.find(last)).isNotNull();
  }

  @Test
  void tokensAreNotGuessed() {
    String token = sessions.open(OWNER, "127.0.0.1");
    assertThat(token).hasSize(43);
    assertThat(sessions.find(token.substring(1))).isNull();
    assertThat(sessions.find("")).isNull();
    assertThat(sessions.find("x".repeat(1_000))).isNull();
    assertThat(sessions.find(null)).isNull();
    assertThat(sessions.all().getFirst().toString()).doesNotContain(token);
  }

  /// A restart, and another node.
  @Test
  void sessionsAreInTheStore() {
    Identity reader =
        new Identity.ByLink(
            "reader",
            new Grant(Role.HOST_ADMIN, Set.of("a.example", "b.example"), Set.of(Right.ROOMS)));
    Identity admin = new Identity.ByPassword(Jid.of("alice@a.example"), "0/mark");
    Identity bearer = new Identity.ByPasskey(Jid.of("alice@a.example"), "0/mark");
    Identity none = new Identity.ByLink("none", new Grant(Role.READ_ONLY, null, Set.of()));
    AdminSessions other = sessions();
    for (Identity each : List.of(OWNER, reader, admin, bearer, none)) {
      String token = sessions.open(each, "127.0.0.1");
      AdminSessions.Shown found = Objects.requireNonNull(other.use(token));
      assertThat(found.identity()).isEqualTo(each);
      assertThat(found.address()).isEqualTo("127.0.0.1");
      assertThat(found.began()).isEqualTo(now);
      assertThat(values.text()).doesNotContain(token);
      assertThat(other.end(found.id())).isTrue();
      assertThat(sessions.use(token)).isNull();
    }
    assertThat(values.text()).isEmpty();
  }

  /// The console is needed most then. The store has the session as soon as there is room.
  @Test
  void aFullDiskKeepsNobodyOut() {
    values.fill(true);
    String token = sessions.open(OWNER, "127.0.0.1");
    assertThat(sessions.use(token)).isNotNull();
    assertThat(sessions.all()).hasSize(1);
    assertThat(sessions.find(token)).isNotNull();
    advance(AdminSessions.PRECISION);
    assertThat(sessions.use(token)).isNotNull();
    assertThat(sessions().find(token)).isNull();
    values.fill(false);
    advance(AdminSessions.PRECISION);
    assertThat(sessions.use(token)).isNotNull();
    assertThat(sessions().find(token)).isNotNull();
    assertThat(sessions.end(sessions.all().getFirst().id())).isTrue();
    assertThat(sessions.find(token)).isNull();
  }

  /// One that is used at another node is used.
  @Test
  void nodesSeeEachOthersUses() {
    AdminSessions other = sessions();
    String token = sessions.open(OWNER, "127.0.0.1");
    assertThat(other.use(token)).isNotNull();
    for (int i = 0; i < 4; i++) {
      advance(Duration.ofMinutes(10));
      assertThat(other.use(token)).isNotNull();
    }
    assertThat(sessions.find(token)).isNotNull();
    advance(AdminSessions.IDLE);
    assertThat(sessions.all()).isEmpty();
    assertThat(values.text()).isEmpty();
  }

  /// The console is needed when the store is gone.
  @Test
  void aNodeGoesOnWithoutTheStore() {
    String token = sessions.open(OWNER, "127.0.0.1");
    values.fail(true);
    assertThat(sessions.use(token)).isNotNull();
    String another = sessions.open(OWNER, "127.0.0.1");
    assertThat(sessions.use(another)).isNotNull();
    assertThat(sessions.all()).hasSize(2);
    assertThat(sessions().use(token)).isNull();
    advance(AdminSessions.IDLE);
    assertThat(sessions.use(token)).isNull();
  }

  @Test
  void theOtherSessionsOfSomeoneEnd() {
    Identity alice = new Identity.ByPassword(Jid.of("alice@a.example"), "0/mark");
    String kept = sessions.open(alice, "127.0.0.1");
    String ended = sessions.open(alice, "127.0.0.1");
    String owner = sessions.open(OWNER, "127.0.0.1");
    sessions.endOthers(alice.name(), Objects.requireNonNull(sessions.find(kept)).id());
    assertThat(sessions.find(kept)).isNotNull();
    assertThat(sessions.find(ended)).isNull();
    assertThat(sessions.find(owner)).isNotNull();
  }
}
