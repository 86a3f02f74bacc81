package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.placement.Placement;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A node dies to which the clients of many sessions of another one are connected.
class LostStreamsTest {
  private static final int STREAMS = 40;
  private static final int HOME = 0;
  private static final int STREAM = 1;

  private final CountingHomes homes = new CountingHomes();
  private final TestNodes nodes = new TestNodes(List.of(homes, new CountingHomes()));

  private void connect() {
    Placement both = nodes.placement(HOME, STREAM);
    nodes.all().forEach(node -> node.installed(both));
    nodes.run();
    for (int i = 0; i < STREAMS; i++) {
      SessionEnd link = nodes.get(STREAM).ports().gate().apply(new CountingHomes()).open(_ -> {});
      link.receive(new ToSession.Bind(Jid.of("s" + i + "@example.org"), "r", null));
    }
    nodes.run();
    assertThat(homes.bound).isEqualTo(STREAMS);
  }

  private void loseTheOther() {
    nodes.get(HOME).installed(nodes.alone(HOME));
  }

  @Test
  void theirSessionsLearnOfItOnceAndOthersNeedNotWaitForAllOfThem() {
    connect();
    List<Integer> meanwhile = new ArrayList<>();
    loseTheOther();
    nodes
        .get(HOME)
        .status(_ -> {
          meanwhile.add(homes.lost);
          nodes.get(HOME).status(_ -> meanwhile.add(homes.lost));
        });
    nodes.run();
    assertThat(meanwhile).hasSize(2).allMatch(lost -> lost < STREAMS);
    assertThat(homes.lost).isEqualTo(STREAMS);
  }

  @Test
  void theHomesKnowWhileTheNodeTakesOver() {
    connect();
    assertThat(homes.takingOver).isEmpty();
    loseTheOther();
    nodes.run();
    assertThat(homes.takingOver).containsExactly(true, false);
  }

  private static final class CountingHomes extends NoHomes {
    final List<Boolean> takingOver = new ArrayList<>();
    int bound;
    int lost;

    @Override
    public SessionEnd open(StreamEnd opened) {
      return value -> {
        if (value instanceof ToSession.Bind) {
          bound++;
        } else if (value instanceof ToSession.Lost) {
          lost++;
        }
      };
    }

    @Override
    public void takingOver(boolean begun) {
      takingOver.add(begun);
    }
  }
}
