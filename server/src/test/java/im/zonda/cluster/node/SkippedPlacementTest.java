package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.placement.Placement;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A stream asks a home that moves on before it was open, and comes back, while the stream's node
/// misses that.
class SkippedPlacementTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final List<BindingHomes> homes =
      List.of(new BindingHomes(), new BindingHomes(), new BindingHomes());
  private final TestNodes nodes = new TestNodes(homes);
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

  /// Its node does not know that the home has moved, so the component would wait for ever.
  @Test
  void aComponentConnectsAgain() {
    install(home(2), 0, 1, 2);
    install(home(1), 0, 1); // it waits for node 2
    Member home = Objects.requireNonNull(nodes.get(0).homeOf(JULIET));
    nodes.get(0).post(home, new NodeMessage.ComponentOpened("icq.example.org", 7));
    nodes.run();
    install(home(2), 1);
    install(home(1), 0, 1, 2);
    assertThat(homes.getFirst().received)
        .containsExactly(new NodeMessage.ComponentClosed(7, "system-shutdown", ""));
  }

  /// The home is at node 1 before and after, but has forgotten the request.
  @Test
  void aRequestThatWasForgottenMeanwhileIsSentAgain() {
    install(home(1), 0, 1, 2);
    homes.get(1).forgets = true;
    SessionEnd link = nodes.get(0).ports().gate().apply(homes.getFirst()).open(toStream::add);
    link.receive(new ToSession.Bind(JULIET.bare(), "balcony", null));
    nodes.run();
    homes.get(1).forgets = false;
    install(home(2), 1, 2);
    assertThat(toStream).isEmpty();
    install(home(1), 0, 1, 2);
    assertThat(toStream).containsExactly(new ToStream.Bound(JULIET, List.of(), null));
  }

  /// The home's node has missed the placement in which another node had the home, and the stream's
  /// node has discarded the home's answer. The session that the first bind made ends before the
  /// bind is sent again.
  @Test
  void aHomeThatHasMissedItEndsWhatItHasBound() {
    install(home(1), 0, 1, 2);
    homes.get(1).forgets = true;
    SessionEnd link = nodes.get(0).ports().gate().apply(homes.getFirst()).open(toStream::add);
    ToSession bind = new ToSession.Bind(JULIET.bare(), "balcony", null);
    link.receive(bind);
    nodes.run();
    homes.get(1).forgets = false;
    install(home(2), 0, 2);
    install(home(2), 0, 2);
    install(home(1), 0, 1, 2);
    assertThat(homes.get(1).values).containsExactly(bind, new ToSession.Ended(), bind);
    assertThat(toStream).containsExactly(new ToStream.Bound(JULIET, List.of(), null));
  }

  /// Binds every stream that asks.
  private static final class BindingHomes extends NoHomes {
    final List<NodeMessage> received = new ArrayList<>();
    final List<ToSession> values = new ArrayList<>();
    boolean forgets;

    @Override
    public void receive(Member from, NodeMessage value) {
      received.add(value);
    }

    @Override
    public SessionEnd open(StreamEnd stream) {
      return value -> {
        values.add(value);
        if (value instanceof ToSession.Bind && !forgets) {
          stream.receive(new ToStream.Bound(JULIET, List.of(), null));
        }
      };
    }
  }
}
