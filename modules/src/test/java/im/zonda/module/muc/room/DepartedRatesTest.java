package im.zonda.module.muc.room;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import org.junit.jupiter.api.Test;

/// Reliability row 75.
class DepartedRatesTest {
  private static final Jid USER = Jid.of("user@example.org");

  private final DepartedRates departed = new DepartedRates();

  private static OccupantRates used(int times, long now) {
    OccupantRates rates = new OccupantRates();
    for (int i = 0; i < times; i++) {
      assertThat(rates.messages.tryAcquire(now, 10)).isTrue();
    }
    return rates;
  }

  @Test
  void row75_theFullerOfTwoCounts() {
    departed.keep(USER, used(10, 50_000));
    departed.keep(USER, used(1, 51_000));
    assertThat(departed.find(USER))
        .satisfies(rates -> assertThat(rates.messages.tryAcquire(52_000, 10)).isFalse());
  }

  @Test
  void whatIsLongAgoDoesNotCount() {
    departed.keep(USER, used(10, 50_000));
    departed.keep(USER, used(1, 60_000));
    assertThat(departed.find(USER))
        .satisfies(rates -> assertThat(rates.messages.tryAcquire(60_000, 10)).isTrue());
    departed.forgetOld(69_999);
    assertThat(departed.find(USER)).isNotNull();
    departed.forgetOld(70_000);
    assertThat(departed.find(USER)).isNull();
  }

  @Test
  void row75_whoLeftFirstIsForgottenWhenTheyAreMany() {
    departed.keep(USER, used(1, 50_000));
    for (int i = 0; i < DepartedRates.MAX; i++) {
      departed.keep(Jid.of("user" + i + "@example.org"), used(1, 50_000));
    }
    assertThat(departed.find(USER)).isNull();
    assertThat(departed.find(Jid.of("user0@example.org"))).isNotNull();
  }
}
