package im.zonda.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.http.HttpContent;
import im.zonda.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What every [FileContents] does.
public abstract class FileContentsContract {
  protected static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  protected static final Instant LATER = NOON.plus(Duration.ofHours(1));
  protected static final String HELLO =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  /// The time of the store's clock.
  protected Instant now = NOON;

  /// Opens the store once more, as another node does that shares it.
  protected abstract FileContents contents();

  /// How many objects or files there are, those that are not contents included.
  protected abstract int stored();

  /// Stores a text, byte by byte.
  protected final String store(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (FileContents.Incoming incoming = contents().begin(bytes.length)) {
      for (int i = 0; i < bytes.length; i++) {
        incoming.append(bytes, i, 1);
      }
      return incoming.finish();
    }
  }

  /// Reads a part of a content; null if there is none.
  protected final @Nullable String read(String hash, int offset, int length) {
    HttpContent content = contents().read(hash, offset, length);
    return content == null ? null : text(content);
  }

  private static String text(HttpContent content) {
    try {
      byte[] bytes =
          switch (content) {
            case HttpContent.Later _ -> throw new AssertionError("a store answers at once");
            case HttpContent.Bytes whole -> whole.bytes();
            case HttpContent.FilePart part -> {
              int from = Math.toIntExact(part.offset());
              int to = Math.toIntExact(part.offset() + part.length());
              yield Arrays.copyOfRange(Files.readAllBytes(part.path()), from, to);
            }
            case HttpContent.Streamed stream -> {
              ByteArrayOutputStream written = new ByteArrayOutputStream();
              stream.writer().writeTo(written::write);
              assertThat(stream.length()).isEqualTo(written.size());
              yield written.toByteArray();
            }
          };
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static UnaryOperator<Set<String>> using(String... hashes) {
    return asked -> {
      Set<String> used = new HashSet<>(asked);
      used.retainAll(Set.of(hashes));
      return used;
    };
  }

  @Test
  void equalContentsAreStoredOnceByTheirHash() {
    assertThat(store("hello")).isEqualTo(HELLO);
    now = NOON.plusSeconds(1);
    assertThat(store("hello")).isEqualTo(HELLO);
    assertThat(contents().removeUnused(LATER, using(HELLO))).isZero();
    assertThat(stored()).isEqualTo(1);
    assertThat(read(HELLO, 0, 5)).isEqualTo("hello");
  }

  @Test
  void aPartIsRead() {
    store("hello");
    assertThat(read(HELLO, 1, 3)).isEqualTo("ell");
    assertThat(read(HELLO, 4, 1)).isEqualTo("o");
  }

  @Test
  void whatIsAbsentIsSaid() {
    assertThat(read(HELLO, 0, 5)).isNull();
    store("other");
    assertThat(read(HELLO, 0, 5)).isNull();
  }

  @Test
  void whatIsNotFinishedIsDiscarded() {
    try (FileContents.Incoming incoming = contents().begin(5)) {
      incoming.append("hello".getBytes(StandardCharsets.UTF_8), 0, 5);
      assertThat(read(HELLO, 0, 5)).isNull();
    }
    assertThat(read(HELLO, 0, 5)).isNull();
    assertThat(stored()).isZero();
  }

  @Test
  void whatWasLeftUnfinishedIsRemovedOnceItIsOld() {
    contents().begin(5).append(new byte[] {1, 2}, 0, 2);
    contents().removeUnused(Instant.EPOCH, using());
    assertThat(stored()).isEqualTo(1);
    contents().removeUnused(Instant.MAX, using()); // a folder has times of its own
    assertThat(stored()).isZero();
  }

  @Test
  void unusedContentsAreRemovedOnceTheyAreOld() {
    store("hello");
    String used = store("used");
    assertThat(contents().removeUnused(NOON, using())).isZero();
    assertThat(contents().removeUnused(LATER, using(used))).isEqualTo(1);
    assertThat(read(HELLO, 0, 5)).isNull();
    assertThat(read(used, 0, 4)).isEqualTo("used");
    assertThat(stored()).isEqualTo(1);
  }

  /// The same content comes again while it is being removed: after it was found to be unused.
  @Test
  void aContentThatIsFinishedAgainStays() {
    store("hello");
    int removed =
        contents()
            .removeUnused(
                LATER,
                asked -> {
                  now = LATER;
                  store("hello");
                  return Set.of();
                });
    assertThat(removed).isZero();
    assertThat(read(HELLO, 0, 5)).isEqualTo("hello");
    contents().removeUnused(LATER.plusSeconds(1), using());
    assertThat(read(HELLO, 0, 5)).isNull();
  }

  @Test
  void manyContentsAreAskedAboutInPortions() {
    Set<String> all = new HashSet<>();
    for (int i = 0; i <= FileContents.MOST_ASKED; i++) {
      all.add(store("content " + i));
    }
    Set<String> asked = new HashSet<>();
    int removed =
        contents()
            .removeUnused(
                LATER,
                some -> {
                  assertThat(some).hasSizeLessThanOrEqualTo(FileContents.MOST_ASKED);
                  asked.addAll(some);
                  return Set.of();
                });
    assertThat(asked).isEqualTo(all);
    assertThat(removed).isEqualTo(all.size());
    assertThat(stored()).isZero();
  }

  @Test
  void aContentWithoutRoomIsRejectedAtOnce() {
    assertThatThrownBy(() -> contents().begin(Long.MAX_VALUE / 2))
        .isInstanceOf(StoreException.class)
        .extracting(e -> ((StoreException) e).category())
        .isEqualTo(StoreException.Category.FULL);
    assertThat(stored()).isZero();
  }

  @Test
  void row87_aHashIsNoPath() {
    for (String hash : List.of("../../secret", "", HELLO + "/..", HELLO.toUpperCase(Locale.ROOT))) {
      assertThatThrownBy(() -> contents().read(hash, 0, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
