package im.zonda.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A node dies to which the clients of many sessions of another one are connected.
class LostStreamsTest {
  private static final int STREAMS = 40;
  private static final Member HOME = new Member("home", 1);
  private static final Member STREAM = new Member("stream", 1);

  private final Deque<Runnable> work = new ArrayDeque<>();
  private final CountingHomes homes = new CountingHomes();
  private final Node home = node(HOME);
  private final Node stream = node(STREAM);

  private Node node(Member member) {
    return new Node(
        new NodeSetup(
            member,
            2,
            1 << 16,
            (to, frames, _) -> carry(to, frames),
            work::add,
            () -> 0,
            PlacementFence.NONE));
  }

  private void carry(Member to, List<Frame> frames) {
    work.add(() -> (to.equals(HOME) ? home : stream).received(frames));
  }

  private void run() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private void connect() {
    home.start(homes);
    stream.start(new CountingHomes());
    Owners owners = new Owners(HOME, STREAM);
    Placement both =
        new Placement(1, new Topology(1, List.of(HOME, STREAM), List.of(owners, owners)));
    home.installed(both);
    stream.installed(both);
    run();
    for (int i = 0; i < STREAMS; i++) {
      SessionEnd link = stream.gate(new CountingHomes()).open(_ -> {});
      link.receive(new ToSession.Bind(Jid.of("s" + i + "@example.org"), "r", null));
    }
    run();
    assertThat(homes.bound).isEqualTo(STREAMS);
  }

  private void loseTheOther() {
    Owners alone = new Owners(HOME, null);
    home.installed(new Placement(2, new Topology(2, List.of(HOME), List.of(alone, alone))));
  }

  @Test
  void theirSessionsLearnOfItOnceAndOthersNeedNotWaitForAllOfThem() {
    connect();
    List<Integer> meanwhile = new ArrayList<>();
    loseTheOther();
    home.status(_ -> {
      meanwhile.add(homes.lost);
      home.status(_ -> meanwhile.add(homes.lost));
    });
    run();
    assertThat(meanwhile).hasSize(2).allMatch(lost -> lost < STREAMS);
    assertThat(homes.lost).isEqualTo(STREAMS);
  }

  @Test
  void theHomesKnowWhileTheNodeTakesOver() {
    connect();
    assertThat(homes.takingOver).isEmpty();
    loseTheOther();
    run();
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
