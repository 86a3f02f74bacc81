package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Contract of the message log under concurrent use.
public abstract class MessageLogStormContract extends StoresContract {
  private static final int THREADS = 24;
  private static final int EACH = 400;

  @Test
  void everyReceiptOfConcurrentAppendsIsCommittedOnce() throws InterruptedException {
    List<Jid> owners = owners();
    AtomicInteger committed = new AtomicInteger();
    inParallel(number -> {
      for (int i = 0; i < EACH; i++) {
        store(entry(owners.get(number), ROMEO, number + "/" + i), Keep.ARCHIVE)
            .whenCommitted(committed::incrementAndGet);
      }
    });
    stores.messages().flush();
    assertThat(committed.get()).isEqualTo(THREADS * EACH);
    reopen();
    for (int number = 0; number < THREADS; number++) {
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < EACH; i++) {
        expected.add(number + "/" + i);
      }
      assertThat(waiting(owners.get(number))).isEqualTo(expected);
    }
  }

  @Test
  void idsAreUniqueAcrossThreads() throws InterruptedException {
    Set<Long> ids = ConcurrentHashMap.newKeySet();
    inParallel(number -> {
      long before = 0;
      for (int i = 0; i < EACH; i++) {
        long id = stores.messages().nextId();
        assertThat(id).isGreaterThan(before);
        before = id;
        ids.add(id);
      }
    });
    assertThat(ids).hasSize(THREADS * EACH);
  }

  @Test
  void deliveriesThatRaceWithCommitsLeaveTheRightEntriesWaiting() throws InterruptedException {
    List<Jid> owners = owners();
    Set<String> left = ConcurrentHashMap.newKeySet();
    Queue<Receipt> receipts = new ConcurrentLinkedQueue<>();
    inParallel(number -> {
      Random random = new Random(number);
      List<Receipt> later = new ArrayList<>();
      for (int i = 0; i < EACH; i++) {
        Keep keep = random.nextBoolean() ? Keep.ARCHIVE : Keep.UNTIL_DELIVERED;
        String body = number + "/" + i;
        MessageLog.Entry entry = entry(owners.get(number), ROMEO, body);
        Receipt receipt = store(entry, keep);
        receipts.add(receipt);
        switch (random.nextInt(5)) {
          case 0 -> receipt.delivered();
          case 1 -> later.add(receipt);
          case 2 -> receipt.whenCommitted(receipt::delivered);
          case 3 -> stores.messages().delivered(entry.owner(), List.of(entry.id()));
          default -> left.add(body);
        }
        if (later.size() > 10) {
          later.forEach(Receipt::delivered);
          later.clear();
        }
      }
      later.forEach(Receipt::delivered);
    });
    // What is delivered when it is committed has been delivered.
    CountDownLatch ended = new CountDownLatch(receipts.size());
    receipts.forEach(receipt -> receipt.whenCommitted(ended::countDown));
    ended.await();
    Set<String> found = ConcurrentHashMap.newKeySet();
    owners.forEach(owner -> found.addAll(waiting(owner)));
    assertThat(found).isEqualTo(left);
    reopen();
    found.clear();
    owners.forEach(owner -> found.addAll(waiting(owner)));
    assertThat(found).isEqualTo(left);
  }

  @Test
  void everyReaderSeesItsOwnAppends() throws InterruptedException {
    List<Jid> owners = owners();
    inParallel(number -> {
      for (int i = 1; i <= 40; i++) {
        store(entry(owners.get(number), ROMEO, "x"), Keep.ARCHIVE);
        assertThat(stores.messages().waitingCount(owners.get(number))).isEqualTo(i);
        assertThat(stores.messages().waiting(owners.get(number), 0, 1_000)).hasSize(i);
      }
    });
  }

  private List<Jid> owners() {
    List<Jid> owners = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      owners.add(Jid.of("user" + i + "@example.net"));
    }
    makeAccounts(owners.toArray(new Jid[0]));
    return owners;
  }

  private interface Task {
    void run(int number);
  }

  private static void inParallel(Task task) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      threads.add(
          Thread.ofVirtual()
              .unstarted(() -> {
                try {
                  task.run(number);
                } catch (Throwable e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }
}
