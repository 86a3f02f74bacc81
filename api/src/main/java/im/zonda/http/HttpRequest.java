package im.zonda.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request (RFC 9110).
public interface HttpRequest {
  /// The method.
  HttpMethod method();

  /// The path, decoded and free of `.`, `..`, empty segments and control characters. A slash or
  /// backslash within a segment is still escaped, as `%2F` or `%5C`.
  String path();

  /// The decoded parts of the path; only the last can be empty. They have slashes and backslashes
  /// within only where the route allows that ([HttpRoute#withSlashes]).
  default List<String> segments() {
    return List.of(path().substring(1).split("/", -1));
  }

  /// Whether a segment has slashes or backslashes within.
  default boolean hasSlashes() {
    return segments().stream().anyMatch(each -> each.indexOf('/') >= 0 || each.indexOf('\\') >= 0);
  }

  /// The parameters of the query, decoded; of several with one name, the first.
  Map<String, String> query();

  /// The domain of the virtual host.
  String domain();

  /// The host, with a port if there is one, that the client has asked for.
  String authority();

  /// Whether the client's connection is encrypted, as far as is known.
  boolean secure();

  /// The client's address. Behind a trusted proxy it is the one that the proxy names.
  InetAddress remoteAddress();

  /// The first header field of that name, in any case, or null.
  @Nullable String header(String name);

  /// All header fields of that name.
  List<String> headers(String name);

  /// The handler has read what it needs and waits for something to answer with: the request no
  /// longer counts among those that are being handled.
  default void waitsForEvents() {}

  /// The body; empty if there is none.
  HttpBody body();
}
