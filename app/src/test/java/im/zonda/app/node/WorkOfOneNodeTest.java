package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Periodic work on what all nodes share, such as the retention of archives, is done by one node.
@Timeout(60)
class WorkOfOneNodeTest {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final AtomicInteger instances = new AtomicInteger();
  private final BlockingQueue<Integer> done = new LinkedBlockingQueue<>();

  /// Says at each run which of the nodes it is on; these are counted as they start.
  private final class Worker implements XmppModule {
    private final int node = instances.getAndIncrement();

    @Override
    public String name() {
      return "worker";
    }

    @Override
    public void install(ModuleContext context) {
      context.everyAtOneNode(PERIOD, PERIOD, () -> done.add(node));
    }
  }

  @Test
  void oneNodeWorksAndAnotherTakesOver() throws Exception {
    FakeClock clock = new FakeClock();
    ServerPlan plan = ServerPlan.of(() -> List.<XmppModule>of(new Worker())).withClock(clock);
    try (TestCluster cluster = TestCluster.start(plan, 3)) {
      List<Member> started = cluster.members();
      for (int left = 3; left > 0; left--) {
        int worker = onlyWorker(cluster);
        Member at = started.get(worker);
        assertThat(at).isEqualTo(cluster.homeOf("example.org/worker"));
        if (left > 1) {
          cluster.kill(at);
          done.clear();
        }
      }
    }
  }

  private int onlyWorker(TestCluster cluster) throws InterruptedException {
    Set<Integer> workers = new HashSet<>();
    for (int runs = 0; runs < 10; ) {
      cluster.advance(PERIOD);
      Integer node = done.poll(50, TimeUnit.MILLISECONDS);
      if (node != null) {
        workers.add(node);
        runs++;
      }
    }
    assertThat(workers).hasSize(1);
    return workers.iterator().next();
  }
}
