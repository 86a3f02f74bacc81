package im.zonda.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.cluster.ClusterOperations.Differing;
import im.zonda.app.cluster.ClusterOperations.Seen;
import im.zonda.app.cluster.ClusterOperations.Shown;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What is said of a cluster.
class ClusterOperationsTest {
  private static Shown shown(boolean suspended, List<Seen> members, List<Differing> differing) {
    return new Shown("a.7", "5/27", suspended, "none", "86 segments", members, differing);
  }

  @Test
  void eachMemberHasALine() {
    assertThat(
            ClusterText.of(
                shown(
                    false,
                    List.of(
                        new Seen("a.7", 86, 85, false, true), new Seen("b.3", 0, 1, true, false)),
                    List.of(new Differing("b.3", List.of("limits", "rooms"))))))
        .isEqualTo(
            """
            node a.7: placement 5/27
              here: 86 segments
              a.7: home of 86, standby of 85 segments
              b.3: home of 0, standby of 1 segments, draining, not in sight
            warning: b.3 has other settings: limits, rooms; each node reads its own files
            """);
    assertThat(ClusterText.of(shown(true, List.of(), List.of())))
        .startsWith("node a.7: placement 5/27, members are lost and nothing is decided yet\n");
    assertThat(ClusterText.of(new Shown("a.7", null, false, "none", "", List.of(), List.of())))
        .isEqualTo("node a.7: waits for a placement\n");
  }

  @Test
  void everyDefinitionIsOffered() {
    assertThat(names(new ClusterOperations(null, Map::of).offers().stream().map(Offer::operation)))
        .isEqualTo(names(ClusterOperations.ALL.stream()));
  }

  private static List<String> names(Stream<? extends Operation<?, ?>> operations) {
    return operations.map(Operation::name).toList();
  }
}
