package im.zonda.file.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.file.FileContents;
import im.zonda.file.FileContentsContract;
import im.zonda.http.HttpContent;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderContentsTest extends FileContentsContract {
  @TempDir Path data;

  @Override
  protected FileContents contents() {
    return new FolderContents(data.resolve("uploads"), () -> now);
  }

  @Override
  protected int stored() {
    return files().size();
  }

  private List<String> files() {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(Files::isRegularFile)
          .map(each -> data.relativize(each).toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aContentIsAFileNamedByItsHash() {
    store("hello");
    assertThat(files()).containsExactly("uploads/2c/" + HELLO);
    assertThat(contents().read(HELLO, 1, 3))
        .isEqualTo(new HttpContent.FilePart(data.resolve("uploads/2c/" + HELLO), 1, 3));
    assertThat(data.resolve("uploads/2c/" + HELLO)).hasContent("hello");
  }

  @Test
  void whatAKilledServerHasLeftIsPutInOrder() throws IOException {
    store("hello");
    Path aside = data.resolve("uploads/removed/" + HELLO);
    Files.createDirectories(aside.getParent());
    Files.move(data.resolve("uploads/2c/" + HELLO), aside);
    Path part = data.resolve("uploads/incoming/1.part");
    Files.writeString(part, "half");
    Files.setLastModifiedTime(part, FileTime.from(NOON));
    contents().removeUnused(LATER, hashes -> Set.of(HELLO));
    assertThat(files()).containsExactly("uploads/2c/" + HELLO);
  }

  /// The client's connection has not failed.
  @Test
  void aFailureIsOneOfTheStore() throws IOException {
    FileContents.Incoming incoming = contents().begin(1);
    incoming.append(new byte[] {1}, 0, 1);
    Files.delete(data.resolve(files().getFirst()));
    assertThatThrownBy(incoming::finish)
        .isInstanceOf(StoreException.class)
        .extracting(e -> ((StoreException) e).category())
        .isEqualTo(StoreException.Category.UNAVAILABLE);
  }

  /// Files that come at the same time do not all get the last free bytes.
  @Test
  void whatIsBeingWrittenHasItsRoom() {
    long[] usable = {FolderContents.RESERVED_BYTES + 100};
    FolderContents contents =
        new FolderContents(data.resolve("uploads"), () -> now, () -> usable[0]);
    try (FileContents.Incoming first = contents.begin(60)) {
      assertThatThrownBy(() -> contents.begin(60)).isInstanceOf(StoreException.class);
      first.append(new byte[50], 0, 50);
      usable[0] -= 50;
      assertThatThrownBy(() -> contents.begin(41)).isInstanceOf(StoreException.class);
      contents.begin(40).close();
    }
    usable[0] += 50;
    contents.begin(100).close();
    contents.begin(100).close();
  }
}
