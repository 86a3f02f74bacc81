package im.zonda.app.control;

import im.zonda.app.control.ApiClient.Answer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads one response of HTTP/1.1 (RFC 9112) from our own server, which sends no more than it has
/// to: a status, fields, and a body that has a length, is chunked, or goes to the end.
final class HttpAnswerReader {
  private static final int MAX_FIELDS = 100;
  private static final int MAX_BODY = 64 << 20;
  private static final String EVENT = "data: ";

  private final InputStream input;
  private long length = -1;
  private boolean chunked;
  private boolean hasEvents;

  HttpAnswerReader(InputStream input) {
    this.input = new BufferedInputStream(input);
  }

  /// Reads it.
  ///
  /// @param events gets the data of each server-sent event as it comes
  /// @throws IOException if it is no response
  Answer read(Consumer<String> events) throws IOException {
    String[] status = line().split(" ", 3);
    if (status.length < 2 || !status[0].equals("HTTP/1.1") || !status[1].matches("\\d{3}")) {
      throw new IOException("the server's answer is no HTTP");
    }
    int code = Integer.parseInt(status[1]);
    readFields();
    if (code == 204 || code == 304) {
      return new Answer(code, "");
    }
    InputStream body = chunked ? new Chunks() : input;
    if (hasEvents) {
      readEvents(body, events);
      return new Answer(code, "");
    }
    return new Answer(code, new String(body(body), StandardCharsets.UTF_8));
  }

  private void readFields() throws IOException {
    for (int i = 0; i <= MAX_FIELDS; i++) {
      String field = line();
      if (field.isEmpty()) {
        return;
      }
      int colon = field.indexOf(':');
      String name = field.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
      String value = field.substring(colon + 1).strip();
      switch (name) {
        case "content-length" -> length = number(value, 10);
        case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
        case "content-type" -> hasEvents = value.startsWith("text/event-stream");
        default -> {}
      }
    }
    throw new IOException("the server's answer has too many fields");
  }

  private byte[] body(InputStream from) throws IOException {
    if (length > MAX_BODY) {
      throw new IOException("the server's answer is too long");
    }
    int most = length >= 0 && !chunked ? (int) length : MAX_BODY + 1;
    byte[] all = from.readNBytes(most);
    if (all.length > MAX_BODY) {
      throw new IOException("the server's answer is too long");
    }
    if (length >= 0 && !chunked && all.length < length) {
      throw new EOFException("the server has ended its answer");
    }
    return all;
  }

  private static void readEvents(InputStream from, Consumer<String> events) throws IOException {
    String line = line(from);
    while (line != null) {
      if (line.startsWith(EVENT)) {
        events.accept(line.substring(EVENT.length()));
      }
      line = line(from);
    }
  }

  private String line() throws IOException {
    String line = line(input);
    if (line == null) {
      throw new EOFException("the server has closed the control socket without an answer");
    }
    return line;
  }

  /// A line without its end; null at the end of the input.
  private static @Nullable String line(InputStream from) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = from.read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n') {
      if (line.size() == MAX_BODY) {
        throw new IOException("the server's answer has a line that is too long");
      }
      line.write(next);
      next = from.read();
    }
    String text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  private static long number(String text, int radix) throws IOException {
    try {
      long value = Long.parseLong(text, radix);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IOException("the server's answer has no length", e);
    }
    throw new IOException("the server's answer has no length");
  }

  /// The content of a body in chunks.
  private final class Chunks extends InputStream {
    private long left;
    private boolean begun;
    private boolean ended;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int most) throws IOException {
      if (left == 0 && !ended) {
        next();
      }
      if (ended) {
        return -1;
      }
      int read = input.read(target, offset, (int) Math.min(most, left));
      if (read < 0) {
        throw new EOFException("the server has ended its answer");
      }
      left -= read;
      return read;
    }

    private void next() throws IOException {
      if (begun) {
        line(); // the end of the one before
      }
      begun = true;
      left = number(line().split(";", 2)[0].strip(), 16);
      if (left == 0) {
        ended = true;
        while (!line().isEmpty()) {
          // fields after the body
        }
      }
    }
  }
}
