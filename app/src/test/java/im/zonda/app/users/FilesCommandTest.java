package im.zonda.app.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.UploadStore.Upload;
import im.zonda.testkit.FakeClock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FilesCommandTest {
  private static final Jid ROMEO = Jid.of("romeo@a.example");
  private static final Jid JULIET = Jid.of("juliet@a.example");
  private static final Jid MERCUTIO = Jid.of("mercutio@a.example");

  private final FakeClock clock = new FakeClock();
  private final MemoryStores stores = MemoryStores.withAccounts(clock, ROMEO, JULIET, MERCUTIO);
  private final FilesCommand command =
      new FilesCommand(
          stores, () -> ServerConfig.defaults(List.of("a.example", "b.example"), Path.of("data")));

  @BeforeEach
  void upload() {
    upload("s1", ROMEO, "rose.png", 10);
    upload("s2", ROMEO, "sonnet.txt", 20);
    upload("s3", JULIET, "ring.png", 5);
  }

  private void upload(String slot, Jid owner, String name, long size) {
    Instant created = clock.instant();
    String hash = "0".repeat(62) + slot;
    assertThat(
            stores
                .uploads()
                .add(new Upload(slot, owner, name, "image/png", size, hash, created, null)))
        .isTrue();
  }

  private String run(String... arguments) {
    return command.run(List.of(arguments));
  }

  @Test
  void aHostIsShownWithWhatItsAccountsHave() {
    assertThat(run("a.example"))
        .isEqualTo("juliet@a.example 1 file, 5 bytes\nromeo@a.example 2 files, 30 bytes\n");
    assertThat(run("b.example")).isEqualTo("no files of b.example\n");
  }

  @Test
  void anAccountIsShownWithItsFiles() {
    assertThat(run("romeo@a.example").lines())
        .hasSize(3)
        .contains("s1 " + clock.instant() + " 10 image/png rose.png")
        .endsWith("2 files, 30 bytes");
    assertThat(run("mercutio@a.example")).isEqualTo("0 files, 0 bytes\n");
  }

  @Test
  void someFilesAreRemovedOrAll() {
    assertThat(run("romeo@a.example", "s1")).isEqualTo("removed 1 file\n");
    assertThat(stores.uploads().find("s1")).isNull();
    upload("s4", ROMEO, "more.png", 1);
    assertThat(run("romeo@a.example", FilesCommand.ALL)).isEqualTo("removed 2 files\n");
    assertThat(run("a.example")).isEqualTo("juliet@a.example 1 file, 5 bytes\n");
  }

  /// Nothing is removed if one of the files is not the account's.
  @Test
  void filesOfOthersAreNotRemoved() {
    assertThatThrownBy(() -> run("romeo@a.example", "s1", "s3"))
        .hasMessage("romeo@a.example has no file s3");
    assertThat(stores.uploads().find("s1")).isNotNull();
    assertThat(stores.uploads().find("s3")).isNotNull();
    assertThatThrownBy(() -> run("a.example", FilesCommand.ALL))
        .hasMessage("name the account whose files are removed");
    assertThatThrownBy(() -> run("tybalt@a.example"))
        .hasMessage("no such account: tybalt@a.example");
    assertThatThrownBy(() -> run("romeo@c.example"))
        .hasMessageContaining("its hosts are a.example");
  }
}
