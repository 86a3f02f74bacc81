package im.zonda.storage.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Attacks on the promise that what is read is what the database has.
class StaleReadTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-22T12:00:00Z"));
  private final MemoryStores database = new MemoryStores(now::get);
  private final Probe probe = new Probe(database);
  private final CachedStores stores = CachedStores.over(probe, Limits.defaults(), now::get);

  StaleReadTest() {
    database.accounts().create(List.of(new Account(ROMEO, keys("old"), Instant.EPOCH)));
  }

  @Test
  void readsOnce() {
    assertThat(password()).isEqualTo("old");
    assertThat(password()).isEqualTo("old");
    assertThat(probe.reads).hasValue(1);
    stores.accounts().changeKeys(ROMEO, keys("new"));
    assertThat(password()).isEqualTo("new");
    assertThat(probe.reads).hasValue(1);
  }

  @Test
  void aReadThatIsOvertakenByAWriteIsNotKept() {
    probe.afterRead = () -> stores.accounts().changeKeys(ROMEO, keys("new"));
    assertThat(password()).isEqualTo("old"); // it began before the write
    assertThat(password()).isEqualTo("new");
  }

  @Test
  void aReadDuringAWriteIsNotKept() {
    probe.afterWrite = () -> assertThat(password()).isEqualTo("new");
    stores.accounts().changeKeys(ROMEO, keys("new"));
    database.accounts().changeKeys(ROMEO, keys("newer")); // shows who reads the database
    assertThat(password()).isEqualTo("newer");
  }

  @Test
  void aRemovedAccountIsGoneAtOnceWithAllThatWasKnownOfIt() {
    KeyValueStore values = stores.keyValues("mam");
    KeyValueStore vcards = stores.keyValues("vcard");
    values.put(ROMEO, "a", new byte[] {1});
    vcards.put(ROMEO, "a", new byte[] {1});
    assertThat(values.get(ROMEO, "a")).isNotNull();
    assertThat(vcards.get(ROMEO, "a")).isNotNull();
    assertThat(password()).isEqualTo("old");
    stores.messages().noneWaits(ROMEO);
    assertThat(stores.accounts().remove(ROMEO)).isTrue();
    assertThat(stores.accounts().find(ROMEO)).isNull();
    assertThat(values.get(ROMEO, "a")).isNull();
    assertThat(vcards.get(ROMEO, "a")).isNull();
    assertThat(stores.rosters().load(ROMEO).items()).isEmpty();
    assertThat(stores.accounts().release(ROMEO)).isTrue();
    stores.accounts().create(List.of(new Account(ROMEO, keys("second"), Instant.EPOCH)));
    assertThat(password()).isEqualTo("second");
  }

  @Test
  void anAccountThatDidNotExistIsFoundOnceItDoes() {
    Jid juliet = Jid.of("juliet@example.net");
    assertThat(stores.accounts().find(juliet)).isNull();
    assertThat(stores.accounts().find(juliet)).isNull();
    assertThat(probe.reads).hasValue(1);
    stores.accounts().create(List.of(new Account(juliet, List.of(), Instant.EPOCH)));
    assertThat(stores.accounts().find(juliet)).isNotNull();
  }

  @Test
  void aWriteThatFailsAfterItWasMadeIsSeen() {
    assertThat(password()).isEqualTo("old");
    probe.afterWrite = StaleReadTest::fail;
    assertThatThrownBy(() -> stores.accounts().changeKeys(ROMEO, keys("new")))
        .isInstanceOf(StoreException.class);
    assertThat(password()).isEqualTo("new");
  }

  @Test
  void aWriteThatIsMadeAfterItHasFailedIsSeen() {
    assertThat(password()).isEqualTo("old");
    probe.afterWrite =
        () -> {
          database.accounts().changeKeys(ROMEO, keys("old")); // not made yet
          fail();
        };
    assertThatThrownBy(() -> stores.accounts().changeKeys(ROMEO, keys("new")))
        .isInstanceOf(StoreException.class);
    assertThat(password()).isEqualTo("old");
    database.accounts().changeKeys(ROMEO, keys("new")); // now it is
    assertThat(password()).isEqualTo("new");
    now.updateAndGet(time -> time.plus(Duration.ofMinutes(1)));
    assertThat(password()).isEqualTo("new");
    int reads = probe.reads.get();
    assertThat(password()).isEqualTo("new");
    assertThat(probe.reads).hasValue(reads); // kept again
  }

  @ParameterizedTest
  @ValueSource(strings = {"mam", "vcard"})
  void valuesAreWrittenThrough(String name) {
    KeyValueStore values = stores.keyValues(name);
    assertThat(values.get(ROMEO, "a")).isNull();
    assertThat(values.get(ROMEO, "a")).isNull();
    int reads = probe.reads.get();
    byte[] given = {1, 2};
    values.put(ROMEO, "a", given);
    given[0] = 9;
    byte[] found = Objects.requireNonNull(values.get(ROMEO, "a"));
    assertThat(found).containsExactly(1, 2);
    found[0] = 9;
    assertThat(values.get(ROMEO, "a")).containsExactly(1, 2);
    values.remove(ROMEO, "a");
    assertThat(values.get(ROMEO, "a")).isNull();
    assertThat(probe.reads).hasValue(reads);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mam", "vcard"})
  void aValueWrittenWhileAnotherIsReadStays(String name) {
    KeyValueStore values = stores.keyValues(name);
    probe.afterRead = () -> values.put(ROMEO, "a", new byte[] {1});
    assertThat(values.get(ROMEO, "a")).isNull();
    assertThat(values.get(ROMEO, "a")).containsExactly(1);
  }

  @Test
  void aStoreThatIsOpenedLaterIsReadToo() {
    assertThat(stores.keyValues("first").get(ROMEO, "a")).isNull();
    database.keyValues("second").put(ROMEO, "a", new byte[] {1});
    assertThat(stores.keyValues("second").get(ROMEO, "a")).containsExactly(1);
  }

  @Test
  void whatIsDroppedWhileItIsReadIsNotKept() {
    probe.afterRead =
        () -> {
          stores.caches().drop(ROMEO); // the home moves to another node, which changes the password
          database.accounts().changeKeys(ROMEO, keys("elsewhere"));
        };
    assertThat(password()).isEqualTo("old");
    assertThat(password()).isEqualTo("elsewhere");
  }

  @Test
  void aDropForgetsEverything() {
    assertThat(password()).isEqualTo("old");
    database.accounts().changeKeys(ROMEO, keys("elsewhere"));
    stores.caches().drop(ROMEO);
    assertThat(password()).isEqualTo("elsewhere");
  }

  @Test
  void thatNoneWaitsIsRememberedUntilOneDoes() {
    MessageLog log = stores.messages();
    log.noneWaits(ROMEO);
    assertThat(log.waitingCount(ROMEO)).isZero();
    log.noneWaits(ROMEO);
    MessageLog.Entry entry =
        new MessageLog.Entry(
            ROMEO,
            log.nextId(),
            ROMEO,
            Message.of(Message.Type.CHAT, ROMEO, ROMEO, "1", List.of()));
    log.append(entry, MessageLog.Keep.ARCHIVE, true);
    assertThat(log.waitingCount(ROMEO)).isEqualTo(1);
  }

  /// A read that begins after a write has returned sees it or a later one, whatever else runs.
  @ParameterizedTest
  @ValueSource(strings = {"mam", "vcard"})
  void noReadIsOlderThanAFinishedWrite(String name) throws InterruptedException {
    KeyValueStore values = stores.keyValues(name);
    AtomicInteger finished = new AtomicInteger();
    Queue<String> stale = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    values.put(ROMEO, "n", bytes(0));
    threads.add(
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 1; i <= 3_000; i++) {
                values.put(ROMEO, "n", bytes(i));
                finished.set(i);
              }
            }));
    threads.add(
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 1; i <= 3_000; i++) {
                values.put(ROMEO, "other", bytes(i)); // writes of the same owner
                stores.caches().drop(ROMEO);
              }
            }));
    for (int reader = 0; reader < 4; reader++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                int before = 0;
                while (before < 3_000) {
                  before = finished.get();
                  byte[] found = values.get(ROMEO, "n");
                  int read =
                      found == null
                          ? -1
                          : Integer.parseInt(new String(found, StandardCharsets.US_ASCII));
                  if (read < before) {
                    stale.add(read + " after " + before);
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(stale).isEmpty();
  }

  private static void fail() {
    throw new StoreException(
        StoreException.Category.UNAVAILABLE, "the answer to the commit was lost", null);
  }

  private String password() {
    Account found = stores.accounts().find(ROMEO);
    return found == null ? "none" : found.keys().getFirst().hash();
  }

  private static List<ScramKeys> keys(String password) {
    return List.of(new ScramKeys(password, new byte[0], 4_096, new byte[0], new byte[0]));
  }

  private static byte[] bytes(int number) {
    return Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
  }
}
