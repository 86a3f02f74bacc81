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
import im.zonda.link.ToStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A stream asks a home that moves on before it was open, and comes back, while the stream's node
/// misses that.
class SkippedPlacementTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final List<Member> members = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<ToStream> toStream = new ArrayList<>();
  private int version;

  SkippedPlacementTest() {
    for (int i = 0; i < 3; i++) {
      Member member = new Member("n" + i, 1);
      members.add(member);
      Node node =
          new Node(
              new NodeSetup(
                  member,
                  2,
                  1 << 16,
                  (to, frames, _) -> carry(to, frames),
                  work::add,
                  () -> 0,
                  PlacementFence.NONE));
      nodes.add(node);
      node.start(new BindingHomes());
    }
  }

  private void carry(Member to, List<Frame> frames) {
    work.add(() -> nodes.get(members.indexOf(to)).received(frames));
  }

  private void run() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private Placement home(int node) {
    version++;
    Owners owners = new Owners(members.get(node), members.get((node + 1) % 3));
    return new Placement(1, new Topology(version, members, List.of(owners, owners)));
  }

  private void install(Placement placement, int... where) {
    for (int node : where) {
      nodes.get(node).installed(placement);
    }
    run();
  }

  @Test
  void theStreamAsksAgain() {
    install(home(2), 0, 1, 2);
    install(home(1), 0, 1); // it waits for node 2
    SessionEnd link = nodes.get(0).gate(new BindingHomes()).open(toStream::add);
    link.receive(new ToSession.Bind(JULIET.bare(), "balcony", null));
    run();
    assertThat(toStream).isEmpty();
    install(home(2), 1);
    install(home(1), 0, 1, 2);
    assertThat(toStream).containsExactly(new ToStream.Bound(JULIET, List.of(), null));
  }

  /// Binds every stream that asks.
  private static final class BindingHomes extends NoHomes {
    @Override
    public SessionEnd open(StreamEnd stream) {
      return value -> {
        if (value instanceof ToSession.Bind) {
          stream.receive(new ToStream.Bound(JULIET, List.of(), null));
        }
      };
    }
  }
}
