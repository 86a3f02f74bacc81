package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// HTTP, for browsers.
public record Http(
    @Setting(value = "addresses to listen on for HTTP without TLS", form = Form.ADDRESS)
        List<String> listen,
    @Setting(value = "addresses to listen on for HTTPS", form = Form.ADDRESS)
        List<String> listenTls,
    @Setting(
            "URL at which clients reach this server by HTTP, without a path; `{host}` stands for"
                + " the domain of the virtual host. Without it, the virtual host at the port of the"
                + " first address to listen on, with TLS if there is one")
        @Nullable String url,
    @Setting(
            "origins, such as `https://chat.example.org`, whose scripts may use what is meant for"
                + " other origins (CORS), and connect by WebSocket and BOSH; `*` is all. A host may"
                + " have others")
        List<String> origins,
    @Setting("whether clients may use BOSH (XEP-0124), at `/http-bind`") boolean bosh,
    @Setting(
            "addresses of reverse proxies, or networks such as `10.0.0.0/8`, whose header fields"
                + " `Forwarded`, `X-Forwarded-For` and `X-Forwarded-Proto` are believed")
        List<String> trustedProxies) {
  private static final String HOST = "{host}";

  /// On this machine only.
  public static final Http DEFAULTS =
      new Http(
          List.of("127.0.0.1:5280", "[::1]:5280"),
          List.of("127.0.0.1:5281", "[::1]:5281"),
          null,
          List.of("*"));

  /// No HTTP.
  public static final Http OFF = new Http(List.of(), List.of(), null, List.of("*"));

  /// With the usual values of the rest.
  public Http(
      List<String> listen, List<String> listenTls, @Nullable String url, List<String> origins) {
    this(listen, listenTls, url, origins, true, List.of());
  }

  /// Copies the lists.
  public Http {
    trustedProxies = List.copyOf(trustedProxies);
    listen = List.copyOf(listen);
    listenTls = List.copyOf(listenTls);
    origins = List.copyOf(origins);
  }

  /// The same at other addresses.
  public Http at(List<String> plain, List<String> tls) {
    return new Http(plain, tls, url, origins, bosh, trustedProxies);
  }

  /// The same for scripts of these origins.
  public Http withOrigins(List<String> others) {
    return new Http(listen, listenTls, url, others, bosh, trustedProxies);
  }

  /// Whether anything is served.
  public boolean isOn() {
    return !listen.isEmpty() || !listenTls.isEmpty();
  }

  /// The URL of a virtual host, without a slash at the end: a path of a route follows.
  public String url(String domain) {
    if (url != null) {
      String given = url.replace(HOST, domain);
      return given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
    }
    boolean tls = !listenTls.isEmpty();
    String address = tls ? listenTls.getFirst() : listen.isEmpty() ? ":80" : listen.getFirst();
    String port = address.substring(address.lastIndexOf(':'));
    String usual = tls ? ":443" : ":80";
    return (tls ? "https://" : "http://") + domain + (port.equals(usual) ? "" : port);
  }
}
