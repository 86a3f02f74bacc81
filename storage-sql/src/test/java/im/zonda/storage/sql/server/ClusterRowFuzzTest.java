package im.zonda.storage.sql.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.cluster.ClusterRow;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/// Any texts in the columns of the cluster's row: they are rejected, or are written and read as the
/// same. Runs the committed seeds; `./zonda test --fuzz` searches for more.
class ClusterRowFuzzTest {
  /// The first line is the column `members`, the rest `incarnations`.
  @FuzzTest(maxDuration = "2m")
  void anyRow(byte[] data) throws SQLException {
    String[] columns = (new String(data, StandardCharsets.UTF_8) + "\n").split("\n", 2);
    ClusterRow row;
    try {
      row = ClusterRowCodec.read(1, columns[0], columns[1].strip(), 2);
    } catch (SQLException e) {
      return;
    }
    assertThat(
            ClusterRowCodec.read(
                1, ClusterRowCodec.members(row), ClusterRowCodec.incarnations(row), 2))
        .isEqualTo(row);
  }
}
