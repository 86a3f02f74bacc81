package im.zonda.file.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.file.FileContents;
import im.zonda.http.HttpContent;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderContentsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant LATER = NOON.plus(Duration.ofHours(1));
  private static final String HELLO =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  @TempDir Path data;
  private Instant now = NOON;

  private FolderContents contents() {
    return new FolderContents(data.resolve("uploads"), () -> now);
  }

  private String store(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (FileContents.Incoming incoming = contents().begin(bytes.length)) {
      for (int i = 0; i < bytes.length; i++) {
        incoming.append(bytes, i, 1);
      }
      return incoming.finish();
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(Files::isRegularFile)
          .map(each -> data.relativize(each).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void equalContentsAreOneFileNamedByItsHash() throws IOException {
    assertThat(store("hello")).isEqualTo(HELLO);
    assertThat(store("hello")).isEqualTo(HELLO);
    assertThat(files()).containsExactly("uploads/2c/" + HELLO);
    assertThat(contents().read(HELLO, 1, 3))
        .isEqualTo(new HttpContent.FilePart(data.resolve("uploads/2c/" + HELLO), 1, 3));
    assertThat(data.resolve("uploads/2c/" + HELLO)).hasContent("hello");
  }

  @Test
  void whatIsNotFinishedIsDiscarded() throws IOException {
    try (FileContents.Incoming incoming = contents().begin(5)) {
      incoming.append(new byte[] {1, 2}, 0, 2);
      assertThat(files()).hasSize(1);
    }
    assertThat(files()).isEmpty();
  }

  @Test
  void unusedContentsAreRemovedOnceTheyAreOld() throws IOException {
    store("hello");
    String used = store("used");
    assertThat(contents().removeUnused(NOON, hashes -> Set.of())).isZero();
    assertThat(contents().removeUnused(LATER, hashes -> Set.of(used))).isEqualTo(1);
    assertThat(files()).containsExactly("uploads/" + used.substring(0, 2) + "/" + used);
  }

  /// The same content comes again while it is being removed: after it was found to be unused.
  @Test
  void aContentThatIsFinishedAgainStays() throws IOException {
    store("hello");
    int removed =
        contents()
            .removeUnused(
                LATER,
                hashes -> {
                  now = LATER;
                  try {
                    store("hello");
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                  return Set.of();
                });
    assertThat(removed).isZero();
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

  @Test
  void aContentWithoutRoomIsRejectedAtOnce() throws IOException {
    assertThatThrownBy(() -> contents().begin(Long.MAX_VALUE / 2))
        .isInstanceOf(StoreException.class)
        .extracting(e -> ((StoreException) e).category())
        .isEqualTo(StoreException.Category.FULL);
    assertThat(files()).isEmpty();
  }

  @Test
  void row87_aHashIsNoPath() {
    for (String hash : List.of("../../secret", "", HELLO + "/..", HELLO.toUpperCase(Locale.ROOT))) {
      assertThatThrownBy(() -> contents().read(hash, 0, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
