package im.zonda.http.page;

import im.zonda.http.HttpBody;
import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A form with files (RFC 7578), all in memory.
///
/// @param data the fields that are texts
/// @param files the others by their names, also those that no file was chosen for, which are empty
/// @param tooLarge whether the files were larger than permitted, and are missing with all fields
///   after them
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MultipartForm(FormData data, Map<String, byte[]> files, boolean tooLarge) {
  /// What the texts may have besides files.
  private static final int MOST_TEXT = 16_384;

  /// A larger body is not read to its end.
  private static final int MOST_READ = 33_554_432;

  private static final int MOST_PARTS = 16;
  private static final int MOST_TYPE = 200;
  private static final Pattern BOUNDARY =
      Pattern.compile(
          "multipart/form-data\\s*;(?:.*;)?\\s*boundary=\"?([0-9A-Za-z'()+_,./:=?-]{1,70})\"?\\s*(?:;.*)?",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern NAME = Pattern.compile(";\\s*name=\"([^\"]{0,64})\"");

  /// Reads a form.
  ///
  /// @param most the most bytes of all files
  /// @throws HttpException if it comes from a page of another site, is far too large or damaged
  public static MultipartForm read(HttpRequest request, int most) throws IOException {
    FormData.checkSite(request);
    String type = request.header("Content-Type");
    Matcher boundary = BOUNDARY.matcher(type == null || type.length() > MOST_TYPE ? "" : type);
    if (!boundary.matches()) {
      throw new HttpException(415, "the form must be sent as multipart/form-data");
    }
    long announced = request.body().length();
    byte[] body =
        new byte
            [(int) Math.min(most + MOST_TEXT, announced < 0 ? most + MOST_TEXT : announced + 1)];
    int length = fill(request.body(), body);
    boolean tooLarge = length == body.length && drain(request.body()) > 0;
    String delimiter = "--" + boundary.group(1);
    return parse(Arrays.copyOf(body, length), delimiter, tooLarge);
  }

  /// The file of a field; null if none was chosen.
  public byte @Nullable [] file(String name) {
    byte[] file = files.get(name);
    return file == null || file.length == 0 ? null : file;
  }

  private static int fill(HttpBody body, byte[] target) throws IOException {
    int length = 0;
    while (length < target.length) {
      int more = body.read(target, length, target.length - length);
      if (more < 0) {
        break;
      }
      length += more;
    }
    return length;
  }

  /// Reads the rest, so that the browser reads the answer; returns how much it was.
  private static int drain(HttpBody body) throws IOException {
    byte[] rest = new byte[8_192];
    int drained = 0;
    for (int more = body.read(rest, 0, rest.length);
        more >= 0;
        more = body.read(rest, 0, rest.length)) {
      drained += more;
      if (drained > MOST_READ) {
        throw new HttpException(413, "the file is much too large");
      }
    }
    return drained;
  }

  /// @param cut whether the end is missing
  private static MultipartForm parse(byte[] bytes, String delimiter, boolean cut) {
    // One character for each byte.
    String body = new String(bytes, StandardCharsets.ISO_8859_1);
    Map<String, String> texts = new HashMap<>();
    Map<String, byte[]> files = new HashMap<>();
    int at = body.startsWith(delimiter) ? delimiter.length() : -1;
    for (int parts = 0; at >= 0 && !body.startsWith("--", at); parts++) {
      int head = body.indexOf("\r\n\r\n", at);
      int end = head < 0 ? -1 : body.indexOf("\r\n" + delimiter, head + 2);
      if (end < 0 && cut) {
        return new MultipartForm(new FormData(Map.copyOf(texts)), Map.copyOf(files), true);
      }
      Matcher name = NAME.matcher(head < 0 ? "" : body.substring(at, head));
      if (end < head + 2 || parts == MOST_PARTS || !name.find()) {
        throw new HttpException(400, "the form is damaged");
      }
      byte[] value = Arrays.copyOfRange(bytes, Math.min(head + 4, end), end);
      if (body.substring(at, head).contains("; filename")) {
        files.put(name.group(1), value);
      } else {
        texts.put(name.group(1), new String(value, StandardCharsets.UTF_8));
      }
      at = end + 2 + delimiter.length();
    }
    if (at < 0) {
      throw new HttpException(400, "the form is damaged");
    }
    return new MultipartForm(new FormData(Map.copyOf(texts)), Map.copyOf(files), cut);
  }
}
