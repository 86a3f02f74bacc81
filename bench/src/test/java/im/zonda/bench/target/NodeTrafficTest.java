package im.zonda.bench.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import im.zonda.bench.result.Result;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What nodes say of the frames between them, as figures of a result.
class NodeTrafficTest {
  private static final String METRICS =
      """
      # TYPE zonda_cluster_bytes_total counter
      zonda_cluster_bytes_total{direction="in"} 7
      zonda_cluster_bytes_total{direction="out"} 5000
      zonda_cluster_frames_total{direction="in"} 7
      zonda_cluster_frames_total{direction="out"} 50
      zonda_network_stanzas_total{direction="in"} 30
      zonda_network_stanzas_total{direction="out"} 70
      """;

  @Test
  void figuresAreOfTheTimeBetweenTwoReadings() throws IOException {
    NodeTraffic before = NodeTraffic.parse(METRICS);
    NodeTraffic after =
        NodeTraffic.parse(
            METRICS.replace(" 5000", " 9000").replace(" 50\n", " 60\n").replace(" 70", " 90.0"));
    assertThat(after.since(before).figures())
        .extracting(Result.Figure::name, Result.Figure::value)
        .containsExactly(
            tuple("node-bytes-per-stanza", 200.0),
            tuple("node-frames-per-stanza", 0.5),
            tuple("node-bytes-per-frame", 400.0));
  }

  @Test
  void withoutTrafficThereAreNoFigures() throws IOException {
    NodeTraffic once = NodeTraffic.parse(METRICS);
    assertThat(once.since(once).figures()).isEqualTo(List.of());
  }

  @Test
  void aServerWithoutTheseMetricsIsAnError() {
    assertThat(NodeTraffic.isCounted(METRICS)).isTrue();
    assertThat(NodeTraffic.isCounted("up 1\n")).isFalse();
    assertThatThrownBy(() -> NodeTraffic.parse("up 1\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("zonda_cluster_frames_total");
  }
}
