package im.zonda.net.http;

import im.zonda.http.HttpBody;
import im.zonda.http.HttpException;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request that has come by HTTP/1.1.
///
/// @param method the method
/// @param target what it is for
/// @param domain the virtual host
/// @param authority the host that was asked for
/// @param secure whether it came by TLS
/// @param remoteAddress the client's address
/// @param fields the header
/// @param body the body
/// @param waits called by [#waitsForEvents]
record ReceivedRequest(
    HttpMethod method,
    RequestTarget target,
    String domain,
    String authority,
    boolean secure,
    InetAddress remoteAddress,
    HttpHeaders fields,
    HttpBody body,
    Runnable waits)
    implements HttpRequest {
  /// Reads the header of a request.
  ///
  /// @throws HttpException if it cannot be answered
  static ReceivedRequest of(
      io.netty.handler.codec.http.HttpRequest head,
      HostChoice hosts,
      boolean secure,
      InetAddress address,
      HttpBody body,
      Runnable waits) {
    HttpVersion version = head.protocolVersion();
    if (version.majorVersion() != 1 || version.minorVersion() > 1) {
      throw new HttpException(505, "This server speaks HTTP/1.1");
    }
    RequestTarget target = RequestTarget.parse(head.uri());
    List<String> names = head.headers().getAll(HttpHeaderNames.HOST);
    if (names.size() > 1 || (names.isEmpty() && version.minorVersion() == 1)) {
      throw new HttpException(400, "The request needs one field Host");
    }
    String given = names.isEmpty() ? null : names.getFirst().trim();
    String authority = target.authority() == null ? given : target.authority();
    String domain = hosts.domain(authority);
    return new ReceivedRequest(
        method(head.method().name()),
        target,
        domain,
        authority == null ? domain : authority,
        secure,
        address,
        head.headers(),
        body,
        waits);
  }

  private static HttpMethod method(String name) {
    for (HttpMethod method : HttpMethod.values()) {
      if (method.name().equals(name)) {
        return method;
      }
    }
    throw new HttpException(501, "This server does not know the method");
  }

  /// The length that the header announces; 0 without a body, -1 if it is not known.
  static long announcedLength(io.netty.handler.codec.http.HttpRequest head) {
    if (head.decoderResult().isFailure()) {
      return 0;
    }
    return HttpUtil.isTransferEncodingChunked(head) ? -1 : HttpUtil.getContentLength(head, 0L);
  }

  @Override
  public String path() {
    return target.path();
  }

  @Override
  public List<String> segments() {
    return target.segments();
  }

  @Override
  public Map<String, String> query() {
    return target.query();
  }

  @Override
  public void waitsForEvents() {
    waits.run();
  }

  @Override
  public @Nullable String header(String name) {
    return fields.get(name);
  }

  @Override
  public List<String> headers(String name) {
    return fields.getAll(name);
  }
}
