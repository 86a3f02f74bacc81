package im.zonda.bench.trace;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// Opens files of text, packed by gzip or not.
public final class TraceFile {
  private static final int BUFFER = 1 << 16;

  private TraceFile() {}

  /// Opens a file for reading. The first two bytes say whether gzip has packed it. Bytes that are
  /// not UTF-8 are an error of the reader.
  public static BufferedReader reader(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      in.mark(2);
      boolean packed = in.read() == 0x1f && in.read() == 0x8b;
      in.reset();
      return new BufferedReader(
          new InputStreamReader(
              packed ? new GZIPInputStream(in, BUFFER) : in,
              StandardCharsets.UTF_8
                  .newDecoder()
                  .onMalformedInput(CodingErrorAction.REPORT)
                  .onUnmappableCharacter(CodingErrorAction.REPORT)));
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /// Opens a file for writing, packed by gzip if its name ends in `.gz`.
  public static OutputStream writer(Path file) throws IOException {
    OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER);
    return file.toString().endsWith(".gz") ? new GZIPOutputStream(out, BUFFER) : out;
  }

  /// Reads a line with a limit on its length.
  ///
  /// @return the line; empty at the end of the file, with [Line#isEnd]
  public static Line line(BufferedReader in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c == -1) {
        return new Line(strip(text), text.isEmpty());
      }
      if (text.length() == BUFFER) {
        throw new IOException("a line is longer than " + BUFFER + " characters");
      }
      text.append((char) c);
    }
    return new Line(strip(text), false);
  }

  private static String strip(StringBuilder text) {
    int length = text.length();
    return text.substring(0, length > 0 && text.charAt(length - 1) == '\r' ? length - 1 : length);
  }

  /// A line of a file.
  ///
  /// @param isEnd whether the file ended before it
  public record Line(String text, boolean isEnd) {}
}
