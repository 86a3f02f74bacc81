package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Contract of the message log.
public abstract class MessageLogContract extends StoresContract {
  @BeforeEach
  void accounts() {
    makeAccounts(ROMEO, JULIET);
  }

  @Test
  void idsAreTimesAndGrowWhileTheClockStands() {
    long first = stores.messages().nextId();
    assertThat(MessageLog.timeOf(first)).isEqualTo(NOON);
    assertThat(stores.messages().nextId()).isGreaterThan(first);
    clock.set(NOON.plusSeconds(1));
    assertThat(MessageLog.timeOf(stores.messages().nextId())).isEqualTo(NOON.plusSeconds(1));
  }

  @Test
  void idsGrowAcrossAStartWithTheClockSetBackEvenIfNothingWasStored() {
    long last = 0;
    for (int i = 0; i < 100; i++) {
      last = stores.messages().nextId();
    }
    clock.set(NOON.minus(Duration.ofDays(400)));
    reopen();
    assertThat(stores.messages().nextId()).isGreaterThan(last);
    clock.set(NOON.plus(Duration.ofDays(1)));
    assertThat(MessageLog.timeOf(stores.messages().nextId()))
        .isEqualTo(NOON.plus(Duration.ofDays(1)));
  }

  @Test
  void returnsWaitingEntriesInOrderAsTheyWere() {
    List<MessageLog.Entry> entries = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      entries.add(entry(i % 3 == 0 ? JULIET : ROMEO, JULIET, "message " + i));
      store(entries.getLast(), i % 2 == 0 ? Keep.ARCHIVE : Keep.UNTIL_DELIVERED);
    }
    List<MessageLog.Entry> expected =
        entries.stream().filter(entry -> entry.owner().equals(ROMEO)).toList();
    for (int round = 0; round < 2; round++) {
      List<MessageLog.Entry> waiting = stores.messages().waiting(ROMEO, 0, 1_000);
      assertThat(waiting).hasSameSizeAs(expected);
      for (int i = 0; i < expected.size(); i++) {
        assertThat(waiting.get(i).id()).isEqualTo(expected.get(i).id());
        assertThat(waiting.get(i).owner()).isEqualTo(ROMEO);
        assertThat(waiting.get(i).with()).isEqualTo(JULIET);
        assertThat(waiting.get(i).message().toElement())
            .isEqualTo(expected.get(i).message().toElement());
      }
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(expected.size());
      reopen();
    }
  }

  @Test
  void pagesThroughWaitingEntries() {
    for (int i = 0; i < 10; i++) {
      store(entry(ROMEO, JULIET, "" + i), Keep.ARCHIVE);
    }
    List<MessageLog.Entry> page = stores.messages().waiting(ROMEO, 0, 4);
    assertThat(page).extracting(StoresContract::body).containsExactly("0", "1", "2", "3");
    page = stores.messages().waiting(ROMEO, page.getLast().id(), 4);
    assertThat(page).extracting(StoresContract::body).containsExactly("4", "5", "6", "7");
    page = stores.messages().waiting(ROMEO, page.getLast().id(), 4);
    assertThat(page).extracting(StoresContract::body).containsExactly("8", "9");
    assertThat(stores.messages().waiting(ROMEO, page.getLast().id(), 4)).isEmpty();
    assertThat(stores.messages().waiting(ROMEO, 0, 0)).isEmpty();
  }

  @Test
  void pagesEndWhenTheyHaveSoManyBytes() {
    for (int i = 0; i < 6; i++) {
      store(entry(ROMEO, JULIET, i + "x".repeat(1_000)), Keep.ARCHIVE);
    }
    List<MessageLog.Entry> page = stores.messages().waiting(ROMEO, 0, 10, 2_500);
    assertThat(page).hasSize(3);
    assertThat(stores.messages().waiting(ROMEO, page.getLast().id(), 10, 1)).hasSize(1);
    page = stores.messages().waiting(ROMEO, page.getLast().id(), 10, 100_000);
    assertThat(page).hasSize(3);
    assertThat(stores.messages().waiting(ROMEO, page.getLast().id(), 10, 1)).isEmpty();
  }

  @Test
  void copiesThatDoNotWaitAreNotReturned() {
    stores.messages().append(entry(ROMEO, JULIET, "sent"), Keep.ARCHIVE, false);
    stores.messages().append(entry(ROMEO, JULIET, "gone"), Keep.UNTIL_DELIVERED, false);
    assertThat(waiting(ROMEO)).isEmpty();
    assertThat(stores.messages().waitingCount(ROMEO)).isZero();
  }

  @Test
  void deliveredEntriesNoLongerWait() {
    for (Keep keep : Keep.values()) {
      store(entry(ROMEO, JULIET, "at once"), keep).delivered();
      Receipt later = store(entry(ROMEO, JULIET, "later"), keep);
      Receipt never = store(entry(ROMEO, JULIET, "never " + keep), keep);
      stores.messages().flush();
      later.delivered();
      later.delivered();
      never.whenCommitted(() -> {});
    }
    assertThat(waiting(ROMEO)).containsExactly("never ARCHIVE", "never UNTIL_DELIVERED");
    reopen();
    assertThat(waiting(ROMEO)).containsExactly("never ARCHIVE", "never UNTIL_DELIVERED");
  }

  @Test
  void deliveredByIdsConcernsTheOwnerOnly() {
    List<MessageLog.Entry> entries = new ArrayList<>();
    for (Keep keep : Keep.values()) {
      for (int i = 0; i < 20; i++) {
        entries.add(entry(ROMEO, JULIET, keep + " " + i));
        store(entries.getLast(), keep);
      }
    }
    List<Long> ids = entries.stream().map(MessageLog.Entry::id).toList();
    stores.messages().delivered(JULIET, ids);
    stores.messages().delivered(Jid.of("nobody@example.net"), ids);
    stores.messages().delivered(ROMEO, List.of());
    assertThat(waiting(ROMEO)).hasSize(40);
    stores.messages().delivered(ROMEO, ids.subList(1, 39));
    stores.messages().delivered(ROMEO, ids.subList(1, 39));
    assertThat(waiting(ROMEO)).containsExactly("ARCHIVE 0", "UNTIL_DELIVERED 19");
    reopen();
    assertThat(waiting(ROMEO)).containsExactly("ARCHIVE 0", "UNTIL_DELIVERED 19");
  }

  @Test
  void actionsRunOnceWhenTheEntryIsDurable() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(3);
    List<String> order = new ArrayList<>();
    Receipt receipt = store(entry(ROMEO, JULIET, "x"), Keep.ARCHIVE);
    for (String name : List.of("first", "second", "third")) {
      receipt.whenCommitted(() -> {
        synchronized (order) {
          order.add(name);
        }
        ran.countDown();
      });
    }
    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    boolean[] now = new boolean[1];
    receipt.whenCommitted(() -> now[0] = true);
    assertThat(now[0]).isTrue();
    synchronized (order) {
      assertThat(order).containsExactlyInAnyOrder("first", "second", "third");
    }
  }

  @Test
  void anActionThatFailsDoesNotAffectOthers() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(2);
    Receipt receipt = store(entry(ROMEO, JULIET, "x"), Keep.ARCHIVE);
    Receipt next = store(entry(ROMEO, JULIET, "y"), Keep.ARCHIVE);
    try {
      receipt.whenCommitted(() -> {
        throw new IllegalStateException("the test's");
      });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("the test's"); // it was durable already
    }
    receipt.whenCommitted(ran::countDown);
    next.whenCommitted(ran::countDown);
    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(waiting(ROMEO)).containsExactly("x", "y");
  }

  @Test
  void entriesOfUnknownAccountsAreDroppedAndTheirSendersGoOn() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    Jid nobody = Jid.of("nobody@example.net");
    store(entry(nobody, JULIET, "x"), Keep.ARCHIVE).whenCommitted(ran::countDown);
    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    makeAccounts(nobody);
    assertThat(waiting(nobody)).isEmpty();
    store(entry(nobody, JULIET, "y"), Keep.ARCHIVE);
    assertThat(waiting(nobody)).containsExactly("y");
  }

  @Test
  void anEntryRightAfterItsAccountIsKept() {
    for (int i = 0; i < 20; i++) {
      Jid fresh = Jid.of("fresh" + i + "@example.net");
      makeAccounts(fresh);
      store(entry(fresh, JULIET, "hello"), Keep.UNTIL_DELIVERED);
      assertThat(waiting(fresh)).containsExactly("hello");
      assertThat(stores.accounts().remove(fresh)).isTrue();
      store(entry(fresh, JULIET, "late"), Keep.UNTIL_DELIVERED);
      assertThat(waiting(fresh)).isEmpty();
    }
  }

  @Test
  void keepsAnyTextAndAnyXml() {
    List<String> bodies =
        HOSTILE.stream().filter(text -> text.chars().allMatch(c -> c >= ' ' || c == '\n')).toList();
    bodies.forEach(text -> store(entry(ROMEO, JULIET, text), Keep.ARCHIVE));
    Message rich =
        Message.of(
            Message.Type.HEADLINE,
            Jid.of("juliet@example.net/балкон '\"\\"),
            ROMEO,
            "'\"&<>",
            List.of(
                Element.builder("urn:example:a", "x")
                    .attribute("q", "'; drop table message; --")
                    .child(Element.builder("urn:example:b", "y").text("]]>").build())
                    .build()));
    store(
        new MessageLog.Entry(
            ROMEO, stores.messages().nextId(), Jid.of("juliet@example.net/балкон '\"\\"), rich),
        Keep.UNTIL_DELIVERED);
    reopen();
    List<MessageLog.Entry> waiting = stores.messages().waiting(ROMEO, 0, 1_000);
    assertThat(waiting.subList(0, bodies.size()))
        .extracting(StoresContract::body)
        .isEqualTo(bodies);
    assertThat(waiting.getLast().message().toElement()).isEqualTo(rich.toElement());
    assertThat(waiting.getLast().with()).isEqualTo(rich.from());
  }

  @Test
  void keepsALargeMessage() {
    String text = "漢".repeat(200_000);
    store(entry(ROMEO, JULIET, text), Keep.ARCHIVE);
    reopen();
    assertThat(waiting(ROMEO)).containsExactly(text);
  }

  @Test
  void groupsOfEverySizeKeepAllEntriesInOrder() {
    int total = 0;
    for (int size : new int[] {1, 2, 3, 4, 5, 15, 16, 17, 20, 63, 64, 65, 84, 129, 512, 513, 700}) {
      for (int i = 0; i < size; i++) {
        store(entry(ROMEO, JULIET, "" + total++), Keep.ARCHIVE);
      }
      stores.messages().flush();
    }
    assertThat(stores.messages().waiting(ROMEO, 0, 10_000))
        .extracting(StoresContract::body)
        .isEqualTo(IntStream.range(0, total).mapToObj(i -> "" + i).toList());
  }

  @Test
  void closeKeepsWhatWasAccepted() {
    for (int i = 0; i < 2_000; i++) {
      store(entry(ROMEO, JULIET, "" + i), Keep.UNTIL_DELIVERED);
    }
    reopen();
    assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(2_000);
  }

  @Test
  void aClosedStoreRejectsCalls() {
    stores.close();
    MessageLog log = stores.messages();
    MessageLog.Entry entry = new MessageLog.Entry(ROMEO, 1, JULIET, message(JULIET, ROMEO, "x"));
    List<Runnable> calls =
        List.of(
            () -> log.append(entry, Keep.ARCHIVE, true),
            () -> log.waiting(ROMEO, 0, 1),
            log::flush,
            () -> stores.accounts().find(ROMEO),
            () -> stores.accounts().remove(ROMEO),
            () -> stores.rosters().load(ROMEO),
            () -> stores.keyValues("vcard").put(ROMEO, "a", new byte[0]));
    for (Runnable call : calls) {
      assertThatThrownBy(call::run)
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.category()).isEqualTo(StoreException.Category.CLOSED));
    }
    log.delivered(ROMEO, List.of(1L));
    stores.close();
  }

  @Test
  void aMessageWithoutBodyIsKeptToo() {
    Message marker =
        Message.of(
            Message.Type.NORMAL, null, null, null, List.of(Element.of("urn:example", "marker")));
    store(new MessageLog.Entry(ROMEO, stores.messages().nextId(), JULIET, marker), Keep.ARCHIVE);
    assertThat(stores.messages().waiting(ROMEO, 0, 10))
        .singleElement()
        .satisfies(
            entry -> assertThat(entry.message().has(new QName("urn:example", "marker"))).isTrue())
        .satisfies(entry ->
            assertThat(entry.message().has(new QName(Namespaces.CLIENT, "body"))).isFalse());
  }
}
