package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.cluster.port.PlacementFence;
import im.zonda.cluster.replica.HomePart;
import im.zonda.jid.Jid;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Homes open even if restoring their state or raising the fence fails. Otherwise streams would
/// wait for them without end.
class FailingStateTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");

  @Test
  void aStateThatCannotBeRestoredCostsItsHomeAlone() {
    NoHomes failing =
        new NoHomes() {
          @Override
          public List<HomePart> unload(Predicate<Jid> homes) {
            return List.of(new HomePart(JULIET, "key", new StanzaBytes(new byte[1])));
          }

          @Override
          public void restore(Jid home, Map<String, StanzaBytes> state) {
            throw new IllegalStateException("a defect");
          }
        };
    TestNodes nodes = new TestNodes(List.of(failing, failing));
    for (int home = 0; home < 2; home++) {
      Placement next = nodes.placement(home, 1 - home);
      nodes.all().forEach(node -> node.installed(next));
      nodes.run();
    }
    assertThat(nodes.get(1).isHere(JULIET)).isTrue();
  }

  @Test
  void aFenceThatFailsIsRaisedAgain() {
    Deque<Runnable> work = new ArrayDeque<>();
    Member self = new Member("a", 1);
    boolean[] fails = {true};
    PlacementFence fence =
        (_, _) -> {
          if (fails[0]) {
            throw new IllegalStateException("a defect");
          }
          return true;
        };
    Node node =
        new Node(new NodeSetup(self, 2, 1 << 16, (_, _, _) -> {}, work::add, () -> 0, fence));
    node.start(new NoHomes() {});
    Owners owners = new Owners(self, null);
    node.installed(new Placement(1, new Topology(1, List.of(self), List.of(owners, owners))));
    run(work);
    assertThat(node.isHere(JULIET)).isFalse();
    fails[0] = false;
    node.tick();
    run(work);
    assertThat(node.isHere(JULIET)).isTrue();
  }

  /// A task that throws costs that task alone.
  private static void run(Deque<Runnable> work) {
    while (!work.isEmpty()) {
      try {
        work.remove().run();
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("a defect");
      }
    }
  }
}
