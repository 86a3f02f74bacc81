package im.zonda.operation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.forward.StanzaForwarder;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.cluster.replica.Replication;
import im.zonda.jid.Jid;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How fast other nodes answer.
class RoundTripsTest {
  private static final Member SELF = new Member("a", 1);
  private static final Member OTHER = new Member("b", 1);
  private static final Member OLD = new Member("c", 1);

  private final List<NodeMessage.Probed> sent = new ArrayList<>();
  private long nanos;

  private final NodeMessage.Sender sender =
      new NodeMessage.Sender() {
        @Override
        public void post(Member to, NodeMessage value) {
          if (to.equals(OTHER) && value instanceof NodeMessage.Probed probe) {
            sent.add(probe);
          } else if (to.equals(OLD)) {
            toOld++;
          }
        }

        @Override
        public void postToOthers(NodeMessage value) {
          throw new AssertionError("nothing is for all");
        }
      };
  private int toOld;

  private final ClusterView view =
      new ClusterView() {
        @Override
        public boolean isHere(Jid home) {
          return true;
        }

        @Override
        public @Nullable Member homeOf(Jid home) {
          return SELF;
        }

        @Override
        public Member self() {
          return SELF;
        }
      };

  private final RoundTrips trips =
      new RoundTrips(
          new Nodes(view, StanzaForwarder.NONE, Replication.NONE, sender, local -> local),
          InstantSource.fixed(Instant.EPOCH),
          () -> nanos);

  private RoundTrips.Trip other() {
    return Objects.requireNonNull(trips.trips().get("b"));
  }

  private void answer(Duration after) {
    nanos += after.toNanos();
    trips.receive(OTHER, new NodeMessage.ProbeAnswered(sent.getLast().number()));
  }

  @Test
  void theLastTimesAreKept() {
    trips.placed(Set.of(SELF, OTHER));
    assertThat(other()).isEqualTo(new RoundTrips.Trip(null, null, null, null, Duration.ZERO));
    answer(Duration.ofMillis(9));
    for (int i = 1; i <= RoundTrips.MOST; i++) {
      trips.probe();
      answer(Duration.ofMillis(i == 1 ? 5 : 2));
    }
    assertThat(other())
        .isEqualTo(
            new RoundTrips.Trip(
                Duration.ofMillis(2),
                Duration.ofMillis(2),
                Duration.ofMillis(5),
                Instant.EPOCH,
                Duration.ZERO));
  }

  @Test
  void anAnswerIsAwaited() {
    trips.placed(Set.of(SELF, OTHER));
    answer(Duration.ofMillis(1));
    trips.probe();
    trips.probe();
    assertThat(sent).hasSize(2);
    nanos += Duration.ofSeconds(7).toNanos();
    assertThat(other().waiting()).isEqualTo(Duration.ofSeconds(7));
    trips.receive(OTHER, new NodeMessage.ProbeAnswered(1)); // not that one
    assertThat(other().waiting()).isEqualTo(Duration.ofSeconds(7));
    nanos += Duration.ofSeconds(60).toNanos();
    trips.probe();
    assertThat(sent).hasSize(3);
  }

  @Test
  void aNodeOfAnEarlierVersionIsAskedOnceAMinute() {
    trips.placed(Set.of(SELF, OLD));
    trips.probe();
    trips.placed(Set.of(SELF, OLD, OTHER));
    trips.probe();
    assertThat(toOld).isEqualTo(1);
    nanos += Duration.ofSeconds(61).toNanos();
    trips.probe();
    assertThat(toOld).isEqualTo(2);
  }

  @Test
  void aNodeThatWasNotReadyIsAskedAgainWhenItAsks() {
    trips.placed(Set.of(SELF, OTHER)); // has been lost
    trips.receive(OTHER, new NodeMessage.Probed(1));
    assertThat(sent).hasSize(2).containsOnly(sent.getFirst()); // an answer to either will do
    answer(Duration.ofMillis(3));
    assertThat(other().last()).isEqualTo(Duration.ofMillis(3));
    trips.receive(OTHER, new NodeMessage.Probed(2));
    assertThat(sent).hasSize(2);
  }

  @Test
  void nodesThatHaveLeftAreForgotten() {
    trips.placed(Set.of(SELF, OTHER));
    trips.placed(Set.of(SELF));
    assertThat(trips.trips()).isEmpty();
    answer(Duration.ofMillis(1));
    assertThat(trips.trips()).isEmpty();
  }
}
