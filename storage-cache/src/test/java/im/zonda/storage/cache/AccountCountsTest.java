package im.zonda.storage.cache;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AccountCountsTest {
  private static final String DOMAIN = "example.net";

  private Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private long accounts = 100_000;
  private final AtomicInteger counted = new AtomicInteger();
  private final AccountCounts counts =
      new AccountCounts(
          _ -> {
            counted.incrementAndGet();
            return accounts;
          },
          () -> now);

  @Test
  void manyAreCountedOnceAMinute() {
    assertThat(counts.of(DOMAIN)).isEqualTo(100_000);
    counts.change(DOMAIN, 2);
    accounts = 100_007; // another node has created five, too
    now = now.plus(AccountCounts.FRESH).minusMillis(1);
    assertThat(counts.of(DOMAIN)).isEqualTo(100_002);
    assertThat(counted).hasValue(1);
    now = now.plusMillis(1);
    assertThat(counts.of(DOMAIN)).isEqualTo(100_007);
    assertThat(counted).hasValue(2);
  }

  @Test
  void theyAreCountedAgainAfterTheClockWasSetBack() {
    assertThat(counts.of(DOMAIN)).isEqualTo(100_000);
    now = now.minusSeconds(1);
    accounts = 100_001;
    assertThat(counts.of(DOMAIN)).isEqualTo(100_001);
  }

  @Test
  void fewAreCountedEachTime() {
    accounts = AccountCounts.FEW;
    assertThat(counts.of(DOMAIN)).isEqualTo(AccountCounts.FEW);
    accounts = 3;
    assertThat(counts.of(DOMAIN)).isEqualTo(3);
    assertThat(counted).hasValue(2);
  }

  @Test
  void anAccountThatIsCreatedOrRemovedCountsAtOnce() {
    AccountStore store =
        CachedStores.over(
                new MemoryStores(InstantSource.system()), Limits.defaults(), InstantSource.system())
            .accounts();
    List<Account> many = new ArrayList<>();
    for (int i = 0; i <= AccountCounts.FEW; i++) {
      many.add(account("user" + i));
    }
    store.create(many);
    assertThat(store.count(DOMAIN)).isEqualTo(AccountCounts.FEW + 1);
    assertThat(store.create(List.of(account("romeo"), account("user1"))))
        .containsExactly(account("user1").jid());
    assertThat(store.count(DOMAIN)).isEqualTo(AccountCounts.FEW + 2);
    assertThat(store.remove(account("user2").jid())).isTrue();
    assertThat(store.remove(account("user2").jid())).isFalse();
    assertThat(store.count(DOMAIN)).isEqualTo(AccountCounts.FEW + 1);
  }

  private static Account account(String name) {
    return new Account(Jid.of(name + "@" + DOMAIN), List.of(), Instant.EPOCH);
  }
}
