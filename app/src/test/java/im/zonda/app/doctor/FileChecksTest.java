package im.zonda.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Finding.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChecksTest {
  private static FileFacts file(String permissions, boolean folder, boolean reachable) {
    return new FileFacts(
        Path.of("/srv/x"), folder, PosixFilePermissions.fromString(permissions), reachable);
  }

  private static List<Level> levels(FileFacts facts) {
    return FileChecks.check(facts).stream().map(Finding::level).toList();
  }

  @Test
  void filesThatOthersCanReadAreAProblem() {
    assertThat(levels(file("rw-r-----", false, true))).isEmpty();
    assertThat(levels(file("rw-r--r--", false, true))).containsExactly(Level.PROBLEM);
    assertThat(levels(file("rw-----w-", false, true))).containsExactly(Level.PROBLEM);
    assertThat(levels(file("rw-rw----", false, true))).containsExactly(Level.WARNING);
    assertThat(FileChecks.check(file("rw-r--r--", false, true)).getFirst().toString())
        .contains("can read /srv/x", "chmod o-rwx /srv/x");
  }

  @Test
  void foldersThatOthersCanEnterAreAProblem() {
    assertThat(levels(file("rwxr-x---", true, true))).isEmpty();
    assertThat(levels(file("rwx--x--x", true, true))).containsExactly(Level.PROBLEM);
  }

  @Test
  void whatOthersCannotReachIsWell() {
    assertThat(levels(file("rw-r--r--", false, false))).isEmpty();
  }

  @Test
  void allAreOneLineIfAllIsWell() {
    assertThat(
            FileChecks.all(List.of(file("rw-------", false, true), file("rwx------", true, true))))
        .extracting(Finding::level)
        .containsExactly(Level.OK);
    assertThat(
            FileChecks.all(List.of(file("rw-r--r--", false, true), file("rwx---r--", true, true))))
        .hasSize(2);
    assertThat(FileChecks.all(List.of(new FileFacts(Path.of("x"), false, null, true))))
        .extracting(Finding::text)
        .containsExactly("not known: this filesystem has no permissions");
    assertThat(FileChecks.all(List.of()).getFirst().level()).isEqualTo(Level.OK);
  }

  @Test
  void permissionsAreReadWithThoseOfTheFoldersAbove(@TempDir Path folder) throws Exception {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Path key = Files.writeString(closed.resolve("key"), "");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    FileFacts facts = FileFacts.read(key);
    assertThat(facts.permissions()).isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(facts.isReachable()).isFalse();
    assertThat(facts.isFolder()).isFalse();
    assertThat(FileFacts.read(Path.of("/")).isReachable()).isTrue();
  }
}
