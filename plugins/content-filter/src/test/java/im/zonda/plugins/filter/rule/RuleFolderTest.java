package im.zonda.plugins.filter.rule;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.plugins.filter.rule.RuleFolder.Contents;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleFolderTest {
  private static final String RULE = "[r]\naction = mask\nwords = darn\n";

  @TempDir Path folder;
  private @Nullable RuleFolder rules;
  private int changes;

  // The time of a file may have only seconds.
  private void write(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("rules").resolve(name), text);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000L + changes++));
  }

  private @Nullable Contents read() {
    RuleFolder present = rules;
    if (present == null) {
      present = new RuleFolder(folder.resolve("rules"));
      rules = present;
    }
    return present.readIfChanged();
  }

  private Contents changed() {
    Contents contents = read();
    assertThat(contents).isNotNull();
    return Objects.requireNonNull(contents);
  }

  private static List<String> names(Contents contents) {
    return contents.rules().stream().map(Rule::fullName).toList();
  }

  private void make() throws IOException {
    Files.createDirectory(folder.resolve("rules"));
  }

  @Test
  void filesAreReadAgainWhenTheyChange() throws IOException {
    make();
    assertThat(names(changed())).isEmpty();
    assertThat(read()).isNull();
    write("b.rules", RULE);
    write("a.rules", RULE + "words-file = list.txt\n");
    write("list.txt", "heck\n");
    write("readme.md", "no rules");
    Contents first = changed();
    assertThat(names(first)).containsExactly("a.rules/r", "b.rules/r");
    assertThat(first.rules().getFirst().words()).hasToString("[darn, heck]");
    assertThat(read()).isNull();
    write("list.txt", "\uFEFFdang\r\n");
    assertThat(changed().rules().getFirst().words()).hasToString("[darn, dang]");
    Files.delete(folder.resolve("rules/b.rules"));
    assertThat(names(changed())).containsExactly("a.rules/r");
  }

  @Test
  void aFileThatIsWrongKeepsTheRulesThatItHad() throws IOException {
    make();
    write("a.rules", RULE);
    write("b.rules", RULE);
    assertThat(names(changed())).hasSize(2);
    write("a.rules", RULE + "pattern = a(\n");
    write("b.rules", RULE.replace("[r]", "[s]"));
    Contents contents = changed();
    assertThat(names(contents)).containsExactly("a.rules/r", "b.rules/s");
    assertThat(contents.problems().getFirst().toString()).startsWith("a.rules:4: not a pattern");
    write("a.rules", RULE);
    assertThat(changed().problems()).isEmpty();
  }

  @Test
  void aFileThatIsWrongFromTheStartHasNoRules() throws IOException {
    make();
    write("a.rules", "nonsense");
    write("b.rules", RULE);
    Contents contents = changed();
    assertThat(names(contents)).containsExactly("b.rules/r");
    assertThat(contents.problems()).hasSize(1);
  }

  @Test
  void aListThatVanishesKeepsTheRules() throws IOException {
    make();
    write("a.rules", RULE + "words-file = list.txt\n");
    write("list.txt", "heck\n");
    assertThat(changed().problems()).isEmpty();
    Files.delete(folder.resolve("rules/list.txt"));
    Contents contents = changed();
    assertThat(contents.rules().getFirst().words()).hasToString("[darn, heck]");
    assertThat(contents.problems()).hasToString("[a.rules:4: list.txt: there is no such file]");
  }

  @Test
  void aFolderThatVanishesKeepsAllAndIsToldOnce() throws IOException {
    make();
    write("a.rules", RULE);
    assertThat(changed().problems()).isEmpty();
    Files.move(folder.resolve("rules"), folder.resolve("away"));
    Contents contents = changed();
    assertThat(names(contents)).containsExactly("a.rules/r");
    assertThat(contents.problems()).hasSize(1);
    assertThat(read()).isNull();
    Files.move(folder.resolve("away"), folder.resolve("rules"));
    assertThat(changed().problems()).isEmpty();
  }

  @Test
  void aLinkOutOfTheFolderIsNotFollowed() throws IOException {
    make();
    Path secret = Files.writeString(folder.resolve("secret"), "[root:x:0:0]\n");
    Files.createSymbolicLink(folder.resolve("rules/a.rules"), secret);
    write("b.rules", "[r]\naction = mask\nwords-file = ../secret\n");
    write("c.rules", "[r]\naction = mask\nwords-file = /etc/passwd\n");
    write("d.rules", "[r]\naction = mask\nwords-file = link.txt\n");
    Files.createSymbolicLink(folder.resolve("rules/link.txt"), secret);
    Files.createSymbolicLink(folder.resolve("rules/e.rules"), folder.resolve("nowhere"));
    Files.createSymbolicLink(folder.resolve("rules/f.rules"), folder.resolve("rules/f.rules"));
    Contents contents = changed();
    assertThat(contents.rules()).isEmpty();
    assertThat(contents.problems()).hasSize(6);
    assertThat(contents.problems().toString()).doesNotContain("root").contains("a link to a file");
  }

  /// As Kubernetes mounts files.
  @Test
  void aLinkWithinTheFolderIsFollowed() throws IOException {
    make();
    Files.createDirectory(folder.resolve("rules/..2026"));
    Files.writeString(folder.resolve("rules/..2026/a.rules"), RULE);
    Files.createSymbolicLink(folder.resolve("rules/a.rules"), Path.of("..2026/a.rules"));
    assertThat(names(changed())).containsExactly("a.rules/r");
  }

  @Test
  void whatIsNoFileIsNotRead() throws Exception {
    make();
    Files.createDirectory(folder.resolve("rules/dir.rules"));
    assertThat(
            new ProcessBuilder("mkfifo", folder.resolve("rules/pipe.rules").toString())
                .start()
                .waitFor())
        .isZero();
    assertThat(changed().problems())
        .hasToString("[dir.rules: it is no file, pipe.rules: it is no file]");
  }

  @Test
  void aHugeFileIsNotRead() throws IOException {
    make();
    write("b.rules", RULE);
    try (RandomAccessFile file =
        new RandomAccessFile(folder.resolve("rules/a.rules").toFile(), "rw")) {
      file.setLength(1L << 30);
    }
    Contents contents = changed();
    assertThat(names(contents)).containsExactly("b.rules/r");
    assertThat(contents.problems()).hasToString("[a.rules: it has more than 4 MiB]");
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    make();
    Files.write(folder.resolve("rules/a.rules"), new byte[] {'[', (byte) 0xFF, 0});
    assertThat(changed().problems()).hasToString("[a.rules: it is not in UTF-8]");
  }

  @Test
  void tooManyRulesWordsAndFilesAreRefused() throws IOException {
    make();
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      words.append("word").append((char) ('a' + i % 26)).append(i).append('\n');
    }
    write("list.txt", words.toString());
    write("a.rules", "[r]\naction = mask\nwords-file = list.txt\n");
    write("b.rules", "[r]\naction = mask\nwords-file = list.txt\n");
    write("c.rules", "[r]\naction = mask\nwords-file = list.txt\n");
    write("d.rules", "[%d]\naction = mask\nwords = darn\n".repeat(3));
    StringBuilder rules = new StringBuilder();
    for (int i = 0; i <= RuleFolder.MOST_RULES; i++) {
      rules.append('[').append(i).append("]\naction = mask\nwords = darn\n");
    }
    write("e.rules", rules.toString());
    Contents contents = changed();
    assertThat(names(contents)).containsExactly("a.rules/r", "b.rules/r");
    assertThat(contents.problems().toString())
        .contains("c.rules: with this file there are more than 200000 words")
        .contains("e.rules: with this file there are more than 1000 rules");
    for (int i = 0; i < RuleFolder.MOST_FILES; i++) {
      Files.writeString(folder.resolve("rules/x" + i), "", StandardCharsets.UTF_8);
    }
    Contents full = changed();
    assertThat(names(full)).containsExactly("a.rules/r", "b.rules/r");
    assertThat(full.problems().toString()).contains("more than 500 files");
  }
}
