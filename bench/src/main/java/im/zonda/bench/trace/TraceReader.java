package im.zonda.bench.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads a trace, one event after the other: lines with the five fields time, event, player, room
/// and bytes, which tabs divide, `-` for a field without a value. The file may be packed by gzip.
/// Memory does not grow with the file.
public final class TraceReader implements AutoCloseable {
  private static final String COLUMNS = "t_ms\t";
  private static final int FIELDS = 5;
  private static final Pattern NEXT_KEY = Pattern.compile("\\s+#");

  private final String name;
  private final BufferedReader in;
  private final TraceHeader header;
  private TraceFile.Line current;
  private long number = 1;

  private TraceReader(Path file, BufferedReader in) throws IOException {
    this.name = file.toString();
    this.in = in;
    this.current = read();
    this.header = readHeader();
  }

  /// Opens a file and reads its header.
  ///
  /// @throws TraceFormatException if the file is no trace of a version that this reader knows
  public static TraceReader open(Path file) throws IOException {
    BufferedReader in = TraceFile.reader(file);
    try {
      return new TraceReader(file, in);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private TraceFile.Line read() throws IOException {
    try {
      return TraceFile.line(in);
    } catch (CharacterCodingException e) {
      throw fault("not UTF-8");
    }
  }

  private void skip() throws IOException {
    number++;
    current = read();
  }

  private TraceHeader readHeader() throws IOException {
    SequencedMap<String, String> values = new LinkedHashMap<>();
    for (; !current.isEnd() && current.text().startsWith("#"); skip()) {
      for (String entry : NEXT_KEY.split(current.text().substring(1), -1)) {
        int equals = entry.indexOf('=');
        if (equals < 1) {
          throw fault("\"#" + entry + "\" is not #key=value");
        }
        values.put(entry.substring(0, equals), entry.substring(equals + 1));
      }
    }
    String version = values.get(TraceHeader.VERSION_KEY);
    if (version == null) {
      throw new TraceFormatException(
          name, 1, "the file does not begin with #" + TraceHeader.VERSION_KEY + "=1");
    }
    if (!version.equals(Integer.toString(TraceHeader.VERSION))) {
      throw new TraceFormatException(name, 1, "version " + version + " of the format is unknown");
    }
    if (current.text().startsWith(COLUMNS)) {
      skip();
    }
    return new TraceHeader(values);
  }

  /// The header.
  public TraceHeader header() {
    return header;
  }

  /// The number of the line of the event that [#next] returned last, from 1.
  public long line() {
    return number - 1;
  }

  /// The next event; null at the end.
  ///
  /// @throws TraceFormatException if the line is not in the format; the next call reads the line
  ///   after it
  public @Nullable TraceEvent next() throws IOException {
    while (!current.isEnd() && current.text().isEmpty()) {
      skip();
    }
    if (current.isEnd()) {
      return null;
    }
    String[] fields = current.text().split("\t", -1);
    long line = number;
    skip();
    if (fields.length != FIELDS) {
      throw new TraceFormatException(
          name, line, fields.length + " fields between tabs, not " + FIELDS);
    }
    try {
      EventKind kind = EventKind.of(fields[1]);
      return new TraceEvent(
          whole("time", fields[0]),
          kind,
          fields[2],
          fields[3].equals("-") ? "" : fields[3],
          fields[4].equals("-") ? 0 : (int) Math.min(whole("length", fields[4]), 1 << 30));
    } catch (IllegalArgumentException e) {
      throw new TraceFormatException(name, line, String.valueOf(e.getMessage()));
    }
  }

  private static long whole(String field, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(field + " \"" + text + "\" is no whole number", e);
    }
  }

  private TraceFormatException fault(String reason) {
    return new TraceFormatException(name, number, reason);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
