package im.zonda.throttle;

import static im.zonda.throttle.Addresses.address;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.LoginLimits;
import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class LoginThrottleTest {
  private static final LoginLimits LIMITS = LoginLimits.DEFAULTS;
  private static final String VICTIM = "victim@example.org";
  private static final InetAddress ATTACKER = address("192.0.2.66");
  private static final InetAddress HOME = address("198.51.100.1");

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final LoginThrottle throttle =
      new LoginThrottle(LIMITS, Duration.ofSeconds(30), () -> now, "seed");

  /// A wrong guess, answered at once for the test; how late the answer would be, or null.
  private Duration guess(InetAddress from, String account) {
    return login(from, account, false);
  }

  private Duration login(InetAddress from, String account, boolean right) {
    LoginThrottle.Attempt attempt = throttle.attempt(from, account);
    Duration delay = Objects.requireNonNull(attempt.decide(right));
    attempt.answered();
    return delay;
  }

  private void attack(int guesses, InetAddress from) {
    for (int i = 0; i < guesses; i++) {
      guess(from, VICTIM);
    }
  }

  @Test
  void row41_theDelayOfAnAddressGrows() {
    List<Long> delays = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      delays.add(guess(ATTACKER, "user" + i + "@example.org").toMillis());
    }

    assertThat(delays)
        .containsExactly(0L, 0L, 0L, 500L, 1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L);
  }

  @Test
  void row41_neighboursOfAnIpv6NetworkAreOneAddress() {
    for (int i = 0; i < 10; i++) {
      guess(address("2001:db8:0:1::" + i), VICTIM);
    }

    assertThat(guess(address("2001:db8:0:1:ffff::1"), "x@example.org").toSeconds()).isEqualTo(10);
    assertThat(guess(address("2001:db8:0:2::1"), "x@example.org")).isZero();
  }

  @Test
  void row41_aRightPasswordWaitsAsLongAsAWrongOne() {
    attack(6, ATTACKER);
    LoginThrottle.Attempt right = throttle.attempt(ATTACKER, VICTIM);
    LoginThrottle.Attempt wrong = throttle.attempt(ATTACKER, VICTIM);

    assertThat(right.decide(true)).isEqualTo(Duration.ofSeconds(4));
    assertThat(wrong.decide(false)).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void failuresAreForgottenWithTime() {
    attack(20, ATTACKER);
    now = now.plus(LIMITS.forgetAfter().multipliedBy(20));

    assertThat(guess(ATTACKER, VICTIM)).isZero();
  }

  @Test
  void row41_theOwnerIsNotLockedOutByAnAttackFromElsewhere() {
    login(HOME, VICTIM, true);
    for (int i = 0; i < 10_000; i++) {
      guess(address(i), VICTIM);
    }

    assertThat(login(HOME, VICTIM, true)).as("from a known address").isZero();
    assertThat(login(address("203.0.113.5"), VICTIM, true))
        .as("from a new address")
        .isEqualTo(LIMITS.maxAccountDelay());
    assertThat(login(address("203.0.113.5"), VICTIM, true)).as("which is known then").isZero();
  }

  @Test
  void row41_knownAccountsOfTheAttackersAddressAreNotDelayed() {
    login(ATTACKER, "neighbour@example.org", true);
    attack(20, ATTACKER);

    assertThat(login(ATTACKER, "neighbour@example.org", true)).isZero();
    assertThat(login(ATTACKER, "other@example.org", true)).isEqualTo(LIMITS.maxDelay());
  }

  @Test
  void row41_guessingAtAKnownPairIsDelayedToo() {
    login(ATTACKER, VICTIM, true);
    attack(4, ATTACKER);

    assertThat(guess(ATTACKER, VICTIM)).isEqualTo(LIMITS.firstDelay().multipliedBy(2));
  }

  @Test
  void aSuccessClearsWhatWasMistyped() {
    attack(5, HOME);
    login(HOME, VICTIM, true);

    for (int i = 0; i < 3; i++) {
      assertThat(guess(HOME, "other" + i + "@example.org")).isZero();
    }
    assertThat(guess(HOME, VICTIM)).isZero();
  }

  @Test
  void row41_anAccountOfTheAttackersOwnClearsNothing() {
    for (int i = 0; i < 10; i++) {
      guess(ATTACKER, VICTIM);
      login(ATTACKER, "attacker@example.org", true);
    }

    assertThat(guess(ATTACKER, VICTIM)).isEqualTo(LIMITS.maxDelay());
  }

  @Test
  void anOfficeMayFailMoreOften() {
    for (int i = 0; i < 400; i++) {
      assertThat(login(HOME, "user" + i + "@example.org", true)).isZero();
    }
    for (int i = 0; i < 100; i++) {
      assertThat(guess(HOME, "new" + i + "@example.org")).isZero();
    }
    assertThat(throttle.blocks(ClientNetwork.of(HOME))).isFalse();
  }

  @Test
  void row41_fewAttemptsOfAnAddressWaitAtATime() {
    attack(4, ATTACKER);
    List<LoginThrottle.Attempt> waiting = new ArrayList<>();
    for (int i = 0; i < LIMITS.delayedLogins(); i++) {
      LoginThrottle.Attempt attempt = throttle.attempt(ATTACKER, VICTIM);
      assertThat(attempt.isRefused()).isFalse();
      assertThat(attempt.decide(false)).isPositive();
      waiting.add(attempt);
    }

    assertThat(throttle.attempt(ATTACKER, VICTIM).isRefused()).isTrue();
    assertThat(throttle.attempt(ATTACKER, VICTIM).decide(true)).isNull();
    assertThat(throttle.attempt(HOME, VICTIM).isRefused()).as("others").isFalse();
    waiting.getFirst().abandoned();
    waiting.getFirst().abandoned();
    assertThat(throttle.attempt(ATTACKER, VICTIM).isRefused()).isFalse();
    waiting.forEach(LoginThrottle.Attempt::answered);
    assertThat(throttle.waitingAddresses()).isZero();
  }

  @Test
  void aSuccessThatNobodyWasToldChangesNothing() {
    attack(6, ATTACKER);
    LoginThrottle.Attempt right = throttle.attempt(ATTACKER, VICTIM);
    right.decide(true);
    right.abandoned();

    assertThat(guess(ATTACKER, VICTIM)).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void row30_anAddressThatOnlyFailsIsBlockedForMinutes() {
    attack(LIMITS.blockAfter(), ATTACKER);
    assertThat(throttle.blocks(ClientNetwork.of(ATTACKER))).isFalse();
    attack(1_000, ATTACKER);
    assertThat(throttle.blocks(ClientNetwork.of(ATTACKER))).isTrue();
    assertThat(throttle.blocks(ClientNetwork.of(HOME))).isFalse();

    now = now.plus(Duration.ofMinutes(5));
    assertThat(throttle.blocks(ClientNetwork.of(ATTACKER))).isFalse();
  }

  @Test
  void row41_namesAndAddressesDoNotGrowMemory() {
    for (int i = 0; i < 100_000; i++) {
      guess(address(i), "name" + i + "@example.org");
    }

    assertThat(throttle.places()).isEqualTo(5 * LIMITS.entries());
    assertThat(throttle.waitingAddresses()).isZero();
  }

  @Test
  void theLongestDelayLeavesTimeForTheNegotiation() {
    LoginThrottle impatient = new LoginThrottle(LIMITS, Duration.ofSeconds(6), () -> now, "seed");
    for (int i = 0; i < 20; i++) {
      LoginThrottle.Attempt attempt = impatient.attempt(ATTACKER, VICTIM);
      attempt.decide(false);
      attempt.answered();
    }
    Duration last = impatient.attempt(ATTACKER, VICTIM).decide(true);

    assertThat(last).isEqualTo(Duration.ofSeconds(2));
  }
}
