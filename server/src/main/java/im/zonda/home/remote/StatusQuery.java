package im.zonda.home.remote;

import im.zonda.home.HomeTask;
import im.zonda.home.Homes;
import im.zonda.jid.Jid;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Asks all loaded homes for their status.
record StatusQuery(Homes<DomainPairQueue> homes) {
  /// Waits for the answers, no longer than that time.
  List<RemoteLinkStatus> run(Duration patience) {
    List<Jid> loaded = homes.addresses();
    Queue<RemoteLinkStatus> answers = new ConcurrentLinkedQueue<>();
    CountDownLatch waiting = new CountDownLatch(loaded.size());
    HomeTask<DomainPairQueue> ask =
        new HomeTask<>() {
          @Override
          public void run(DomainPairQueue home) {
            answers.add(home.status());
            waiting.countDown();
          }

          @Override
          public void failed(Throwable cause) {
            waiting.countDown(); // reported by the mailbox
          }
        };
    for (Jid address : loaded) {
      if (!homes.submitIfLoaded(address, ask)) {
        waiting.countDown();
      }
    }
    try {
      boolean _ = waiting.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.copyOf(answers);
  }
}
