package im.zonda.console.login;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Grant;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AdminSessionsTest {
  private static final Identity OWNER = new Identity.ByLink("root", Grant.ALL);

  private Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private final AdminSessions sessions = new AdminSessions(() -> now, new SecureRandom());

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
    String second = "";
    for (int i = 1; i < AdminSessions.MOST; i++) {
      advance(Duration.ofSeconds(1));
      second = sessions.open(OWNER, "127.0.0.1");
    }
    assertThat(sessions.use(first)).isNotNull();
    advance(Duration.ofSeconds(1));
    String last = sessions.open(OWNER, "127.0.0.1");
    assertThat(sessions.all()).hasSize(AdminSessions.MOST);
    assertThat(sessions.find(first)).isNotNull();
    assertThat(sessions.find(second)).isNotNull();
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
}
