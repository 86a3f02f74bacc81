package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Page;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Contract of the archive.
public abstract class MessageArchiveContract extends StoresContract {
  private static final long SEED = 20261121;
  private static final long BYTES = 1L << 30;
  private static final List<String> WORDS = List.of("hail", "to", "thee", "Übermut", "漢字", "l'été");

  /// Whether tests may take long.
  protected static final boolean ALL = Boolean.getBoolean("zonda.test.all");

  private final Random random = new Random(SEED);

  public MessageArchiveContract() {
    settings = new Storage(true, true, 0, 512, true);
  }

  @BeforeEach
  void accounts() {
    makeAccounts(ROMEO, JULIET);
  }

  private MessageLog.Entry archived(Jid owner, Jid with, String body) {
    MessageLog.Entry entry = entry(owner, with, body);
    stores.messages().append(entry, Keep.ARCHIVE, false);
    return entry;
  }

  private static Filter with(Jid jid) {
    return new Filter(jid, Long.MIN_VALUE, Long.MAX_VALUE, null, null);
  }

  private static Filter text(String text) {
    return new Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, null, text);
  }

  private Page page(Filter filter) {
    return stores.archive().page(ROMEO, filter, new Portion(false, 1_000, BYTES));
  }

  private List<String> bodies(Filter filter) {
    return page(filter).entries().stream().map(StoresContract::body).toList();
  }

  @Test
  void showsEntriesAsTheyWereAndAtOnce() {
    MessageLog.Entry entry = archived(ROMEO, Jid.of("juliet@example.net/balcony"), "hi");
    MessageLog.Entry found = page(Filter.ALL).entries().getFirst();
    assertThat(found.id()).isEqualTo(entry.id());
    assertThat(found.owner()).isEqualTo(ROMEO);
    assertThat(found.with()).isEqualTo(entry.with());
    assertThat(found.message().toElement()).isEqualTo(entry.message().toElement());
    assertThat(stores.archive().page(JULIET, Filter.ALL, new Portion(false, 9, BYTES)).entries())
        .isEmpty();
  }

  @Test
  void holdsWhatWaitsButNotWhatGoesAfterDelivery() {
    store(entry(ROMEO, JULIET, "waits"), Keep.ARCHIVE);
    store(entry(ROMEO, JULIET, "goes"), Keep.UNTIL_DELIVERED);
    store(entry(ROMEO, JULIET, "read"), Keep.ARCHIVE).delivered();
    assertThat(bodies(Filter.ALL)).containsExactly("waits", "read");
    reopen();
    assertThat(bodies(Filter.ALL)).containsExactly("waits", "read");
  }

  @Test
  void aBareAddressStandsForItsResources() {
    List<String> addresses =
        List.of("a@x.example", "a@x.example/1", "a@x.example/1/2", "aa@x.example", "x.example/a");
    addresses.forEach(address -> archived(ROMEO, Jid.of(address), address));
    assertThat(bodies(with(Jid.of("a@x.example"))))
        .containsExactly("a@x.example", "a@x.example/1", "a@x.example/1/2");
    assertThat(bodies(with(Jid.of("a@x.example/1")))).containsExactly("a@x.example/1");
    assertThat(bodies(with(Jid.of("x.example")))).containsExactly("x.example/a");
    assertThat(bodies(with(Jid.of("b@x.example")))).isEmpty();
  }

  @Test
  void reportsWhichEntriesItHolds() {
    MessageLog.Entry own = archived(ROMEO, JULIET, "mine");
    MessageLog.Entry other = archived(JULIET, ROMEO, "hers");
    MessageLog.Entry passing = entry(ROMEO, JULIET, "passing");
    store(passing, Keep.UNTIL_DELIVERED);
    MessageArchive archive = stores.archive();
    assertThat(archive.holds(ROMEO, List.of())).isTrue();
    assertThat(archive.holds(ROMEO, List.of(own.id()))).isTrue();
    assertThat(archive.holds(ROMEO, List.of(own.id(), own.id() + 1_000))).isFalse();
    assertThat(archive.holds(ROMEO, List.of(own.id(), other.id()))).isFalse();
    assertThat(archive.holds(ROMEO, List.of(passing.id()))).isFalse();
    assertThat(archive.holds(Jid.of("nobody@example.net"), List.of(own.id()))).isFalse();
  }

  @Test
  void aPageEndsAtItsBytesButIsNeverEmptyForThem() {
    for (int i = 0; i < 10; i++) {
      archived(ROMEO, JULIET, i + "x".repeat(1_000));
    }
    MessageArchive archive = stores.archive();
    Page page = archive.page(ROMEO, Filter.ALL, new Portion(false, 100, 3_500));
    assertThat(page.entries()).hasSize(3);
    assertThat(page.complete()).isFalse();
    page = archive.page(ROMEO, Filter.ALL, new Portion(true, 100, 1));
    assertThat(body(page.entries().getFirst())).startsWith("9");
    assertThat(page.entries()).hasSize(1);
    assertThat(archive.page(ROMEO, Filter.ALL, new Portion(true, 0, 1)))
        .isEqualTo(new Page(List.of(), false));
    assertThat(archive.page(JULIET, Filter.ALL, new Portion(true, 0, 1)))
        .isEqualTo(new Page(List.of(), true));
  }

  @Test
  void findsWordsWhateverTheirCaseAndAccents() {
    archived(ROMEO, JULIET, "Hail to thee, Macbeth!");
    archived(ROMEO, JULIET, "L'ÉTÉ du Übermut");
    archived(ROMEO, JULIET, "漢字 kanji");
    archived(JULIET, ROMEO, "hail Juliet");
    for (int round = 0; round < 2; round++) {
      assertThat(bodies(text("hail"))).containsExactly("Hail to thee, Macbeth!");
      assertThat(bodies(text("MACBETH hail"))).containsExactly("Hail to thee, Macbeth!");
      assertThat(bodies(text("hail macbet"))).isEmpty();
      assertThat(bodies(text("ete ubermut"))).containsExactly("L'ÉTÉ du Übermut");
      assertThat(bodies(text("字"))).containsExactly("漢字 kanji");
      assertThat(bodies(text(" ,.- "))).isEmpty();
      for (int i = 0; i < 600; i++) {
        archived(JULIET, ROMEO, "noise hail"); // so that the words above come into the index
      }
      stores.messages().flush();
    }
  }

  @Test
  void row77_whatIsSearchedForIsNeverSyntax() {
    for (String hostile : HOSTILE) {
      archived(ROMEO, JULIET, "harmless " + hostile.replaceAll("[\\u0000-\\u001f]", " "));
    }
    for (int i = 0; i < 600; i++) {
      archived(JULIET, ROMEO, "noise");
    }
    stores.messages().flush();
    List<String> queries = new ArrayList<>(HOSTILE);
    queries.addAll(
        List.of(
            "\"",
            "harmless OR noise",
            "harm*",
            "words:harmless",
            "NEAR(a b)",
            "-x",
            "^harmless",
            "1_noise",
            "2_noise",
            "harmless\" OR \"noise",
            "{words} : a",
            "(",
            "a AND NOT b"));
    for (String query : queries) {
      assertThat(bodies(text(query))).as(query).allMatch(body -> body.startsWith("harmless"));
    }
    assertThat(bodies(text("harmless OR noise"))).isEmpty();
    assertThat(bodies(text("2_noise"))).isEmpty();
  }

  @Test
  void anEntryThatComesLateHasItsPlace() {
    List<MessageLog.Entry> late = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      if (i % 1_000 == 500) {
        late.add(entry(ROMEO, JULIET, "late hail"));
      }
      archived(JULIET, ROMEO, "x");
    }
    stores.messages().flush();
    assertThat(page(Filter.ALL).entries()).isEmpty();
    late.reversed().forEach(entry -> stores.messages().append(entry, Keep.ARCHIVE, false));
    for (Filter filter : List.of(Filter.ALL, with(JULIET), text("late"))) {
      assertThat(page(filter).entries())
          .extracting(MessageLog.Entry::id)
          .containsExactlyElementsOf(late.stream().map(MessageLog.Entry::id).toList());
    }
  }

  private static Message tombstone(String words) {
    return Message.of(
        Message.Type.GROUPCHAT,
        JULIET,
        null,
        "gone",
        List.of(Element.builder(Namespaces.CLIENT, "body").text(words).build()));
  }

  /// Messages that have moved here from another server keep their times of years ago.
  @Test
  void anEntryOfAnotherServerKeepsItsTime() {
    MessageLog.Entry now = archived(ROMEO, JULIET, "now");
    long years = 1_600_000_000_000_000L;
    for (int i = 0; i < 3; i++) {
      MessageLog.Entry made = entry(ROMEO, JULIET, "then " + i);
      MessageLog.Entry then = new MessageLog.Entry(ROMEO, years + i, made.with(), made.message());
      stores.messages().append(then, Keep.ARCHIVE, i == 2);
    }
    stores.messages().flush();
    reopen();
    assertThat(page(Filter.ALL).entries())
        .extracting(MessageLog.Entry::id)
        .containsExactly(years, years + 1, years + 2, now.id());
    assertThat(bodies(new Filter(JULIET, years + 1, years + 9, null, null)))
        .containsExactly("then 1", "then 2");
    assertThat(stores.messages().waiting(ROMEO, Long.MIN_VALUE, 9))
        .extracting(MessageLog.Entry::id)
        .containsExactly(years + 2);
    assertThat(stores.messages().nextId()).isGreaterThan(now.id());
  }

  @Test
  void aReplacedMessageIsFoundInItsOldPlaceOnly() {
    Jid balcony = Jid.of("juliet@example.net/balcony");
    archived(ROMEO, JULIET, "hail before");
    MessageLog.Entry old = archived(ROMEO, balcony, "hail secret");
    archived(ROMEO, JULIET, "hail after");
    // Once while the words of the entry wait to be indexed, once when they are.
    for (String now : List.of("thee", "Macbeth")) {
      assertThat(stores.archive().replace(ROMEO, old.id(), tombstone("hail " + now))).isTrue();
      for (int round = 0; round < 2; round++) {
        assertThat(bodies(Filter.ALL)).containsExactly("hail before", "hail " + now, "hail after");
        MessageLog.Entry found = page(with(balcony)).entries().getFirst();
        assertThat(found.id()).isEqualTo(old.id());
        assertThat(found.with()).isEqualTo(balcony);
        assertThat(found.message().toElement()).isEqualTo(tombstone("hail " + now).toElement());
        assertThat(bodies(text("hail"))).hasSize(3);
        assertThat(bodies(text(now))).containsExactly("hail " + now);
        assertThat(bodies(text("secret"))).isEmpty();
        for (int i = 0; i < 600; i++) {
          archived(JULIET, ROMEO, "noise"); // so that words come into the index
        }
        stores.messages().flush();
        reopen();
      }
    }
    assertThat(bodies(text("thee"))).isEmpty();
  }

  @Test
  void whatWaitsStillWaitsWhenItIsReplaced() {
    MessageLog.Entry waits = entry(ROMEO, JULIET, "waits");
    MessageLog.Receipt receipt = store(waits, Keep.ARCHIVE);
    assertThat(stores.archive().replace(ROMEO, waits.id(), tombstone("replaced"))).isTrue();
    assertThat(waiting(ROMEO)).containsExactly("replaced");
    receipt.delivered();
    assertThat(waiting(ROMEO)).isEmpty();
    assertThat(bodies(Filter.ALL)).containsExactly("replaced");
  }

  @Test
  void onlyWhatIsInTheOwnersArchiveIsReplaced() {
    MessageLog.Entry hers = archived(JULIET, ROMEO, "hers");
    MessageLog.Entry passing = entry(ROMEO, JULIET, "passing");
    store(passing, Keep.UNTIL_DELIVERED);
    MessageArchive archive = stores.archive();
    assertThat(archive.replace(ROMEO, hers.id(), tombstone("x"))).isFalse();
    assertThat(archive.replace(ROMEO, passing.id(), tombstone("x"))).isFalse();
    assertThat(archive.replace(ROMEO, hers.id() + 1_000_000, tombstone("x"))).isFalse();
    assertThat(archive.replace(Jid.of("nobody@example.net"), hers.id(), tombstone("x"))).isFalse();
    assertThat(waiting(ROMEO)).containsExactly("passing");
    assertThat(archive.page(JULIET, Filter.ALL, new Portion(false, 9, BYTES)).entries())
        .extracting(StoresContract::body)
        .containsExactly("hers");
  }

  @Test
  void aNewAccountOfTheSameNameSeesNothing() {
    archived(ROMEO, JULIET, "hail");
    stores.accounts().remove(ROMEO);
    assertThat(page(Filter.ALL)).isEqualTo(new Page(List.of(), true));
    assertThat(stores.archive().purge(ROMEO, Long.MAX_VALUE, 0, 10)).isZero();
    makeAccounts(ROMEO);
    assertThat(bodies(Filter.ALL)).isEmpty();
    assertThat(bodies(text("hail"))).isEmpty();
  }

  @Test
  void purgesByAgeAndByCountInPortions() {
    List<MessageLog.Entry> all =
        IntStream.range(0, 10).mapToObj(i -> archived(ROMEO, JULIET, i + " hail")).toList();
    MessageArchive archive = stores.archive();
    assertThat(archive.purge(ROMEO, Long.MIN_VALUE, 10, 100)).isZero();
    assertThat(archive.purge(ROMEO, all.get(3).id(), Integer.MAX_VALUE, 2)).isEqualTo(2);
    assertThat(archive.purge(ROMEO, all.get(3).id(), Integer.MAX_VALUE, 2)).isEqualTo(1);
    assertThat(archive.purge(ROMEO, all.get(3).id(), Integer.MAX_VALUE, 2)).isZero();
    assertThat(page(Filter.ALL).entries().getFirst().id()).isEqualTo(all.get(3).id());
    assertThat(archive.purge(ROMEO, Long.MIN_VALUE, 5, 100)).isEqualTo(2);
    assertThat(archive.purge(ROMEO, Long.MIN_VALUE, 5, 100)).isZero();
    assertThat(page(text("hail")).entries()).hasSize(5);
    assertThat(archive.holds(ROMEO, List.of(all.get(4).id()))).isFalse();
    assertThat(archive.purge(ROMEO, Long.MIN_VALUE, 0, 100)).isEqualTo(5);
    assertThat(bodies(Filter.ALL)).isEmpty();
  }

  @Test
  void whatWaitsIsNotPurgedNorWhatFollowsIt() {
    archived(ROMEO, JULIET, "old");
    MessageLog.Entry waits = entry(ROMEO, JULIET, "waits");
    MessageLog.Receipt receipt = store(waits, Keep.ARCHIVE);
    archived(ROMEO, JULIET, "new");
    MessageArchive archive = stores.archive();
    assertThat(archive.purge(ROMEO, Long.MAX_VALUE, 0, 10)).isEqualTo(1);
    assertThat(bodies(Filter.ALL)).containsExactly("waits", "new");
    assertThat(waiting(ROMEO)).containsExactly("waits");
    receipt.delivered();
    assertThat(archive.purge(ROMEO, Long.MAX_VALUE, 0, 10)).isEqualTo(2);
  }

  /// Rounds of [#pagesAreThoseOfANaiveModel]; those of six have more entries than a slice of the
  /// index.
  protected int rounds() {
    return ALL ? 8 : 6;
  }

  /// Random archives and queries: the result equals that of a list and a loop. There are enough
  /// entries for every part of the index.
  @Test
  void pagesAreThoseOfANaiveModel() {
    List<MessageLog.Entry> model = new ArrayList<>();
    for (int round = 0; round < rounds(); round++) {
      for (int i = 0; i < 12_000; i++) {
        Jid owner = random.nextInt(20) == 0 ? ROMEO : JULIET;
        Jid with =
            Jid.of(
                "peer" + random.nextInt(3),
                "example.net",
                random.nextBoolean() ? null : "r" + random.nextInt(2));
        String body =
            WORDS.get(random.nextInt(WORDS.size())) + " " + WORDS.get(random.nextInt(WORDS.size()));
        MessageLog.Entry entry = archived(owner, with, body);
        if (owner.equals(ROMEO)) {
          model.add(entry);
        }
        if (i % 1_500 == 0) {
          ask(model);
        }
      }
      if (round == 3) {
        reopen();
      }
      if (round == 5) {
        purge(model, model.get(500).id(), Integer.MAX_VALUE, 500);
      }
      for (int i = 0; i < 25; i++) {
        ask(model);
      }
    }
    purge(model, Long.MIN_VALUE, 700, model.size() - 700);
    ask(model);
  }

  /// Removes the oldest entries, `wanted` of them. After [#reopen] the index may not know all yet.
  private void purge(List<MessageLog.Entry> model, long before, int newest, int wanted) {
    int gone = 0;
    while (gone < wanted) { // the build has a limit of time
      gone += stores.archive().purge(ROMEO, before, newest, 100_000);
    }
    assertThat(gone).isEqualTo(wanted);
    assertThat(stores.archive().purge(ROMEO, before, newest, 100_000)).isZero();
    model.subList(0, wanted).clear();
  }

  /// Pages through all that a random filter leaves, in one direction or the other.
  private void ask(List<MessageLog.Entry> model) {
    Filter filter = filter(model);
    boolean backwards = random.nextBoolean();
    int max = 1 + random.nextInt(60);
    List<Long> expected =
        model.stream().filter(entry -> matches(entry, filter)).map(MessageLog.Entry::id).toList();
    List<Long> found = new ArrayList<>();
    long from = filter.from();
    long to = filter.to();
    for (int pages = 0; pages < 6; pages++) {
      Filter rest = new Filter(filter.with(), from, to, filter.ids(), filter.text());
      Page page = stores.archive().page(ROMEO, rest, new Portion(backwards, max, BYTES));
      List<Long> ids = page.entries().stream().map(MessageLog.Entry::id).toList();
      found.addAll(backwards ? 0 : found.size(), ids);
      if (page.complete()) {
        assertThat(found).as("%s", filter).isEqualTo(expected);
        return;
      }
      assertThat(ids).hasSize(max);
      from = backwards ? from : ids.getLast() + 1;
      to = backwards ? ids.getFirst() - 1 : to;
    }
    assertThat(found)
        .as("%s", filter)
        .isEqualTo(
            backwards
                ? expected.subList(expected.size() - found.size(), expected.size())
                : expected.subList(0, found.size()));
  }

  private Filter filter(List<MessageLog.Entry> model) {
    Jid with =
        switch (random.nextInt(4)) {
          case 0 -> Jid.of("peer1@example.net");
          case 1 -> Jid.of("peer2@example.net/r1");
          default -> null;
        };
    long from = random.nextInt(3) == 0 ? anyId(model) : Long.MIN_VALUE;
    long to = random.nextInt(3) == 0 ? anyId(model) : Long.MAX_VALUE;
    Set<Long> ids = null;
    if (random.nextInt(6) == 0) {
      ids = new HashSet<>();
      for (int i = 0; i < 10; i++) {
        ids.add(anyId(model));
      }
    }
    String text = random.nextInt(4) == 0 ? WORDS.get(random.nextInt(WORDS.size())) : null;
    return new Filter(with, from, to, ids, text);
  }

  private long anyId(List<MessageLog.Entry> model) {
    return model.isEmpty() ? 0 : model.get(random.nextInt(model.size())).id();
  }

  private static boolean matches(MessageLog.Entry entry, Filter filter) {
    @Nullable Jid with = filter.with();
    @Nullable String text = filter.text();
    return entry.id() >= filter.from()
        && entry.id() <= filter.to()
        && (with == null
            || entry.with().equals(with)
            || (with.resource() == null && entry.with().bare().equals(with)))
        && (filter.ids() == null || filter.ids().contains(entry.id()))
        && (text == null || body(entry).contains(text));
  }
}
