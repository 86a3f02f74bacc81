package im.zonda.app.transfer.prosody;

import im.zonda.app.transfer.ImportBounds;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the files in which Prosody keeps values as literals of Lua: `return VALUE;`, and lists of
/// `item(VALUE);`.
///
/// It accepts tables, strings, numbers, booleans and `nil`, as Prosody writes them. Anything else,
/// above all a call or an expression, is an error that names the file and the line. A value has
/// bounded size and depth.
final class LuaReader implements AutoCloseable {
  private static final int END = -1;
  private static final int MAX_WORD = 64;

  private final Path file;
  private final InputStream input;
  private int next;
  private int line = 1;
  private long size;

  private LuaReader(Path file, InputStream input) throws IOException {
    this.file = file;
    this.input = input;
    this.next = input.read();
  }

  /// Opens a file.
  static LuaReader open(Path file) throws IOException {
    return new LuaReader(file, new BufferedInputStream(Files.newInputStream(file), 1 << 16));
  }

  /// Reads a file with one value.
  ///
  /// @throws IOException if it is not one
  static LuaValue.@Nullable Table readTable(Path file) throws IOException {
    try (LuaReader reader = open(file)) {
      return reader.table();
    }
  }

  private LuaValue.@Nullable Table table() throws IOException {
    skipSpace();
    if (next != '{') {
      String word = word();
      if (!word.equals("return")) {
        throw failure("`return` expected, not `" + word + "`");
      }
      skipSpace();
    }
    LuaValue value = value(0);
    skipSpace();
    if (next == ';') {
      read();
    }
    skipSpace();
    if (next != END) {
      throw failure("the end of the file expected");
    }
    if (value == null || value instanceof LuaValue.Table) {
      return (LuaValue.Table) value;
    }
    throw failure("a table expected");
  }

  /// Reads the next item of a list; null at the end of the file.
  ///
  /// @throws IOException if it is none
  LuaValue.@Nullable Table nextItem() throws IOException {
    size = 0;
    skipSpace();
    while (next == ';') {
      read();
      skipSpace();
    }
    if (next == END) {
      return null;
    }
    String word = word();
    if (!word.equals("item")) {
      throw failure("`item` expected, not `" + word + "`");
    }
    skipSpace();
    expect('(');
    skipSpace();
    LuaValue value = value(0);
    skipSpace();
    expect(')');
    if (value instanceof LuaValue.Table table) {
      return table;
    }
    throw failure("a table expected");
  }

  /// The file and the line.
  String where() {
    return file + ":" + line;
  }

  private IOException failure(String message) {
    return new IOException(where() + ": " + message);
  }

  private int read() throws IOException {
    int read = next;
    if (read == '\n') {
      line++;
    }
    if (++size > ImportBounds.VALUE_BYTES) {
      throw failure("a value is larger than " + (ImportBounds.VALUE_BYTES >> 20) + " MiB");
    }
    next = input.read();
    return read;
  }

  private void expect(char c) throws IOException {
    if (next != c) {
      throw failure("`" + c + "` expected, not " + name(next));
    }
    read();
  }

  private static String name(int c) {
    return c == END
        ? "the end of the file"
        : c > ' ' && c < 0x7F ? "`" + (char) c + "`" : "the byte " + c;
  }

  private void skipSpace() throws IOException {
    while (next == ' ' || next == '\t' || next == '\n' || next == '\r') {
      read();
    }
  }

  private String word() throws IOException {
    StringBuilder word = new StringBuilder();
    while (isNameByte(next) && word.length() <= MAX_WORD) {
      word.append((char) read());
    }
    if (word.isEmpty() || word.length() > MAX_WORD) {
      throw failure(word.isEmpty() ? "unexpected " + name(next) : "a name is too long");
    }
    return word.toString();
  }

  private static boolean isNameByte(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  /// Reads a value; null for `nil`.
  private @Nullable LuaValue value(int depth) throws IOException {
    if (next == '{') {
      return table(depth);
    }
    if (next == '"' || next == '\'') {
      return new LuaValue.Text(string());
    }
    if (next == '-' || next == '.' || (next >= '0' && next <= '9')) {
      return new LuaValue.Numeral(number());
    }
    if (next == '(') {
      throw failure("an expression is not a value; Prosody writes (0/0) for what is no number");
    }
    String word = word();
    return switch (word) {
      case "true" -> new LuaValue.Bool(true);
      case "false" -> new LuaValue.Bool(false);
      case "nil" -> null;
      default -> throw failure("`" + word + "` is not a value");
    };
  }

  private LuaValue.Table table(int depth) throws IOException {
    if (depth >= ImportBounds.DEPTH * 2) {
      throw failure("tables are nested deeper than " + ImportBounds.DEPTH * 2);
    }
    expect('{');
    List<LuaValue> items = new ArrayList<>();
    Map<String, LuaValue> named = new LinkedHashMap<>();
    LuaValue atFalse = null;
    skipSpace();
    while (next != '}') {
      if (items.size() + named.size() >= ImportBounds.ENTRIES) {
        throw failure("a table has more than " + ImportBounds.ENTRIES + " entries");
      }
      if (next == '[') {
        LuaValue key = key(depth);
        LuaValue value = value(depth + 1);
        switch (key) {
          case LuaValue.Text(String text) when value != null -> named.put(text, value);
          case LuaValue.Bool(boolean set) when !set -> atFalse = value;
          case LuaValue.Numeral _ when value != null -> items.add(value);
          case null, default -> {
            // Nothing that is taken has another key.
          }
        }
      } else if (isNameByte(next) && !(next >= '0' && next <= '9')) {
        nameOrWord(items, named, depth);
      } else {
        LuaValue value = value(depth + 1);
        if (value != null) {
          items.add(value);
        }
      }
      skipSpace();
      if (next == ';' || next == ',') {
        read();
        skipSpace();
      } else if (next != '}') {
        throw failure("`}` or `;` expected, not " + name(next));
      }
    }
    read();
    return new LuaValue.Table(items, named, atFalse);
  }

  private @Nullable LuaValue key(int depth) throws IOException {
    expect('[');
    skipSpace();
    if (next == '[' || next == '=') {
      throw failure("a long string is not accepted");
    }
    LuaValue key = value(depth + 1);
    skipSpace();
    expect(']');
    skipSpace();
    expect('=');
    skipSpace();
    return key;
  }

  /// Reads `name = value`, or one of the words that are values.
  private void nameOrWord(List<LuaValue> items, Map<String, LuaValue> named, int depth)
      throws IOException {
    String word = word();
    skipSpace();
    if (next == '=') {
      read();
      skipSpace();
      LuaValue value = value(depth + 1);
      if (value != null) {
        named.put(word, value);
      }
      return;
    }
    switch (word) {
      case "true" -> items.add(new LuaValue.Bool(true));
      case "false" -> items.add(new LuaValue.Bool(false));
      case "nil" -> {
        // It is as if it were not there.
      }
      default -> throw failure("`" + word + "` is not a value");
    }
  }

  private double number() throws IOException {
    StringBuilder text = new StringBuilder();
    while (isNameByte(next) || next == '.' || next == '-' || next == '+') {
      text.append((char) read());
      if (text.length() > MAX_WORD) {
        throw failure("a number is too long");
      }
    }
    try {
      double number = Double.parseDouble(text.toString());
      char last = text.charAt(text.length() - 1);
      if (Double.isFinite(number) && last >= '.' && last <= '9') {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw failure("`" + text + "` is not a number");
  }

  private String string() throws IOException {
    int quote = read();
    int begun = line;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (next != quote) {
      if (next == END || next == '\n') {
        throw failure("a string that begins in line " + begun + " does not end");
      }
      int c = read();
      bytes.write(c == '\\' ? escape() : c);
    }
    read();
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IOException(where() + ": a string is not UTF-8", e);
    }
  }

  private int escape() throws IOException {
    int c = next == END ? END : read();
    return switch (c) {
      case 'a' -> 7;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n', '\n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> 0x0B;
      case '\\', '"', '\'' -> c;
      case 'x' -> 16 * digit(16) + digit(16);
      default -> {
        if (c < '0' || c > '9') {
          throw failure("unknown escape in a string: " + name(c));
        }
        int value = c - '0';
        for (int i = 0; i < 2 && next >= '0' && next <= '9'; i++) {
          value = value * 10 + (read() - '0');
        }
        if (value > 0xFF) {
          throw failure("an escape in a string is larger than 255");
        }
        yield value;
      }
    };
  }

  private int digit(int radix) throws IOException {
    int digit = next == END ? -1 : Character.digit(read(), radix);
    if (digit < 0) {
      throw failure("an escape in a string is not a number");
    }
    return digit;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
