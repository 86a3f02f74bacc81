package im.zonda.app.settings.toml;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads text files in UTF-8 and says where one is not.
public final class Utf8File {
  private Utf8File() {}

  /// Thrown for a file that is not in UTF-8.
  public static final class NotUtf8Exception extends IOException {
    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;

    NotUtf8Exception(int line, int column) {
      super("not UTF-8 in line " + line + ", column " + column);
      this.line = line;
      this.column = column;
    }

    int line() {
      return line;
    }

    int column() {
      return column;
    }
  }

  /// A line.
  ///
  /// @param text the text up to the first bytes that are not UTF-8
  /// @param column where these bytes are, from 1; 0 if there are none
  public record Line(String text, int column) {}

  /// Reads a file.
  ///
  /// @throws NotUtf8Exception if it is not in UTF-8
  public static String read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    List<Line> lines = lines(bytes);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).column() > 0) {
        throw new NotUtf8Exception(i + 1, lines.get(i).column());
      }
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// Reads the lines of a file, each without its end.
  public static List<Line> lines(Path file) throws IOException {
    return lines(Files.readAllBytes(file));
  }

  private static List<Line> lines(byte[] bytes) {
    List<Line> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= bytes.length; i++) {
      if (i < bytes.length ? bytes[i] == '\n' : start < i) {
        int end = i > start && bytes[i - 1] == '\r' ? i - 1 : i;
        lines.add(line(ByteBuffer.wrap(bytes, start, end - start)));
        start = i + 1;
      }
    }
    return lines;
  }

  private static Line line(ByteBuffer bytes) {
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(bytes, text, true);
    text.flip();
    String read = text.toString();
    return new Line(read, result.isError() ? read.codePointCount(0, read.length()) + 1 : 0);
  }
}
