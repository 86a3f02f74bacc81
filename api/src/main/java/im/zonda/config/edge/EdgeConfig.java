package im.zonda.config.edge;

import im.zonda.config.Http;
import im.zonda.config.ProxyProtocol;
import im.zonda.config.ServerConfig;
import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import im.zonda.config.limits.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The configuration of an edge.
public record EdgeConfig(
    @Setting("the connections to the server that has the accounts, or to the nodes of its cluster")
        Core edge,
    @Setting("client connections") ServerConfig.C2s c2s,
    @Setting(
            "WebSockets and BOSH, for clients in browsers, and `/health/live` and `/health/ready`, for"
                + " balancers; all else that the server has by HTTP is not served")
        EdgeHttp http,
    @Setting(
            "proxies that forward connections and name the client (PROXY protocol); none by"
                + " default")
        ProxyProtocol proxyProtocol,
    @Setting("certificate of the virtual hosts") ServerConfig.Tls tls,
    @Setting("limits") Limits limits,
    @Setting("logging") ServerConfig.Log log) {
  /// The connections to the server that has the accounts, or to the nodes of its cluster.
  public record Core(
      @Setting("host and port of the server's listener for edges; its certificate names the host")
          String core,
      @Setting(
              "instead of `core`, host and port of the listeners of the nodes of a cluster; each"
                  + " may be written as `name=host:port` if the certificate has another name")
          List<String> cores,
      @Setting("PEM file with the certificate that this edge presents") @Nullable Path certificate,
      @Setting("PEM file with the private key of that certificate") @Nullable Path key,
      @Setting("PEM file with the authority of the servers' certificates") @Nullable Path ca,
      @Setting(value = "time that clients are kept while no server is there", max = 3_600_000)
          Duration patience) {
    /// Copies the list.
    public Core {
      cores = List.copyOf(cores);
    }

    /// The servers, however they are given.
    public List<String> all() {
      return core.isEmpty() ? cores : List.of(core);
    }
  }

  /// HTTP of an edge, for WebSockets and BOSH.
  public record EdgeHttp(
      @Setting(
              value =
                  "addresses to listen on for HTTP without TLS, for proxies that are in"
                      + " `trusted-proxies` and say that their client uses `https`: other clients"
                      + " cannot log in",
              form = Form.ADDRESS)
          List<String> listen,
      @Setting(value = "addresses to listen on for HTTPS", form = Form.ADDRESS)
          List<String> listenTls,
      @Setting("origins, such as `https://chat.example.org`, whose scripts may connect; `*` is all")
          List<String> origins,
      @Setting("whether clients may use BOSH (XEP-0124), at `/http-bind`") boolean bosh,
      @Setting(
              "addresses of reverse proxies, or networks such as `10.0.0.0/8`, whose header fields"
                  + " `Forwarded`, `X-Forwarded-For` and `X-Forwarded-Proto` are believed")
          List<String> trustedProxies) {
    /// Copies the lists.
    public EdgeHttp {
      listen = List.copyOf(listen);
      listenTls = List.copyOf(listenTls);
      origins = List.copyOf(origins);
      trustedProxies = List.copyOf(trustedProxies);
    }

    /// As settings of HTTP.
    public Http settings() {
      return new Http(listen, listenTls, null, origins, bosh, trustedProxies);
    }
  }

  /// The defaults, which name no server.
  public static EdgeConfig defaults() {
    return new EdgeConfig(
        new Core("", List.of(), null, null, null, Duration.ofMinutes(1)),
        new ServerConfig.C2s(
            List.of("127.0.0.1:5222"), List.of("127.0.0.1:5223"), ServerConfig.Plaintext.NEVER, 0),
        new EdgeHttp(List.of(), List.of(), List.of("*"), true, List.of()),
        ProxyProtocol.DEFAULTS,
        new ServerConfig.Tls(null, null),
        Limits.defaults(),
        new ServerConfig.Log(ServerConfig.LogLevel.INFO, ServerConfig.LogFormat.TEXT));
  }
}
