package im.zonda.net.http;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the header of a request by HTTP/2 strictly (RFC 9113, sections 8.2 and 8.3): what would be
/// another request after its translation to HTTP/1.1 is an error.
final class Http2RequestHeader {
  private static final String METHOD = ":method";
  private static final String SCHEME = ":scheme";
  private static final String PATH = ":path";
  private static final String AUTHORITY = ":authority";
  private static final Set<String> PSEUDO = Set.of(METHOD, SCHEME, PATH, AUTHORITY);

  /// Fields that are about one connection of HTTP/1.1 (RFC 9113, section 8.2.2).
  private static final Set<String> OF_CONNECTION =
      Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

  private static final String CONNECT = "CONNECT";
  private static final int MAX_LENGTH_DIGITS = 18;

  private Http2RequestHeader() {}

  /// Whether HTTP/2 has no such field.
  ///
  /// @param name in lower case
  static boolean isOfConnection(String name) {
    return OF_CONNECTION.contains(name);
  }

  /// Translates a header.
  ///
  /// @param ends whether no body follows
  static DefaultHttpRequest read(Http2Headers fields, boolean ends)
      throws MalformedRequestException {
    Map<String, String> pseudo = pseudo(fields);
    String method = pseudo.get(METHOD);
    if (method == null) {
      throw new MalformedRequestException("no method");
    }
    DefaultHttpRequest request;
    try {
      request =
          new DefaultHttpRequest(
              HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), target(pseudo, method));
      copy(fields, request);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("a method or field that HTTP does not have");
    }
    setHost(request, pseudo.get(AUTHORITY));
    setLength(request, ends);
    return request;
  }

  /// Checks fields that follow a body; they are not used.
  static void checkTrailers(Http2Headers fields, boolean ends) throws MalformedRequestException {
    if (!ends) {
      throw new MalformedRequestException("a second header");
    }
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      checkField(field.getKey().toString(), field.getValue().toString());
    }
  }

  private static Map<String, String> pseudo(Http2Headers fields) throws MalformedRequestException {
    Map<String, String> found = new HashMap<>();
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      String name = field.getKey().toString();
      if (name.startsWith(":")
          && (!PSEUDO.contains(name) || found.put(name, field.getValue().toString()) != null)) {
        throw new MalformedRequestException("an unknown or repeated pseudo-header field");
      }
    }
    return found;
  }

  private static String target(Map<String, String> pseudo, String method)
      throws MalformedRequestException {
    String path = pseudo.get(PATH);
    if (method.equals(CONNECT)) {
      if (path != null || pseudo.containsKey(SCHEME) || !pseudo.containsKey(AUTHORITY)) {
        throw new MalformedRequestException("CONNECT with a path");
      }
      return "*"; // answered with 501, as by HTTP/1.1
    }
    boolean star = "*".equals(path) && method.equals("OPTIONS");
    if (path == null || (!path.startsWith("/") && !star)) {
      throw new MalformedRequestException("no path");
    }
    if (!"https".equals(pseudo.get(SCHEME))) {
      throw new MalformedRequestException("another scheme");
    }
    return path;
  }

  private static void copy(Http2Headers fields, DefaultHttpRequest request)
      throws MalformedRequestException {
    StringBuilder cookies = new StringBuilder();
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      String name = field.getKey().toString();
      String value = field.getValue().toString();
      if (name.startsWith(":")) {
        continue;
      }
      checkField(name, value);
      if (name.equals("cookie")) { // RFC 9113, section 8.2.3
        cookies.append(cookies.isEmpty() ? "" : "; ").append(value);
      } else {
        request.headers().add(name, value);
      }
    }
    if (!cookies.isEmpty()) {
      request.headers().add(HttpHeaderNames.COOKIE, cookies.toString());
    }
  }

  private static void checkField(String name, String value) throws MalformedRequestException {
    boolean valid =
        !name.isEmpty()
            && name.chars().allMatch(Http2RequestHeader::isNameCharacter)
            && value.chars().noneMatch(c -> c == 0 || c == '\r' || c == '\n')
            && value.strip().length() == value.length();
    if (!valid) {
      throw new MalformedRequestException("a field that HTTP does not have");
    }
    if (isOfConnection(name) || (name.equals("te") && !value.equals("trailers"))) {
      throw new MalformedRequestException("a field of HTTP/1.1 connections");
    }
  }

  private static boolean isNameCharacter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  /// `:authority` and `Host` must name the same (RFC 9113, section 8.3.1).
  private static void setHost(DefaultHttpRequest request, @Nullable String authority)
      throws MalformedRequestException {
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1
        || (authority != null && !hosts.isEmpty() && !authority.equals(hosts.getFirst()))) {
      throw new MalformedRequestException("several hosts");
    }
    if (authority != null) {
      request.headers().set(HttpHeaderNames.HOST, authority);
    }
  }

  private static void setLength(DefaultHttpRequest request, boolean ends)
      throws MalformedRequestException {
    List<String> lengths = request.headers().getAll(HttpHeaderNames.CONTENT_LENGTH);
    boolean valid =
        lengths.isEmpty()
            || (lengths.size() == 1
                && !lengths.getFirst().isEmpty()
                && lengths.getFirst().length() <= MAX_LENGTH_DIGITS
                && lengths.getFirst().chars().allMatch(c -> c >= '0' && c <= '9'));
    if (!valid || (ends && !lengths.isEmpty() && Long.parseLong(lengths.getFirst()) != 0)) {
      throw new MalformedRequestException("a wrong length");
    }
    if (lengths.isEmpty() && !ends) {
      request.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    }
  }
}
