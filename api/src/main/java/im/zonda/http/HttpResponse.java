package im.zonda.http;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A response (RFC 9110). `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` are the
/// server's.
///
/// @param status the status code
/// @param headers the header fields, in their order
/// @param content the body
public record HttpResponse(int status, List<Header> headers, HttpContent content) {
  private static final HttpContent EMPTY = new HttpContent.Bytes(new byte[0]);

  /// A header field.
  public record Header(String name, String value) {
    /// @throws IllegalArgumentException if the value has a line break, which would begin another
    ///   field
    public Header {
      if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0 || value.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("a line break in the header field " + name);
      }
    }
  }

  /// Copies the list.
  public HttpResponse {
    headers = List.copyOf(headers);
  }

  /// A response without a body.
  public static HttpResponse empty(int status) {
    return new HttpResponse(status, List.of(), EMPTY);
  }

  /// A short text.
  public static HttpResponse text(int status, String text) {
    return bytes(
        status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /// Some bytes of that media type.
  public static HttpResponse bytes(int status, String type, byte[] bytes) {
    return new HttpResponse(
        status, List.of(new Header("Content-Type", type)), new HttpContent.Bytes(bytes));
  }

  /// A part of a file of that media type.
  public static HttpResponse file(int status, String type, Path path, long offset, long length) {
    return new HttpResponse(
        status,
        List.of(new Header("Content-Type", type)),
        new HttpContent.FilePart(path, offset, length));
  }

  /// A body of that media type that is written as it becomes known.
  ///
  /// @param length how many bytes will be written; -1 if that is not known
  public static HttpResponse stream(
      int status, String type, long length, HttpContent.Writer writer) {
    return new HttpResponse(
        status,
        List.of(new Header("Content-Type", type)),
        new HttpContent.Streamed(length, writer));
  }

  /// A response that waits for an event ([HttpContent.Later]).
  public static HttpResponse later(HttpContent.Source source) {
    return new HttpResponse(200, List.of(), new HttpContent.Later(source));
  }

  /// Sends the client to another address.
  ///
  /// @param status such as 303 or 308
  public static HttpResponse redirect(int status, String location) {
    return empty(status).with("Location", location);
  }

  /// The same with another header field.
  public HttpResponse with(String name, String value) {
    List<Header> all = new ArrayList<>(headers);
    all.add(new Header(name, value));
    return new HttpResponse(status, all, content);
  }

  /// Whether it has a header field of that name.
  public boolean has(String name) {
    return headers.stream().anyMatch(each -> each.name().equalsIgnoreCase(name));
  }
}
