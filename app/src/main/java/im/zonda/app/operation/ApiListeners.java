package im.zonda.app.operation;

import im.zonda.app.metric.MetricOperations;
import im.zonda.config.Api;
import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.host.XmppServer;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRoute;
import im.zonda.metric.PrometheusText;
import im.zonda.net.Listener;
import im.zonda.net.http.HttpServer;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.operation.Operations;
import im.zonda.operation.rest.RestHandler;
import im.zonda.operation.rest.TextHandler;
import im.zonda.operation.token.ApiTokens;
import im.zonda.operation.token.TokenAuthentication;
import im.zonda.runtime.ServerRuntime;
import im.zonda.throttle.LoginThrottle;
import java.util.EnumSet;
import java.util.List;

/// Serves the operations to programs (`[api]`), apart from what browsers are served.
final class ApiListeners {
  private static final String FOLDER = "/api/";
  private static final String METRICS = "/metrics";

  private ApiListeners() {}

  /// Where programs connect; empty if the API is off.
  ///
  /// @param server whose hosts requests must name
  static List<Listener> of(
      ServerConfig config,
      XmppServer server,
      Operations operations,
      ApiTokens tokens,
      ServerRuntime runtime) {
    Api api = config.api();
    if (!api.isOn()) {
      return List.of();
    }
    AddressRanges allowed = new AddressRanges(api.allowFrom());
    LoginThrottle throttle =
        new LoginThrottle(
            config.limits().login(),
            config.limits().negotiationTime(),
            runtime.clock(),
            runtime.ids().next());
    TokenAuthentication authentication =
        new TokenAuthentication(
            new TokenAuthentication.Parts(
                tokens,
                server.http()::domains,
                address -> api.allowFrom().isEmpty() || allowed.contains(address),
                throttle,
                runtime));
    HttpRoute route =
        new HttpRoute(
                FOLDER,
                true,
                EnumSet.allOf(HttpMethod.class),
                false,
                new RestHandler(operations, authentication))
            .withSlashes();
    HttpRoute metrics =
        new HttpRoute(
            METRICS,
            false,
            EnumSet.of(HttpMethod.GET),
            false,
            new TextHandler<>(
                operations,
                authentication,
                MetricOperations.PROMETHEUS,
                MetricOperations.Text::text,
                PrometheusText.TYPE));
    Http settings = new Http(api.listen(), api.listenTls(), null, List.of(), false, List.of());
    return new HttpServer(
            settings, config.limits().http(), new ApiHosts(List.of(route, metrics)), runtime)
        .listeners(Listener.Kind.API, Listener.Kind.API_TLS);
  }

  /// Any name, for all of which there is the API. [TokenAuthentication] decides on names.
  private record ApiHosts(List<HttpRoute> routes) implements HttpHosts {
    @Override
    public List<String> domains() {
      return List.of();
    }

    @Override
    public List<HttpRoute> routes(String domain) {
      return routes;
    }

    @Override
    public List<String> origins(String domain) {
      return List.of();
    }

    @Override
    public boolean acceptsStreams() {
      return false;
    }
  }
}
