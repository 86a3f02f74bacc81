package im.zonda.module.registration;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.TestClock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AddressBudgetTest {
  private final TestClock clock = new TestClock();
  private final AddressBudget budget = new AddressBudget(2, clock);

  @Test
  void row82AnAddressMakesSoManyAccountsAnHour() throws UnknownHostException {
    InetAddress address = InetAddress.getByName("192.0.2.1");
    assertThat(budget.take(address)).isTrue();
    clock.advance(Duration.ofMinutes(30));
    assertThat(budget.take(address)).isTrue();
    assertThat(budget.take(address)).isFalse();
    assertThat(budget.take(InetAddress.getByName("192.0.2.2"))).isTrue();
    clock.advance(Duration.ofMinutes(30));
    assertThat(budget.take(address)).isTrue();
  }

  @Test
  void row82AnIpv6SubscriberIsOneAddress() throws UnknownHostException {
    assertThat(budget.take(InetAddress.getByName("2001:db8:0:1::1"))).isTrue();
    assertThat(budget.take(InetAddress.getByName("2001:db8:0:1:ffff::2"))).isTrue();
    assertThat(budget.take(InetAddress.getByName("2001:db8:0:1::3"))).isFalse();
    assertThat(budget.take(InetAddress.getByName("2001:db8:0:2::1"))).isTrue();
  }

  @Test
  void whatMadeNoAccountIsGivenBackButNotForEver() throws UnknownHostException {
    InetAddress address = InetAddress.getByName("192.0.2.1");
    for (int i = 0; i < 2 * AddressBudget.ATTEMPTS; i++) {
      assertThat(budget.take(address)).isTrue();
      budget.giveBack(address);
    }
    assertThat(budget.take(address)).isFalse();
  }

  @Test
  void row82MemoryIsBounded() throws UnknownHostException {
    for (int i = 0; i < AddressBudget.MAX_NETWORKS; i++) {
      assertThat(budget.take(address(i))).isTrue();
    }
    assertThat(budget.take(address(AddressBudget.MAX_NETWORKS))).as("shut out").isTrue();
    assertThat(budget.networks()).isEqualTo(AddressBudget.MAX_NETWORKS);
    clock.advance(Duration.ofHours(1));
    assertThat(budget.take(address(AddressBudget.MAX_NETWORKS))).isTrue();
    assertThat(budget.networks()).isEqualTo(1);
  }

  @Test
  void aClockThatGoesBackLocksNobodyOut() throws UnknownHostException {
    InetAddress address = InetAddress.getByName("192.0.2.1");
    assertThat(budget.take(address)).isTrue();
    assertThat(budget.take(address)).isTrue();
    clock.advance(Duration.ofDays(-365));
    assertThat(budget.take(address)).isTrue();
  }

  @Test
  void zeroIsNoLimit() throws UnknownHostException {
    AddressBudget none = new AddressBudget(0, clock);
    for (int i = 0; i < 100; i++) {
      assertThat(none.take(InetAddress.getByName("192.0.2.1"))).isTrue();
    }
    assertThat(none.networks()).isZero();
  }

  private static InetAddress address(int number) throws UnknownHostException {
    return InetAddress.getByAddress(
        new byte[] {10, (byte) (number >> 16), (byte) (number >> 8), (byte) number});
  }
}
