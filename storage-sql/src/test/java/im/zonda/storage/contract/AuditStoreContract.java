package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.store.AuditStore;
import im.zonda.store.AuditStore.Event;
import im.zonda.store.AuditStore.Query;
import im.zonda.store.AuditStore.Recorded;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Contract of the record of what administrators have done.
public abstract class AuditStoreContract extends StoresContract {
  private static final int ALL = 1_000;

  private int seconds;

  private AuditStore audit() {
    return stores.audit();
  }

  /// The time of the next event, by which ids of all nodes grow.
  private Instant next() {
    seconds += 10;
    Instant now = NOON.plusSeconds(seconds);
    clock.set(now);
    return now;
  }

  private static Event event(Instant time, String operation, @Nullable String subject) {
    return new Event(
        time, "admin@example.net", "rest", "192.0.2.7", operation, null, subject, "done", null);
  }

  private long append(String operation, @Nullable String subject) {
    return audit().append(event(next(), operation, subject));
  }

  private static Event by(Instant time, String caller, String host) {
    return new Event(time, caller, "socket", null, "host.reload", host, null, "done", null);
  }

  private List<String> found(Query query) {
    return audit().find(query).stream().map(each -> each.event().operation()).toList();
  }

  private static Query ofOperation(String operation) {
    return new Query(null, operation, null, null, null, null, Long.MAX_VALUE, ALL);
  }

  private static Query ofTime(@Nullable Instant since, @Nullable Instant until) {
    return new Query(null, null, null, null, since, until, Long.MAX_VALUE, ALL);
  }

  @Test
  void anEventIsFoundAlsoAfterAnotherStart() {
    Event full =
        new Event(
            next().plusNanos(123_456_789),
            "admin@example.net/console",
            "rest",
            "2001:db8::1",
            "account.disable",
            "example.net",
            "romeo@example.net",
            "done",
            "reason: \"spam\" → \"none\"");
    long first = audit().append(full);
    Event sparse =
        new Event(next(), "", "socket", null, "config.reload", null, null, "refused", null);
    long second = audit().append(sparse);
    assertThat(second).isGreaterThan(first);
    List<Recorded> all = List.of(new Recorded(second, sparse), new Recorded(first, full));
    assertThat(audit().find(Query.newest(ALL))).isEqualTo(all);
    reopen();
    assertThat(audit().find(Query.newest(ALL))).isEqualTo(all);
    assertThat(append("later", null)).isGreaterThan(second);
  }

  @Test
  void hostileTextsAreKept() {
    for (String text : HOSTILE) {
      if (text.length() < 200) {
        String word = text.substring(0, Math.min(text.length(), 10));
        Event event = new Event(next(), text, word, text, word, text, text, word, text);
        Recorded recorded = new Recorded(audit().append(event), event);
        Query query = new Query(text, word, text, text, null, null, Long.MAX_VALUE, ALL);
        assertThat(audit().find(query)).containsExactly(recorded);
      }
    }
  }

  @Test
  void textsThatAreTooLongAreCutBetweenCharacters() {
    String two = "\u00e9".repeat(5_000);
    String four = "\ud83d\ude80".repeat(2_000);
    Event event = new Event(next(), two, four, two, two, four, two, "x".repeat(65), four);
    audit().append(event);
    Event found = audit().find(Query.newest(1)).getFirst().event();
    assertThat(found.caller()).isEqualTo("\u00e9".repeat(127));
    assertThat(found.via()).isEqualTo("\ud83d\ude80".repeat(16));
    assertThat(found.from()).isEqualTo("\u00e9".repeat(127));
    assertThat(found.operation()).isEqualTo("\u00e9".repeat(32));
    assertThat(found.host()).isEqualTo("\ud83d\ude80".repeat(255));
    assertThat(found.subject()).isEqualTo("\u00e9".repeat(1_023));
    assertThat(found.outcome()).isEqualTo("x".repeat(64));
    assertThat(found.detail()).isEqualTo("\ud83d\ude80".repeat(1_024));
    Query cut = new Query(two, two, four, two, null, null, Long.MAX_VALUE, 1);
    assertThat(audit().find(cut)).hasSize(1);
  }

  @Test
  void whatADatabaseCannotStoreIsReplaced() {
    Event event = event(next(), "account.add", "a\0b\ud83d");
    audit().append(event);
    assertThat(event.subject()).isEqualTo("a\ufffdb?");
    assertThat(audit().find(Query.newest(1)).getFirst().event()).isEqualTo(event);
  }

  @Test
  void anOperationIsFoundByItsNameOrItsFirstWords() {
    append("account", null);
    append("account.disable", null);
    append("account.disable.all", null);
    append("accounts.list", null);
    append("account-list", null);
    append("Account.disable", null);
    assertThat(found(ofOperation("account")))
        .containsExactly("account.disable.all", "account.disable", "account");
    assertThat(found(ofOperation("account.disable")))
        .containsExactly("account.disable.all", "account.disable");
    assertThat(found(ofOperation("account.dis"))).isEmpty();
    assertThat(found(ofOperation(""))).isEmpty();
  }

  @Test
  void eventsAreFoundByCallerHostAndSubject() {
    audit().append(by(next(), "alice", "a.example"));
    audit().append(by(next(), "alice", "b.example"));
    audit().append(by(next(), "Alice", "a.example"));
    append("account.add", "romeo@example.net");
    append("account.add", "juliet@example.net");
    Query alice = new Query("alice", null, null, null, null, null, Long.MAX_VALUE, ALL);
    assertThat(hosts(alice)).containsExactly("b.example", "a.example");
    Query both = new Query("alice", null, "a.example", null, null, null, Long.MAX_VALUE, ALL);
    assertThat(hosts(both)).containsExactly("a.example");
    Query romeo = new Query(null, null, null, "romeo@example.net", null, null, Long.MAX_VALUE, ALL);
    assertThat(audit().find(romeo))
        .extracting(each -> each.event().subject())
        .containsExactly("romeo@example.net");
  }

  private List<@Nullable String> hosts(Query query) {
    List<@Nullable String> hosts = new ArrayList<>();
    audit().find(query).forEach(each -> hosts.add(each.event().host()));
    return hosts;
  }

  @Test
  void eventsAreFoundByTheirTime() {
    append("first", null);
    append("second", null);
    append("third", null);
    Instant second = NOON.plusSeconds(20);
    assertThat(found(ofTime(second, null))).containsExactly("third", "second");
    assertThat(found(ofTime(null, second))).containsExactly("first");
    assertThat(found(ofTime(second, second.plusNanos(1_000)))).containsExactly("second");
    assertThat(found(ofTime(second.plusNanos(1_000), null))).containsExactly("third");
  }

  @Test
  void pagesFollowEachOther() {
    IntStream.range(0, 7).forEach(i -> append(i % 2 == 0 ? "even" : "odd." + i, null));
    Query page = Query.newest(3);
    List<Recorded> first = audit().find(page);
    List<Recorded> second = audit().find(page.before(first.getLast().id()));
    List<Recorded> third = audit().find(page.before(second.getLast().id()));
    assertThat(List.of(first.size(), second.size(), third.size())).isEqualTo(List.of(3, 3, 1));
    List<Recorded> all = new ArrayList<>(first);
    all.addAll(second);
    all.addAll(third);
    assertThat(all).isEqualTo(audit().find(Query.newest(ALL)));
    Query odd = new Query(null, "odd", null, null, null, null, first.getLast().id(), 1);
    assertThat(found(odd)).containsExactly("odd.3");
  }

  /// The clock may have been set back.
  @Test
  void eventsAreInTheOrderOfTheirTimes() {
    append("a", null);
    append("b", null);
    append("c", null);
    audit().append(event(NOON.plusSeconds(20), "b2", null));
    audit().append(event(NOON.plusSeconds(5), "first", null));
    List<Recorded> all = audit().find(Query.newest(ALL));
    assertThat(all)
        .extracting(each -> each.event().operation())
        .containsExactly("c", "b2", "b", "a", "first");
    for (int i = 0; i < all.size(); i++) {
      assertThat(audit().find(Query.newest(2).before(all.get(i).id())))
          .isEqualTo(all.subList(i + 1, Math.min(all.size(), i + 3)));
    }
    assertThat(audit().find(Query.newest(2).before(all.getLast().id() + 1))).isEmpty();
    assertThat(found(ofTime(null, NOON.plusSeconds(20)))).containsExactly("a", "first");
  }

  @Test
  void aPageHasABound() {
    assertThatThrownBy(() -> Query.newest(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Query.newest(AuditStore.MAX_PAGE + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theOldestEventsAreErased() {
    IntStream.range(0, 6).forEach(i -> append("o" + i, null));
    Instant fifth = NOON.plusSeconds(50);
    assertThat(audit().erase(fifth, 3)).isEqualTo(3);
    assertThat(found(Query.newest(ALL))).containsExactly("o5", "o4", "o3");
    assertThat(audit().erase(fifth, 3)).isEqualTo(1);
    assertThat(audit().erase(fifth, 3)).isZero();
    assertThat(audit().count()).isEqualTo(2);
    reopen();
    assertThat(found(Query.newest(ALL))).containsExactly("o5", "o4");
  }

  @Test
  void eventsAtOnceAreAllRecorded() {
    Instant now = next();
    atOnce(100, i -> audit().append(event(now, "o" + i, null)));
    assertThat(audit().count()).isEqualTo(100);
    assertThat(audit().find(Query.newest(ALL)).stream().map(Recorded::id).distinct()).hasSize(100);
  }

  /// Not more than the database server takes for a row or a key of an index.
  @Test
  void theLongestEventIsStored() {
    String text = "\u6f22".repeat(2_000);
    Event event = new Event(next(), text, text, text, text, text, text, text, text);
    assertThat(length(event.subject())).isEqualTo(AuditStore.MAX_SUBJECT_BYTES - 1);
    audit().append(event);
    assertThat(audit().find(Query.newest(1)).getFirst().event()).isEqualTo(event);
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
