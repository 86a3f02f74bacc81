package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.placement.Placement;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A stream asks a home that moves on before it was open, and comes back, while the stream's node
/// misses that.
class SkippedPlacementTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final TestNodes nodes =
      new TestNodes(List.of(new BindingHomes(), new BindingHomes(), new BindingHomes()));
  private final List<ToStream> toStream = new ArrayList<>();

  private Placement home(int node) {
    return nodes.placement(node, (node + 1) % 3);
  }

  private void install(Placement placement, int... where) {
    for (int node : where) {
      nodes.get(node).installed(placement);
    }
    nodes.run();
  }

  @Test
  void theStreamAsksAgain() {
    install(home(2), 0, 1, 2);
    install(home(1), 0, 1); // it waits for node 2
    SessionEnd link = nodes.get(0).ports().gate().apply(new BindingHomes()).open(toStream::add);
    link.receive(new ToSession.Bind(JULIET.bare(), "balcony", null));
    nodes.run();
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
