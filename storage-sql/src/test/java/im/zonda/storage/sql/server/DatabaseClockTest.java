package im.zonda.storage.sql.server;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The clock of this machine is compared with that of the database.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class DatabaseClockTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration QUARTER = Duration.ofMinutes(15);

  private final TestDatabase database;
  @TempDir Path folder;

  DatabaseClockTest(TestDatabase database) {
    this.database = database;
  }

  @Test
  void aClockThatIsBehindIsFound() {
    InstantSource behind = () -> InstantSource.system().instant().minus(HOUR);
    try (SqlStores stores =
        SqlStores.open(
            folder,
            database.settings(folder, new Storage(true, true, 0, 512)),
            Limits.defaults(),
            InstantSource.system())) {
      Duration ahead = stores.clockDifference(behind);
      if (database == TestDatabase.SQLITE) {
        assertThat(ahead).isNull();
      } else {
        assertThat(ahead).isBetween(HOUR.minus(QUARTER), HOUR.plus(QUARTER));
      }
    }
  }
}
