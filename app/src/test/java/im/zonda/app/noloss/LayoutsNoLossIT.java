package im.zonda.app.noloss;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.app.noloss.NoLossOptions.Layout;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The no-loss checker on two servers, and on a server with edges. A class of its own beside
/// [NoLossIT], so that another process can run it meanwhile: a run waits more than it computes.
class LayoutsNoLossIT {
  private static final int KILLS = NoLossIT.ALL ? 20 : 1;

  @Test
  @Timeout(value = 600, unit = TimeUnit.SECONDS)
  void nothingAcknowledgedIsLostBetweenTwoServers() throws Exception {
    assertClean(Layout.FEDERATION, "federation");
  }

  @Test
  @Timeout(value = 600, unit = TimeUnit.SECONDS)
  void nothingAcknowledgedIsLostBehindEdges() throws Exception {
    assertClean(Layout.EDGES, "edges");
  }

  private static void assertClean(Layout layout, String name) throws Exception {
    assumeTrue(NoLossOptions.given() == null, "a run of another length was asked for");
    NoLossIT.assertClean(NoLossOptions.of(layout, KILLS, 4711, true), name);
  }
}
