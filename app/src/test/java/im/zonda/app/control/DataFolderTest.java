package im.zonda.app.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
  @TempDir private Path parent;

  @Test
  void itIsMadeForItsOwnerAloneAndTakenOnce() throws Exception {
    Path path = parent.resolve("a/b");
    try (DataFolder folder = Objects.requireNonNull(DataFolder.take(path))) {
      assertThat(folder.path()).isEqualTo(path);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rwx------");
      assertThat(DataFolder.take(path)).isNull();
      assertThat(DataFolder.owner(path)).isEqualTo("" + ProcessHandle.current().pid());
    }
    try (DataFolder again = DataFolder.take(path)) {
      assertThat(again).isNotNull();
    }
  }

  @Test
  void anUnreadableOwnerIsUnknown() {
    assertThat(DataFolder.owner(parent.resolve("none"))).isEqualTo("unknown");
  }
}
