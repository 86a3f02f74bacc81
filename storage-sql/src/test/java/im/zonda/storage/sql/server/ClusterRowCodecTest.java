package im.zonda.storage.sql.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The columns of the row of a cluster. Programs of different versions read and write the same row,
/// so its form does not change.
class ClusterRowCodecTest {
  private static final Member A = new Member("a", 7);
  private static final Member B = new Member("b-2", 9);
  private static final ClusterRow ROW =
      new ClusterRow(4, List.of(A, B), Map.of("a", 7L, "b-2", 9L, "gone", 3L), 5, Set.of(B), 1);

  @Test
  void theFormIsFixed() throws SQLException {
    assertThat(ClusterRowCodec.members(ROW)).isEqualTo("a 7,b-2 9 draining");
    assertThat(ClusterRowCodec.incarnations(ROW)).isEqualTo("/frames 1,a 7,b-2 9,gone 3");
    assertThat(ClusterRowCodec.read(4, "a 7,b-2 9 draining", "/frames 1,a 7,b-2 9,gone 3", 5))
        .isEqualTo(ROW);
  }

  @Test
  void aRowWithoutTheVersionOfFramesIsReadAndWrittenAsItWas() throws SQLException {
    ClusterRow row = ClusterRowCodec.read(2, "a 7", "a 7", 0);
    assertThat(row.frames()).isEqualTo(ClusterRow.UNKNOWN_FRAMES);
    assertThat(ClusterRowCodec.incarnations(row)).isEqualTo("a 7");
    assertThat(ClusterRowCodec.read(0, "", "", 0)).isEqualTo(ClusterRow.EMPTY);
  }

  @Test
  void aDamagedRowIsAnError() {
    for (String text : List.of("a", "a x", ",")) {
      assertThatThrownBy(() -> ClusterRowCodec.read(1, text, "", 0))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("damaged");
    }
  }
}
