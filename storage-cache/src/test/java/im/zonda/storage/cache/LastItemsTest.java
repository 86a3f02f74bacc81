package im.zonda.storage.cache;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.PubSubStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Last items in memory are those of the database, whatever changes them.
class LastItemsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid SERVICE = Jid.of("pubsub.example.net");
  private static final List<String> NODES = List.of("nick", "tune", "mood");
  private static final int CHANGES = 2_000;

  private final MemoryStores database = new MemoryStores(InstantSource.system());
  private final CachedStores stores =
      CachedStores.over(database, Limits.defaults(), InstantSource.system());
  private final PubSubStore nodes = stores.pubSub();
  private int time;

  @BeforeEach
  void create() {
    database.accounts().create(List.of(new Account(ROMEO, List.of(), Instant.EPOCH)));
    for (Jid owner : List.of(ROMEO, SERVICE)) {
      NODES.forEach(name -> create(owner, name));
    }
  }

  private void create(Jid owner, String name) {
    nodes.save(new PubSubStore.Node(owner, name, ROMEO, Instant.EPOCH, "{}"), List.of(), List.of());
  }

  private PubSubStore.Item item(int id) {
    Instant published = Instant.EPOCH.plusSeconds(++time);
    return new PubSubStore.Item("id" + id, ROMEO, published, new byte[] {(byte) time});
  }

  private CacheStatistics statistics() {
    return stores.caches().statistics().stream()
        .filter(each -> each.name().equals("last-items"))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void areThoseOfTheDatabase(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < CHANGES; i++) {
      String node = NODES.get(random.nextInt(NODES.size()));
      int id = random.nextInt(4);
      switch (random.nextInt(7)) {
        case 0, 1 -> nodes.publish(ROMEO, node, List.of(item(id), item(id + 1)), 3);
        case 2 -> nodes.retract(ROMEO, node, Set.of("id" + id));
        case 3 -> nodes.purge(ROMEO, node);
        case 4 -> nodes.trim(ROMEO, node, 1);
        case 5 -> nodes.expire(ROMEO, node, Instant.EPOCH.plusSeconds(time - id));
        default -> {
          nodes.remove(ROMEO, node);
          create(ROMEO, node);
        }
      }
      Set<String> some = random.nextBoolean() ? Set.copyOf(NODES) : Set.of(node);
      assertThat(nodes.lastItems(ROMEO, some)).isEqualTo(database.pubSub().lastItems(ROMEO, some));
    }
    assertThat(statistics().hits()).isGreaterThan(CHANGES / 4);
  }

  @Test
  void areReadOnce() {
    nodes.publish(ROMEO, "nick", List.of(item(1)), 1);
    nodes.lastItems(ROMEO, Set.copyOf(NODES));
    nodes.publish(ROMEO, "nick", List.of(item(2)), 1);
    assertThat(nodes.lastItems(ROMEO, Set.copyOf(NODES)))
        .extracting(each -> each.item().id())
        .containsExactly("id2");
    assertThat(statistics().hits()).isOne();
    assertThat(statistics().misses()).isOne();
  }

  @Test
  void areGoneWithTheAccount() {
    nodes.publish(ROMEO, "nick", List.of(item(1)), 1);
    assertThat(nodes.lastItems(ROMEO, Set.of("nick"))).hasSize(1);
    stores.accounts().remove(ROMEO);
    assertThat(nodes.lastItems(ROMEO, Set.of("nick"))).isEmpty();
  }

  /// A service may have more nodes than the memory of all accounts.
  @Test
  void ofAServiceAreNotKept() {
    nodes.lastItems(SERVICE, Set.copyOf(NODES));
    assertThat(statistics().entries()).isZero();
  }
}
