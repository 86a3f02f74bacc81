package im.zonda.app.noloss.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.noloss.KilledServer;
import im.zonda.testkit.noloss.NoLossPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// Publish-subscribe nodes on the packaged server that is killed while clients publish: what was
/// answered with a result, or of what subscribers were notified, is there, and every item once.
///
/// More than the usual few lives: `-Dzonda.nodes.lives=100`.
class NodesNoLossIT {
  private static final int PUBLISHERS = 4;

  /// Items of one account and one creator in a run.
  private static final String MANY_ITEMS =
      """
      [limits.pubsub]
      notifications = 0
      items = 1000000
      bytes = "1GiB"
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void nothingAnsweredIsLostAtNodes() throws Exception {
    int kills = Integer.getInteger("zonda.nodes.lives", 4);
    SplittableRandom random = new SplittableRandom(Long.getLong("zonda.nodes.seed", 4711));
    List<String> names = IntStream.range(0, PUBLISHERS).mapToObj(i -> "editor" + i).toList();
    try (KilledServer server = new KilledServer(folder, NoLossPlan.DOMAIN, true, "", MANY_ITEMS)) {
      server.addAccounts(names);
      server.start();
      CountDownLatch over = new CountDownLatch(1);
      CountDownLatch seen = new CountDownLatch(1);
      List<Publisher> publishers =
          names.stream().map(name -> new Publisher(name, server.lives(), seen, over)).toList();
      List<Thread> threads = publishers.stream().map(Thread::startVirtualThread).toList();
      for (int life = 0; life < kills; life++) {
        assertThat(server.lives(random.nextLong(600, 1_500))).as("it has died by itself").isTrue();
        server.kill();
        server.start();
      }
      do {
        assertThat(server.lives(random.nextLong(600, 1_500))).as("it has died by itself").isTrue();
      } while (seen.getCount() > 0 && threads.stream().anyMatch(Thread::isAlive));
      over.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      // Whatever was answered up to the last moment.
      server.kill();
      server.start();
      List<String> violations = new ArrayList<>(server.errors());
      for (Publisher each : publishers) {
        violations.addAll(each.judge());
      }
      int answered = publishers.stream().mapToInt(Publisher::answered).sum();
      int notified = publishers.stream().mapToInt(Publisher::notified).sum();
      System.out.println(
          "nodes no-loss: kills="
              + (kills + 1)
              + " answered="
              + answered
              + " notified="
              + notified);
      assertThat(violations).as("answered=%d notified=%d", answered, notified).isEmpty();
      assertThat(answered).isPositive();
      assertThat(notified).isPositive();
    }
  }
}
