package im.zonda.storage.sql.log;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.storage.sql.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How PostgreSQL finds the entries of origins.
final class OriginPlanTest {
  private static final int ROWS = 50_000;

  @TempDir Path folder;

  /// Of a new table, or while nothing gathers statistics.
  @Test
  void withoutStatisticsOnlyTheNewestRowsAreRead() throws Exception {
    try (var _ = TestDatabase.POSTGRESQL.dialect(folder).open()) {
      TestDatabase.POSTGRESQL.execute(
          folder,
          "alter table message set (autovacuum_enabled = false)",
          "insert into message (id, owner_id, peer, waiting, archive, stanza, checksum, origin)"
              + " select id, 1, 'p', 0, 1, convert_to(repeat('x', 300), 'UTF8'), 0, id"
              + " from generate_series(1, "
              + ROWS
              + ") as id");
      String plan = plan(new EntriesOfOrigins(List.of(1L, 2L, 3L), 0).sql(), ROWS - 100);
      assertThat(plan).contains("message_pkey").doesNotContain("Seq Scan");
    }
  }

  private String plan(String sql, long from) throws Exception {
    StringBuilder plan = new StringBuilder();
    try (Connection connection = TestDatabase.POSTGRESQL.connect(folder);
        PreparedStatement statement = connection.prepareStatement("explain " + sql)) {
      statement.setLong(1, from);
      ResultSet lines = statement.executeQuery();
      while (lines.next()) {
        plan.append(lines.getString(1)).append('\n');
      }
    }
    return plan.toString();
  }
}
