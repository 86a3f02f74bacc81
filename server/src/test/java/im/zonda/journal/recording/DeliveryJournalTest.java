package im.zonda.journal.recording;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.JournalStore.Event;
import im.zonda.journal.JournalStore.Query;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Scheduler;
import im.zonda.runtime.ServerRuntime;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveryJournalTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid ROMEO = Jid.of("romeo@example.org/garden");
  private static final long HEAP = 1L << 30;

  private record Timer(Instant due, Runnable task) {}

  private final List<Timer> timers = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-28T14:03:00Z");
  private final MemoryStores stores = new MemoryStores(() -> now);
  private final Scheduler scheduler =
      (delay, task) -> {
        Timer timer = new Timer(now.plus(delay), task);
        timers.add(timer);
        return () -> timers.remove(timer);
      };
  private boolean cleans = true;
  private final DeliveryJournal journal =
      new DeliveryJournal(
          new DeliveryJournal.Surroundings(
              "n1",
              stores.messages(),
              stores.journal(),
              Jid::bare,
              () -> cleans,
              new ServerRuntime(
                  () -> now, scheduler, () -> "id", new SecureRandom(), Runnable::run)),
          HEAP);

  private void advance(Duration step) {
    Instant end = now.plus(step);
    while (true) {
      Timer first =
          timers.stream()
              .filter(each -> !each.due().isAfter(end))
              .min((a, b) -> a.due().compareTo(b.due()))
              .orElse(null);
      if (first == null) {
        now = end;
        return;
      }
      timers.remove(first);
      now = first.due();
      first.task().run();
    }
  }

  private void record(Jid sender, String detail) {
    journal.record(
        new Journal.Entry(
            Place.HOME, Reason.NOT_CONNECTED, sender, JULIET, "chat", "m1", 7, detail));
  }

  private static Query of(Jid address, int limit) {
    return new Query(address, null, null, Long.MIN_VALUE, Long.MAX_VALUE, limit);
  }

  private List<Event> stored() {
    return stores.journal().find(Query.newest(1_000));
  }

  private void flood(Jid sender, int events) {
    for (int i = 0; i < events; i++) {
      record(sender, "flood");
    }
  }

  @Test
  void anEventIsFoundAtOnceAndStoredASecondLater() {
    record(ROMEO, "d");
    assertThat(stored()).isEmpty();
    assertThat(journal.find(of(JULIET, 10)))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.sender()).isEqualTo(ROMEO);
          assertThat(event.receiver()).isEqualTo(JULIET);
          assertThat(event.reason()).isEqualTo("not-connected");
          assertThat(event.place()).isEqualTo("home");
          assertThat(event.node()).isEqualTo("n1");
          assertThat(event.kind()).isEqualTo("chat");
          assertThat(event.stanza()).isEqualTo("m1");
          assertThat(event.identity()).isEqualTo(7);
          assertThat(event.detail()).isEqualTo("d");
        });
    advance(Duration.ofSeconds(1));
    assertThat(stored()).hasSize(1).isEqualTo(journal.find(of(JULIET, 10)));
    assertThat(journal.count(Reason.NOT_CONNECTED)).isEqualTo(1);
    assertThat(journal.unstored()).isZero();
  }

  @Test
  void aServerThatRecordsNothingHasNothingToDo() {
    assertThat(timers).hasSize(1); // the hourly one
    record(ROMEO, "d");
    assertThat(timers).hasSize(2);
    advance(Duration.ofSeconds(2));
    assertThat(timers).hasSize(1);
  }

  @Test
  void whatWaitsIsStoredAtTheEnd() {
    record(ROMEO, "d");
    journal.close();
    assertThat(stored()).hasSize(1);
    assertThat(timers).hasSize(1); // finds nothing
  }

  @Test
  void aFloodCostsBoundedMemoryAndWrites() {
    for (int i = 0; i < 100; i++) {
      flood(Jid.of("spammer@example.net"), 2_000);
      advance(Duration.ofSeconds(1));
    }
    assertThat(stored()).hasSize(DeliveryJournal.HOURLY);
    assertThat(journal.unstored()).isEqualTo(200_000 - DeliveryJournal.HOURLY);
    assertThat(journal.bytes()).isLessThanOrEqualTo((8L << 20) / 16);
  }

  @Test
  void aFloodDoesNotDisplaceTheEventsOfAllOthers() {
    int others = 200;
    for (int i = 0; i < others; i++) {
      record(Jid.of("user" + i + "@example.org"), "mine");
    }
    flood(Jid.of("spammer@example.net"), 100_000);
    int left = 0;
    for (int i = 0; i < others; i++) {
      left += journal.find(of(Jid.of("user" + i + "@example.org"), 10)).isEmpty() ? 0 : 1;
    }
    // A sixteenth is expected to share the part of the spammer.
    assertThat(left).isGreaterThan(others / 2);
    assertThat(journal.find(of(Jid.of("spammer@example.net"), 10))).hasSize(10);
  }

  @Test
  void inTheNextHourASenderHasItsShareAgain() {
    flood(ROMEO, DeliveryJournal.HOURLY + 10);
    advance(Duration.ofSeconds(5));
    assertThat(stored()).hasSize(DeliveryJournal.HOURLY);
    advance(Duration.ofHours(1));
    record(ROMEO, "again");
    advance(Duration.ofSeconds(1));
    assertThat(stored()).hasSize(DeliveryJournal.HOURLY + 1);
  }

  @Test
  void aStoreThatFailsCostsTheEventsOnly() {
    stores.fail(StoreException.Category.CLOSED);
    record(ROMEO, "d");
    advance(Duration.ofSeconds(1));
    assertThat(journal.unstored()).isEqualTo(1);
  }

  @Test
  void oldEventsAreErasedByOneNode() {
    record(ROMEO, "old");
    advance(DeliveryJournal.KEPT.minusHours(1));
    record(ROMEO, "young");
    cleans = false;
    advance(Duration.ofHours(3));
    assertThat(stored()).hasSize(2);
    cleans = true;
    advance(Duration.ofHours(1));
    assertThat(stored()).extracting(Event::detail).containsExactly("young");
  }

  @Test
  void timesAndIdsBelongTogether() {
    Instant time = Instant.parse("2026-11-28T14:03:00.123456Z");
    assertThat(MessageLog.timeOf(DeliveryJournal.idOf(time))).isEqualTo(time);
  }
}
