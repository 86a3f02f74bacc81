package im.zonda.app.ban;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.KeyValueStore;
import im.zonda.throttle.BannedNetworks;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BanOperationsTest {
  private static final Instant START = Instant.parse("2026-11-28T12:00:00Z");

  private Instant now = START;
  private final KeyValueStore store = new MemoryStores(() -> now).keyValues(Bans.STORE);
  private final Bans bans = new Bans(store, () -> now, new BannedNetworks());
  private final List<Offer<?, ?>> offers = BanOperations.of(bans, () -> now, () -> {});
  private final OperationExecutor operations =
      new OperationExecutor(
          new OperationExecutor.Parts(
              new Catalogue() {
                @Override
                public List<Operation<?, ?>> operations() {
                  return BanOperations.ALL;
                }

                @Override
                public @Nullable Offer<?, ?> find(String name, @Nullable String host) {
                  return Offer.find(offers, name);
                }

                @Override
                public @Nullable String hostOf(String domain) {
                  return null;
                }
              },
              _ -> {},
              Object::toString,
              () -> now,
              Runnable::run,
              new Jobs(() -> now, () -> "job", Runnable::run)));

  private <I extends Record, R extends Record> Outcome<R> run(Operation<I, R> operation, I input) {
    return operations.run(Caller.owner("root"), operation, input);
  }

  private boolean add(String network, @Nullable Instant until) {
    return run(BanOperations.ADD, new BanOperations.New(network, "Spam", until))
        instanceof Outcome.Done;
  }

  private static boolean refuses(Bans by, String address) {
    return by.test(InetAddress.ofLiteral(address));
  }

  private List<BanOperations.Ban> list(@Nullable String after, int limit) {
    return run(BanOperations.LIST, new BanOperations.Wanted(after, limit))
            instanceof Outcome.Done<BanOperations.Found>(BanOperations.Found found)
        ? found.bans()
        : List.of();
  }

  @Test
  void aNetworkIsBannedUntilItsTimeIsOver() {
    Instant end = START.plus(Duration.ofHours(1));
    assertThat(add("192.0.2.0/24", end)).isTrue();
    assertThat(add("2001:db8::/32", null)).isTrue();
    assertThat(refuses(bans, "192.0.2.66")).isTrue();
    assertThat(refuses(bans, "::ffff:192.0.2.67")).isTrue();
    assertThat(refuses(bans, "2001:db8::1")).isTrue();
    assertThat(refuses(bans, "198.51.100.1")).isFalse();
    assertThat(list(null, 50))
        .containsExactly(
            new BanOperations.Ban("192.0.2.0/24", START, end, "root", "Spam", 2),
            new BanOperations.Ban("2001:db8::/32", START, null, "root", "Spam", 1));
    assertThat(list("192.0.2.0/24", 50)).hasSize(1);
    now = end;
    assertThat(refuses(bans, "192.0.2.66")).isFalse();
    assertThat(list(null, 50)).hasSize(1);
    bans.read();
    assertThat(new Bans(store, () -> START, new BannedNetworks()).all())
        .as("it is erased")
        .hasSize(1);
  }

  @Test
  void anotherNodeReadsIt() {
    Bans other = new Bans(store, () -> now, new BannedNetworks());
    add("192.0.2.66", null);
    assertThat(refuses(other, "192.0.2.66")).isFalse();
    other.read();
    assertThat(refuses(other, "192.0.2.66")).isTrue();
    run(BanOperations.REMOVE, new BanOperations.Chosen("192.0.2.66"));
    other.read();
    assertThat(refuses(other, "192.0.2.66")).isFalse();
    assertThat(refuses(bans, "192.0.2.66")).isFalse();
  }

  @Test
  void whatIsNoNetworkIsNotBanned() {
    for (String wrong :
        List.of("", "spam.example", "192.0.2.0/33", "0.0.0.0/0", "::/1", "127.0.0.1", "::1")) {
      assertThat(add(wrong, null)).as(wrong).isFalse();
    }
    assertThat(add("192.0.2.1", START)).as("it is over").isFalse();
    assertThat(bans.all()).isEmpty();
    Outcome<?> removed = run(BanOperations.REMOVE, new BanOperations.Chosen("192.0.2.1"));
    assertThat(removed)
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.NOT_FOUND));
  }

  @Test
  void thereAreAtMostAThousand() {
    for (int i = 0; i < Bans.MOST; i++) {
      store.put(
          Bans.OWNER,
          "198.51." + i / 250 + "." + i % 250,
          (START.toEpochMilli() + "\n\nroot\n").getBytes(StandardCharsets.UTF_8));
    }
    bans.read();
    assertThat(bans.all()).hasSize(Bans.MOST);
    assertThat(add("203.0.113.1", null)).isFalse();
    assertThat(add("198.51.0.0", null)).as("another end of a ban that there is").isTrue();
  }
}
