package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.cluster.port.PlacementFence;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A process has stood still and may have been evicted: its homes do not answer that a session does
/// not exist before the database has confirmed its membership.
class SleepingNodeTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Member SELF = new Member("a", 1);
  private static final ToStream ANSWER = new ToStream.SessionNotFound(null);

  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<ToStream> toStream = new ArrayList<>();
  private long now;
  private final Node node =
      new Node(
          new NodeSetup(
              SELF, 2, 1 << 16, (to, frames, _) -> {}, work::add, () -> now, PlacementFence.NONE));

  private final NoHomes homes =
      new NoHomes() {
        @Override
        public SessionEnd open(StreamEnd stream) {
          return value -> {
            if (value instanceof ToSession.Resume) {
              stream.receive(ANSWER);
            }
          };
        }
      };

  private void run() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  @BeforeEach
  void sleep() {
    node.start(homes);
    List<Owners> owners = List.of(new Owners(SELF, null), new Owners(SELF, null));
    node.installed(new Placement(1, new Topology(1, List.of(SELF), owners)));
    run();
    node.confirmed();
    now += 10_000;
  }

  private void resume() {
    SessionEnd link = node.ports().gate().apply(homes).open(toStream::add);
    link.receive(new ToSession.Resume(JULIET.bare(), "id", 0));
    run();
  }

  @Test
  void aStreamWaitsUntilTheProcessIsAMember() {
    resume();
    assertThat(toStream).isEmpty();
    node.confirmed();
    run();
    assertThat(toStream).containsExactly(ANSWER);
  }

  @Test
  void aStreamEndsIfItIsNone() {
    resume();
    node.evict();
    run();
    assertThat(toStream).singleElement().isInstanceOf(ToStream.Close.class);
  }

  @Test
  void aNodeThatHasBeenAwakeAnswers() {
    node.confirmed();
    resume();
    assertThat(toStream).containsExactly(ANSWER);
  }
}
