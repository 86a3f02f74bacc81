package im.zonda.app.noloss.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.app.noloss.RunResult;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The no-loss checker over three nodes and PostgreSQL: one node is killed, and in `./zonda test
/// --all` one restarted, too. Longer runs: `./zonda test --no-loss --cluster`.
/// `docs/reliability.md` says what it shows.
class ClusterNoLossIT {
  @Test
  @Timeout(value = 240, unit = TimeUnit.SECONDS)
  void nothingAcknowledgedIsLostOverNodes() throws Exception {
    assumeTrue(ClusterOptions.given() == null, "a run of another length was asked for");
    ClusterFault[] faults =
        Boolean.getBoolean("zonda.test.all")
            ? new ClusterFault[] {ClusterFault.KILL, ClusterFault.RESTART}
            : new ClusterFault[] {ClusterFault.KILL};
    assertClean(ClusterOptions.inOrder(4711, faults), "cluster");
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.DAYS)
  void nothingAcknowledgedIsLostForLonger() throws Exception {
    ClusterOptions options = ClusterOptions.given();
    assumeTrue(options != null, "no length was asked for");
    if (options != null) {
      assertClean(options, "long");
    }
  }

  private static void assertClean(ClusterOptions options, String name) throws Exception {
    Path folder = RunResult.emptyFolder(name);
    RunResult result = new ClusterNoLossRun(options, folder).run();
    System.out.println(result.line());
    result.assertClean(folder);
  }
}
