package im.zonda.bench.trace.log;

import im.zonda.bench.trace.TraceEvent;
import im.zonda.bench.trace.TraceFile;
import im.zonda.bench.trace.TraceFormatException;
import im.zonda.json.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the lines of a log as values by column: CSV (RFC 4180, a quoted value may have line
/// breaks), values divided by tabs or semicolons, or a JSON object a line. The first character of
/// the file tells JSON; the first line of another log names the columns.
final class LogReader implements AutoCloseable {
  private static final int MAX_VALUES = 1_000;

  private final String name;
  private final BufferedReader in;
  private final boolean isJson;
  private List<String> columns = List.of();
  private char divider = ',';
  private long number;

  private LogReader(Path file, BufferedReader in) throws IOException {
    this.name = file.toString();
    this.in = in;
    in.mark(1);
    int first = in.read();
    in.reset();
    isJson = first == '{';
    if (!isJson) {
      String head = text();
      if (head == null) {
        throw new TraceFormatException(name, 1, "the file is empty");
      }
      divider = dividerOf(head);
      columns = values(head);
    }
  }

  static LogReader open(Path file) throws IOException {
    BufferedReader in = TraceFile.reader(file);
    try {
      return new LogReader(file, in);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private static char dividerOf(String head) {
    return head.indexOf('\t') >= 0 ? '\t' : head.indexOf(',') < 0 && head.contains(";") ? ';' : ',';
  }

  private @Nullable String text() throws IOException {
    try {
      TraceFile.Line line = TraceFile.line(in);
      number++;
      return line.isEnd() ? null : line.text();
    } catch (CharacterCodingException e) {
      throw new TraceFormatException(name, number + 1, "not UTF-8");
    }
  }

  /// The line that [#next] returned last; of a value over several lines the last one.
  long line() {
    return number;
  }

  /// The columns that the first line names; empty for JSON.
  List<String> columns() {
    return columns;
  }

  /// The values of the next line by column; null at the end. Blank lines are skipped.
  ///
  /// @throws TraceFormatException if the line is not in the format
  @Nullable Map<String, String> next() throws IOException {
    String text = text();
    while (text != null && text.isBlank()) {
      text = text();
    }
    if (text == null) {
      return null;
    }
    Map<String, String> line = new HashMap<>();
    if (isJson) {
      try {
        JsonReader.object(text)
            .forEach((key, value) -> {
              if (value != null) {
                line.put(key, value.toString());
              }
            });
      } catch (IllegalArgumentException e) {
        throw new TraceFormatException(name, number, "no JSON object");
      }
      return line;
    }
    List<String> values = values(text);
    if (values.size() != columns.size()) {
      throw new TraceFormatException(
          name, number, values.size() + " values, but the first line has " + columns.size());
    }
    for (int i = 0; i < values.size(); i++) {
      line.put(columns.get(i), values.get(i));
    }
    return line;
  }

  private List<String> values(String first) throws IOException {
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    String text = first;
    boolean isQuoted = false;
    long begin = number;
    for (int i = 0; ; i++) {
      if (i == text.length() && isQuoted) {
        text = text();
        if (text == null || value.length() > TraceEvent.MAX_BYTES) {
          throw new TraceFormatException(name, begin, "a quote is not closed");
        }
        value.append('\n');
        i = -1;
      } else if (i == text.length() || (text.charAt(i) == divider && !isQuoted)) {
        values.add(value.toString());
        value.setLength(0);
        if (i == text.length()) {
          return values;
        }
        if (values.size() > MAX_VALUES) {
          throw new TraceFormatException(name, number, "more than " + MAX_VALUES + " values");
        }
      } else if (text.charAt(i) != '"' || divider == '\t') {
        value.append(text.charAt(i));
      } else if (isQuoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        value.append('"');
        i++;
      } else {
        isQuoted = !isQuoted;
      }
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
