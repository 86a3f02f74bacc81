package im.zonda.app.transfer.prosody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LuaReaderTest {
  @TempDir private Path folder;

  private LuaValue.Table read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private LuaValue.Table read(byte[] bytes) throws IOException {
    Path file = folder.resolve("user.dat");
    Files.write(file, bytes);
    return Objects.requireNonNull(LuaReader.readTable(file));
  }

  @Test
  void literalsAreRead() throws IOException {
    LuaValue.Table table =
        read(
            """
            return {
              ["text"] = "a\\"b\\\\c\\n\\195\\169\\x41\\'";
              ['single'] = 'it''';
              number = 1795881678, ["fraction"] = 1795881678.25; negative = -3e2;
              ["yes"] = true; ["no"] = false; ["nothing"] = nil;
              [false] = { ["version"] = 6; };
              "first"; { "inner" }; true;
            };
            """
                .replace("'it'''", "'it'"));
    assertThat(table.text("text")).isEqualTo("a\"b\\c\n\u00e9A'");
    assertThat(table.text("single")).isEqualTo("it");
    assertThat(table.text("number")).isEqualTo("1795881678");
    assertThat(table.number("fraction")).isEqualTo(1795881678.25);
    assertThat(table.number("negative")).isEqualTo(-300);
    assertThat(table.isTrue("yes")).isTrue();
    assertThat(table.isTrue("no")).isFalse();
    assertThat(table.get("nothing")).isNull();
    assertThat(table.atFalse()).isInstanceOf(LuaValue.Table.class);
    assertThat(table.items()).hasSize(3);
    assertThat(read("return {};")).isEqualTo(LuaValue.Table.empty());
  }

  @Test
  void itemsAreReadOneByOne() throws IOException {
    Path file = folder.resolve("user.list");
    Files.writeString(file, "item({\n\t[\"a\"] = 1;\n});\nitem({\n\t[\"a\"] = 2;\n});\n");
    try (LuaReader reader = LuaReader.open(file)) {
      assertThat(Objects.requireNonNull(reader.nextItem()).text("a")).isEqualTo("1");
      assertThat(Objects.requireNonNull(reader.nextItem()).text("a")).isEqualTo("2");
      assertThat(reader.where()).isEqualTo(file + ":6");
      assertThat(reader.nextItem()).isNull();
    }
  }

  /// Nothing is run, and nothing but literals is accepted.
  @Test
  void codeIsAnErrorWithItsLine() {
    for (String code :
        List.of(
            "os.execute('x')",
            "return os.execute('x')",
            "return {\n[\"a\"] = os.exit();\n}",
            "return (function() end)()",
            "return { a = (0/0) }",
            "return { a = 1 + 1 }",
            "return { a = \"x\" .. \"y\" }",
            "return { [[long]] }",
            "return { [ [[long]] ] = 1 }",
            "return {} return {}",
            "return { a = b }",
            "return { a = #{} }",
            "return { a = function() end }",
            "local x = {} return x",
            "return \"text\"",
            "return -{}",
            "",
            "-- a comment",
            "return")) {
      assertThatThrownBy(() -> read(code))
          .as(code)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("user.dat:");
    }
    assertThatThrownBy(() -> read("return {\n\n  a = b }")).hasMessageContaining("user.dat:3: `b`");
  }

  @Test
  void damagedLiteralsAreErrors() {
    for (String text :
        List.of(
            "return {",
            "return { \"a",
            "return { \"a\nb\" }",
            "return { \"\\300\" }",
            "return { \"\\q\" }",
            "return { \"\\xZZ\" }",
            "return { \"\\255\" }",
            "return { 1e999 }",
            "return { 0x10 }",
            "return { 1d }",
            "return { NaN }",
            "return { -Infinity }",
            "return { 1..2 }",
            "return { " + "9".repeat(1_000) + " }",
            "return { " + "a".repeat(1_000) + " = 1 }",
            "return { a 1 }",
            "return { [\"a\"] 1 }",
            "return { 1 2 }",
            "return { } }",
            "\u0000")) {
      assertThatThrownBy(() -> read(text)).as(text).isInstanceOf(IOException.class);
    }
    byte[] invalid = "return { \"\u00e9\" }".getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> read(invalid)).hasMessageContaining("not UTF-8");
  }

  @Test
  void sizeAndDepthAreBounded() {
    String deep = "return " + "{".repeat(10_000) + "}".repeat(10_000);
    assertThatThrownBy(() -> read(deep)).hasMessageContaining("nested deeper than");
    String keys = "return " + "{[".repeat(10_000);
    assertThatThrownBy(() -> read(keys)).hasMessageContaining("nested deeper than");
    String large = "return { \"" + "x".repeat(9 << 20) + "\" }";
    assertThatThrownBy(() -> read(large)).hasMessageContaining("larger than 8 MiB");
    String many = "return {" + "1;".repeat(200_000) + "}";
    assertThatThrownBy(() -> read(many)).hasMessageContaining("more than 100000 entries");
  }
}
