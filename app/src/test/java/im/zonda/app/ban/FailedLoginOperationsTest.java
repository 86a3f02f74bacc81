package im.zonda.app.ban;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import im.zonda.app.ban.FailedLoginOperations.Failures;
import im.zonda.app.ban.FailedLoginOperations.Found;
import im.zonda.app.ban.FailedLoginOperations.Wanted;
import im.zonda.operation.Outcome;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.testkit.FakeClock;
import im.zonda.throttle.BannedNetworks;
import im.zonda.throttle.FailedLogins;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FailedLoginOperationsTest {
  private final FakeClock clock = new FakeClock();
  private final FailedLogins failed = new FailedLogins(clock, clock);
  private final Bans bans =
      new Bans(new MemoryStores(clock).keyValues(Bans.STORE), clock, new BannedNetworks());

  private void fail(String address) {
    failed.add(InetAddress.ofLiteral(address), "romeo@a.example");
  }

  private Outcome<Found> list(@Nullable String after, int limit) {
    return FailedLoginOperations.list(failed, bans, new Wanted(after, limit));
  }

  @Test
  void pagesHaveEachNetworkOnce() {
    for (int i = 1; i <= 7; i++) {
      if (i % 2 == 0) {
        clock.advance(Duration.ofSeconds(1)); // some have failed at the same time
      }
      fail("192.0.2." + i);
    }
    List<String> networks = new ArrayList<>();
    String after = null;
    do {
      Found found = done(list(after, 3));
      assertThat(found.networks()).hasSizeLessThanOrEqualTo(3);
      networks.addAll(found.networks().stream().map(Failures::network).toList());
      after = found.next();
    } while (after != null);
    assertThat(networks)
        .containsExactly(
            "192.0.2.6",
            "192.0.2.7",
            "192.0.2.4",
            "192.0.2.5",
            "192.0.2.2",
            "192.0.2.3",
            "192.0.2.1");
  }

  private static Found done(Outcome<Found> outcome) {
    if (outcome instanceof Outcome.Done<Found>(Found found)) {
      return found;
    }
    throw new AssertionError(outcome);
  }

  @Test
  void aWrongPlaceIsRefused() {
    assertThat(list("yesterday", 2)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void aBannedNetworkIsMarkedAndNothingIsCounted() {
    fail("192.0.2.1");
    fail("198.51.100.1");
    bans.put(new Bans.Ban("192.0.2.0/24", clock.instant(), null, "root", null));
    assertThat(done(list(null, 50)).networks())
        .extracting(Failures::network, Failures::banned)
        .containsExactly(tuple("192.0.2.1", true), tuple("198.51.100.1", false));
    assertThat(bans.all().values()).containsExactly(0L);
  }
}
