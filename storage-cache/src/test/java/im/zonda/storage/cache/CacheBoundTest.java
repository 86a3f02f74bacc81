package im.zonda.storage.cache;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.HeapShare;
import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.KeyValueStore;
import im.zonda.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Attacks on the memory of the caches, and on what is useful in them.
class CacheBoundTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final long BYTES = 1_048_576;

  private final MemoryStores database =
      MemoryStores.withAccounts(InstantSource.system(), ROMEO, account(1), account(2));
  private final Probe probe = new Probe(database);
  private final CachedStores stores =
      CachedStores.over(probe, BYTES, Long.MAX_VALUE, InstantSource.system());

  @Test
  void lookUpsOfRandomAddressesEvictNothingUseful() {
    assertThat(stores.accounts().find(ROMEO)).isNotNull();
    int reads = probe.reads.get();
    for (int i = 0; i < 20_000; i++) {
      assertThat(stores.accounts().find(account(1_000 + i))).isNull();
    }
    assertThat(probe.reads.get() - reads).isEqualTo(20_000);
    assertThat(stores.accounts().find(ROMEO)).isNotNull();
    assertThat(probe.reads.get() - reads).isEqualTo(20_000);
    assertBounded();
    assertThat(cache("accounts").evictions()).isPositive();
    // An eighth of the cache's quarter.
    assertThat(cache("accounts").bytes()).isLessThan(BYTES / 4 / 8 + 2_000);
  }

  @Test
  void randomKeysOfOneOwnerTakeLittle() {
    KeyValueStore values = stores.keyValues("private");
    for (int i = 0; i < 1_000; i++) {
      assertThat(values.get(ROMEO, "{urn:example}" + i)).isNull();
      assertThat(cache("private").bytes()).isLessThan(4_500);
    }
    assertThat(cache("private").entries()).isEqualTo(1);
  }

  @Test
  void largeValuesOfManyStayWithinTheBound() {
    KeyValueStore vcards = stores.keyValues("vcard");
    for (int i = 10; i < 500; i++) {
      database.accounts().create(List.of(new Account(account(i), List.of(), Instant.EPOCH)));
      vcards.put(account(i), "vcard", new byte[4_096]);
      assertBounded();
      assertThat(vcards.get(account(i), "vcard")).hasSize(4_096);
    }
    assertThat(cache("vcard").bytes()).isGreaterThan(BYTES / 16);
    assertThat(cache("vcard").evictions()).isPositive();
  }

  @Test
  void aValueThatIsTooLargeIsReadEachTime() {
    KeyValueStore vcards = stores.keyValues("vcard");
    vcards.put(account(1), "vcard", new byte[100]);
    vcards.put(ROMEO, "vcard", new byte[100_000]);
    int reads = probe.reads.get();
    assertThat(vcards.get(ROMEO, "vcard")).hasSize(100_000);
    assertThat(vcards.get(ROMEO, "vcard")).hasSize(100_000);
    assertThat(probe.reads.get() - reads).isEqualTo(2);
    assertThat(vcards.get(account(1), "vcard")).hasSize(100);
    assertThat(probe.reads.get() - reads).isEqualTo(2);
    assertBounded();
  }

  @Test
  void allCachesTogetherKeepTheirShareOfTheHeap() {
    Stores small = new MemoryStores(InstantSource.system());
    long heap = 128L * 1_048_576;
    CachedStores cached = CachedStores.over(small, Long.MAX_VALUE, heap, InstantSource.system());
    long sum = cached.caches().statistics().stream().mapToLong(CacheStatistics::bound).sum();
    assertThat(sum).isLessThanOrEqualTo(heap / 32).isGreaterThan(heap / 33);
    long shares = 0;
    for (HeapShare share : HeapShare.values()) {
      shares += share.bound(Long.MAX_VALUE, heap);
    }
    assertThat(shares).isLessThanOrEqualTo(heap / 5 * 4);
  }

  @Test
  void statisticsCountWhatHappened() {
    stores.accounts().find(ROMEO);
    stores.accounts().find(ROMEO);
    stores.accounts().find(ROMEO);
    CacheStatistics statistics = cache("accounts");
    assertThat(statistics.entries()).isEqualTo(1);
    assertThat(statistics.hits()).isEqualTo(2);
    assertThat(statistics.misses()).isEqualTo(1);
    assertThat(statistics.hitRate()).isBetween(0.66, 0.67);
    assertThat(statistics.loadTime()).isGreaterThan(Duration.ZERO);
    assertThat(statistics.bytes()).isPositive();
  }

  private void assertBounded() {
    for (CacheStatistics cache : stores.caches().statistics()) {
      assertThat(cache.bytes()).as(cache.name()).isLessThanOrEqualTo(cache.bound());
    }
  }

  private CacheStatistics cache(String name) {
    return stores.caches().statistics().stream()
        .filter(cache -> cache.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Jid account(int number) {
    return Jid.of("user" + number + "@example.net");
  }
}
