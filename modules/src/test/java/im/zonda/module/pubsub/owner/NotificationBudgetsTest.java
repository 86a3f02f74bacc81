package im.zonda.module.pubsub.owner;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import org.junit.jupiter.api.Test;

class NotificationBudgetsTest {
  private static final int LIMIT = 100;
  private static final Jid HAMLET = Jid.of("hamlet@example.org/x");
  private static final Jid OTHER = Jid.of("francisco@example.org");

  private final NotificationBudgets budgets = new NotificationBudgets("example.org");

  @Test
  void aUserWhoOwesMoreThanABurstWaits() {
    budgets.charge(HAMLET, 500, 0, 0, LIMIT);
    assertThat(budgets.isExhausted(HAMLET, 0)).isFalse();
    budgets.charge(HAMLET, 1, 0, 0, LIMIT);
    assertThat(budgets.isExhausted(HAMLET, 0)).isTrue();
    assertThat(budgets.isExhausted(HAMLET.bare(), 0)).isTrue();
    assertThat(budgets.isExhausted(OTHER, 0)).isFalse();
    assertThat(budgets.isExhausted(HAMLET, 99)).isTrue();
    assertThat(budgets.isExhausted(HAMLET, 100)).isFalse();
  }

  @Test
  void largeNotificationsCountSeveralTimes() {
    budgets.charge(HAMLET, 100, 5L * NotificationBudgets.PART - 1, 0, LIMIT);
    assertThat(budgets.isExhausted(HAMLET, 0)).isFalse();
    budgets.charge(OTHER, 100, 5L * NotificationBudgets.PART, 0, LIMIT);
    assertThat(budgets.isExhausted(OTHER, 0)).isTrue();
  }

  @Test
  void theUsersOfAnotherServerHaveOneShare() {
    budgets.charge(Jid.of("a@example.net"), 501, 0, 0, LIMIT);
    assertThat(budgets.isExhausted(Jid.of("b@example.net"), 0)).isTrue();
    assertThat(budgets.isExhausted(Jid.of("b@example.com"), 0)).isFalse();
  }

  @Test
  void withoutALimitNothingIsCounted() {
    budgets.charge(HAMLET, Integer.MAX_VALUE, 0, 0, 0);
    assertThat(budgets.isExhausted(HAMLET, 0)).isFalse();
  }

  /// Who owes most is not forgotten because there are many others.
  @Test
  void manyOthersHelpNobody() {
    budgets.charge(HAMLET, 1_000, 0, 0, LIMIT);
    for (int i = 0; i < 5_000; i++) {
      budgets.charge(Jid.of("u" + i + "@example.org"), 1, 0, 0, LIMIT);
    }
    assertThat(budgets.isExhausted(HAMLET, 0)).isTrue();
  }
}
