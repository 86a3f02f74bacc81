package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.journal.JournalStore.Event;
import im.zonda.journal.JournalStore.Query;
import im.zonda.store.MessageLog;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Contract of the record of stanzas that were not delivered as usual.
public abstract class JournalStoreContract extends StoresContract {
  private static final Jid ROMEO = Jid.of("romeo@example.org/garden");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid NURSE = Jid.of("nurse@example.org/kitchen");

  private JournalStore journal() {
    return stores.journal();
  }

  private static Event event(long id, String reason, @Nullable Jid sender, @Nullable Jid to) {
    return new Event(id, "n1", "home", reason, sender, to, "chat", "m" + id, -id, "d" + id);
  }

  private void append(Event... events) {
    journal().append(List.of(events));
  }

  private List<Long> found(Query query) {
    return journal().find(query).stream().map(Event::id).toList();
  }

  private static Query of(@Nullable Jid address, @Nullable Jid other, @Nullable String reason) {
    return new Query(address, other, reason, Long.MIN_VALUE, Long.MAX_VALUE, 100);
  }

  @Test
  void anEventIsReadAsItWasRecorded() {
    Event whole = event(7, "not-connected", ROMEO, NURSE);
    Event part = new Event(8, "", "log", "offline-full", null, null, "iq", null, 0, null);
    append(whole, part);
    assertThat(journal().find(Query.newest(10))).containsExactly(part, whole);
    assertThat(whole.time()).isEqualTo(MessageLog.timeOf(7));
  }

  @Test
  void nothingIsRecordedOfNoEvents() {
    journal().append(List.of());
    assertThat(found(Query.newest(10))).isEmpty();
  }

  @Test
  void eventsAreFoundByAddressPairAndReason() {
    append(
        event(1, "not-connected", ROMEO, JULIET),
        event(2, "no-such-session", JULIET, ROMEO),
        event(3, "not-connected", NURSE, JULIET),
        event(4, "not-connected", ROMEO, ROMEO),
        event(5, "not-connected", null, JULIET));
    assertThat(found(of(ROMEO, null, null))).containsExactly(4L, 2L, 1L);
    assertThat(found(of(JULIET, null, "not-connected"))).containsExactly(5L, 3L, 1L);
    assertThat(found(of(ROMEO, JULIET, null))).containsExactly(2L, 1L);
    assertThat(found(of(null, null, "no-such-session"))).containsExactly(2L);
    assertThat(found(of(ROMEO.withResource("balcony"), null, null))).hasSize(3);
  }

  @Test
  void pagesFollowEachOther() {
    append(
        LongStream.rangeClosed(1, 9)
            .mapToObj(i -> event(i, "not-connected", i % 2 == 0 ? ROMEO : JULIET, ROMEO))
            .toArray(Event[]::new));
    Query first = new Query(ROMEO, null, null, 2, Long.MAX_VALUE, 3);
    assertThat(found(first)).containsExactly(9L, 8L, 7L);
    assertThat(found(new Query(ROMEO, null, null, 2, 7, 3))).containsExactly(6L, 5L, 4L);
    assertThat(found(new Query(ROMEO, null, null, 2, 4, 3))).containsExactly(3L, 2L);
  }

  @Test
  void theOldestAreErasedFirst() {
    append(
        LongStream.rangeClosed(1, 9)
            .mapToObj(i -> event(i, "not-connected", ROMEO, JULIET))
            .toArray(Event[]::new));
    assertThat(journal().erase(5, 2)).isEqualTo(2);
    assertThat(journal().erase(5, 9)).isEqualTo(2);
    assertThat(found(Query.newest(10))).containsExactly(9L, 8L, 7L, 6L, 5L);
    assertThat(journal().trim(2, 1)).isEqualTo(1);
    assertThat(journal().trim(2, 9)).isEqualTo(2);
    assertThat(journal().trim(2, 9)).isZero();
    assertThat(found(Query.newest(10))).containsExactly(9L, 8L);
  }

  @Test
  void anAddressIsForgotten() {
    append(
        event(1, "not-connected", ROMEO, JULIET),
        event(2, "no-such-session", JULIET, ROMEO),
        event(3, "not-connected", NURSE, JULIET));
    assertThat(journal().forget(ROMEO, 1)).isEqualTo(1);
    assertThat(journal().forget(ROMEO, 100)).isEqualTo(1);
    assertThat(journal().forget(ROMEO, 100)).isZero();
    assertThat(found(Query.newest(10))).containsExactly(3L);
  }

  @Test
  void textsAreCutBetweenCharacters() {
    Event event =
        new Event(1, "n", "home", "r", ROMEO, JULIET, "chat", "\u00e4".repeat(200), 0, "a\0b");
    assertThat(event.stanza()).isEqualTo("\u00e4".repeat(127));
    append(event);
    assertThat(journal().find(Query.newest(1))).containsExactly(event);
    assertThat(event.detail()).isEqualTo("a\ufffdb");
  }

  @Test
  void aPageHasALimit() {
    assertThatThrownBy(() -> Query.newest(JournalStore.MAX_PAGE + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Query.newest(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
