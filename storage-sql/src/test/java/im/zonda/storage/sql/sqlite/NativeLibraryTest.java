package im.zonda.storage.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  @TempDir private Path data;

  private Path folder() {
    return data.resolve("native");
  }

  private Path unpack() {
    return Objects.requireNonNull(NativeLibrary.unpack(folder()));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files.toList();
    }
  }

  @Test
  void itIsUnpackedOnce() throws IOException {
    Path library = unpack();
    FileTime old = FileTime.from(Instant.EPOCH);
    Files.setLastModifiedTime(library, old);

    assertThat(unpack()).isEqualTo(library);
    assertThat(Files.getLastModifiedTime(library)).isEqualTo(old);
    assertThat(files()).containsExactly(library);
    assertThat(library.getFileName().toString()).contains("sqlitejdbc");
  }

  @Test
  void whatIsDamagedUnfinishedOrOfAnotherVersionIsReplaced() throws IOException {
    Path library = unpack();
    byte[] whole = Files.readAllBytes(library);
    Files.write(library, new byte[] {1, 2, 3});
    Files.write(folder().resolve("sqlite-unfinished"), new byte[] {1});
    Files.write(folder().resolve("sqlite-3.1-" + library.getFileName()), whole);

    assertThat(unpack()).isEqualTo(library);
    assertThat(Files.readAllBytes(library)).isEqualTo(whole);
    assertThat(files()).containsExactly(library);
  }

  @Test
  void withoutAFolderTheDriverUnpacksTheLibraryItself() throws IOException {
    Files.createFile(folder());

    assertThat(NativeLibrary.unpack(folder())).isNull();
  }
}
