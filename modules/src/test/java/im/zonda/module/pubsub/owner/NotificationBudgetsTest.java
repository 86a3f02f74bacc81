package im.zonda.module.pubsub.owner;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NotificationBudgetsTest {
  private static final int LIMIT = 100;
  private static final Jid HAMLET = Jid.of("hamlet@example.org/x");
  private static final Jid OTHER = Jid.of("francisco@example.org");

  private long now;
  private int limit = LIMIT;
  private final NotificationBudgets budgets =
      new NotificationBudgets("example.org", () -> Instant.ofEpochMilli(now), () -> limit);

  @Test
  void aUserWhoOwesMoreThanABurstWaits() {
    budgets.charge(HAMLET, 500, 0);
    assertThat(budgets.isExhausted(HAMLET)).isFalse();
    budgets.charge(HAMLET, 1, 0);
    assertThat(budgets.isExhausted(HAMLET)).isTrue();
    assertThat(budgets.isExhausted(HAMLET.bare())).isTrue();
    assertThat(budgets.isExhausted(OTHER)).isFalse();
    now = 99;
    assertThat(budgets.isExhausted(HAMLET)).isTrue();
    now = 100;
    assertThat(budgets.isExhausted(HAMLET)).isFalse();
  }

  @Test
  void largeNotificationsCountSeveralTimes() {
    budgets.charge(HAMLET, 100, 5L * NotificationBudgets.PART - 1);
    assertThat(budgets.isExhausted(HAMLET)).isFalse();
    budgets.charge(OTHER, 100, 5L * NotificationBudgets.PART);
    assertThat(budgets.isExhausted(OTHER)).isTrue();
  }

  @Test
  void theUsersOfAnotherServerHaveOneShare() {
    budgets.charge(Jid.of("a@example.net"), 501, 0);
    assertThat(budgets.isExhausted(Jid.of("b@example.net"))).isTrue();
    assertThat(budgets.isExhausted(Jid.of("b@x7.example.net"))).isTrue();
    assertThat(budgets.isExhausted(Jid.of("b@example.com"))).isFalse();
  }

  @Test
  void withoutALimitNothingIsCounted() {
    limit = 0;
    budgets.charge(HAMLET, Integer.MAX_VALUE, 0);
    limit = LIMIT;
    assertThat(budgets.isExhausted(HAMLET)).isFalse();
    budgets.charge(HAMLET, Integer.MAX_VALUE, 0);
    assertThat(budgets.isExhausted(HAMLET)).isTrue();
    limit = 0;
    assertThat(budgets.isExhausted(HAMLET)).isFalse();
  }

  /// The user who has caused most is not forgotten because there are many others.
  @Test
  void manyOthersHelpNobody() {
    budgets.charge(HAMLET, 1_000, 0);
    for (int i = 0; i < 5_000; i++) {
      budgets.charge(Jid.of("u" + i + "@example.org"), 1, 0);
    }
    assertThat(budgets.isExhausted(HAMLET)).isTrue();
  }
}
