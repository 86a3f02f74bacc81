package im.zonda.web.login;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginSessionsTest {
  private static final Jid HOST = Jid.of("example.org");
  private static final Jid ALICE = Jid.of("alice@example.org");
  private static final Jid BOB = Jid.of("bob@example.org");

  private final MemoryValues values = new MemoryValues();
  private final KnownPasswords passwords = new KnownPasswords();
  private final AtomicLong ids = new AtomicLong();
  private Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private final LoginSessions sessions =
      new LoginSessions(values, passwords, () -> now, () -> "id" + ids.incrementAndGet());

  LoginSessionsTest() {
    passwords.passwords.put(ALICE, "secret");
    passwords.passwords.put(BOB, "secret");
  }

  private LoginSession open(Jid account) {
    return sessions.open(account, String.valueOf(passwords.mark(account)));
  }

  private boolean isOpen(LoginSession session) {
    return find(session.token()) != null;
  }

  private @Nullable LoginSession find(String token) {
    return sessions.find(HOST, token);
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  @Test
  void aSessionIsFoundByItsToken() {
    LoginSession session = open(ALICE);
    assertThat(find(session.token())).isEqualTo(session);
    assertThat(session.account()).isEqualTo(ALICE);
    assertThat(open(ALICE).token()).isNotEqualTo(session.token());
    assertThat(sessions.find(HOST, null)).isNull();
    assertThat(sessions.find(Jid.of("example.net"), session.token())).isNull();
  }

  @Test
  void theStoreDoesNotHaveTheToken() {
    String token = open(ALICE).token();
    values
        .all(ALICE)
        .forEach((key, value) -> {
          assertThat(key).doesNotContain(token, token.substring(0, 40));
          assertThat(new String(value, StandardCharsets.ISO_8859_1))
              .doesNotContain(token, "secret");
        });
  }

  /// A token that someone else has chosen, changed or made up opens nothing.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "YWxpY2U",
        "%",
        "\u0000",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAYWxpY2U"
      })
  void row93_madeUpTokensAreNoSessions(String token) {
    LoginSession session = open(ALICE);
    assertThat(find(token)).isNull();
    assertThat(find(session.token() + token + "=")).isNull();
    String bobs = session.token().substring(0, 43) + "Ym9i"; // the account is that of the row
    assertThat(find(bobs)).isNull();
    assertThat(isOpen(session)).isTrue();
  }

  @Test
  void aSessionThatIsNotUsedEnds() {
    LoginSession session = open(ALICE);
    pass(Duration.ofMinutes(29));
    assertThat(isOpen(session)).isTrue();
    pass(Duration.ofMinutes(29));
    assertThat(isOpen(session)).isTrue();
    pass(Duration.ofMinutes(30));
    assertThat(isOpen(session)).isFalse();
    assertThat(values.all(ALICE)).isEmpty();
  }

  @Test
  void noSessionIsLongerThanTwelveHours() {
    LoginSession session = open(ALICE);
    for (int minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      pass(Duration.ofMinutes(20));
      assertThat(isOpen(session)).isTrue();
    }
    pass(Duration.ofMinutes(20));
    assertThat(isOpen(session)).isFalse();
  }

  @Test
  void aSessionThatIsUsedOftenIsSeldomWritten() {
    LoginSession session = open(ALICE);
    int before = values.writes;
    for (int i = 0; i < 100; i++) {
      pass(Duration.ofSeconds(1));
      assertThat(isOpen(session)).isTrue();
    }
    assertThat(values.writes - before).isEqualTo(1);
  }

  /// What another node writes about a session that was signed out does not bring it back.
  @Test
  void row93_aSessionThatHasEndedDoesNotComeBack() {
    LoginSession session = open(ALICE);
    pass(Duration.ofMinutes(5));
    assertThat(isOpen(session)).isTrue();
    String used =
        values.all(ALICE).keySet().stream()
            .filter(key -> key.endsWith(":used"))
            .findFirst()
            .orElseThrow();
    byte[] late = Objects.requireNonNull(values.get(ALICE, used));
    sessions.close(session);
    values.put(ALICE, used, late);
    assertThat(isOpen(session)).isFalse();
    open(ALICE);
    assertThat(values.all(ALICE)).hasSize(1).doesNotContainKey(used);
  }

  @Test
  void thePasswordEndsAllSessionsOfItsAccountOnly() {
    LoginSession session = open(ALICE);
    LoginSession other = open(ALICE);
    LoginSession bobs = open(BOB);
    passwords.passwords.put(ALICE, "changed");
    assertThat(isOpen(session)).isFalse();
    assertThat(isOpen(other)).isFalse();
    assertThat(isOpen(bobs)).isTrue();
    passwords.passwords.put(ALICE, "secret"); // back again: they have ended permanently
    assertThat(isOpen(session)).isFalse();

    passwords.disabled.add(BOB);
    assertThat(isOpen(bobs)).isFalse();
  }

  @Test
  void anAccountHasAFewSessions() {
    List<LoginSession> all = new ArrayList<>();
    for (int i = 0; i < LoginSessions.MOST; i++) {
      all.add(open(ALICE));
      pass(Duration.ofSeconds(1));
    }
    pass(Duration.ofMinutes(2));
    assertThat(isOpen(all.getFirst())).isTrue(); // used now
    LoginSession last = open(ALICE);
    assertThat(isOpen(all.get(1))).isFalse(); // not used for longest
    assertThat(isOpen(all.getFirst())).isTrue();
    assertThat(isOpen(last)).isTrue();
    for (int i = 0; i < 100; i++) {
      open(ALICE);
    }
    assertThat(values.all(ALICE).keySet().stream().filter(key -> !key.endsWith(":used")))
        .hasSize(LoginSessions.MOST);
  }

  @Test
  void allSessionsAreClosedAtOnce() {
    LoginSession session = open(ALICE);
    LoginSession bobs = open(BOB);
    sessions.closeAll(ALICE);
    assertThat(isOpen(session)).isFalse();
    assertThat(isOpen(bobs)).isTrue();
  }

  /// A damaged value is no session, and nothing fails.
  @Test
  void damagedValuesAreNoSessions() {
    LoginSession session = open(ALICE);
    String key = values.all(ALICE).keySet().iterator().next();
    values.put(ALICE, key, new byte[] {1, 2});
    assertThat(isOpen(session)).isFalse();
    values.put(ALICE, key, new byte[] {127, -1, -1, -1, -1, -1, -1, -1});
    assertThat(isOpen(session)).isFalse();
    assertThat(isOpen(open(ALICE))).isTrue();
  }
}
