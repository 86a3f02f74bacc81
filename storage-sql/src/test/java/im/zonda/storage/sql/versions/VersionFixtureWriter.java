package im.zonda.storage.sql.versions;

import im.zonda.storage.sql.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Writes the fixture of the version that is being built, before its release: `./zonda test
/// --fixture`.
class VersionFixtureWriter {
  @ParameterizedTest
  @EnumSource
  void writesTheFixtureOfThisVersion(TestDatabase database, @TempDir Path folder) throws Exception {
    VersionFixture.ofThisVersion().write(database, folder);
  }
}
