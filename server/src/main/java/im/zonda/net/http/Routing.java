package im.zonda.net.http;

import im.zonda.http.HttpException;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds the route of a request, answers what no handler answers, and decides on other origins
/// (CORS).
final class Routing {
  private static final String PREFLIGHT_SECONDS = "7200";

  private final HttpHosts hosts;

  Routing(HttpHosts hosts) {
    this.hosts = hosts;
  }

  /// The answer to a request. Blocks.
  HttpResponse answer(HttpRequest request) throws IOException {
    List<HttpRoute> found = longest(request.path(), hosts.routes(request.domain()));
    if (found.stream().noneMatch(HttpRoute::allowsSlashes) && request.hasSlashes()) {
      throw new HttpException(
          400, "The address of the request has an escaped slash or backslash in the path");
    }
    if (found.isEmpty()) {
      return HttpResponse.text(404, "There is nothing here.");
    }
    HttpMethod wanted = request.method() == HttpMethod.HEAD ? HttpMethod.GET : request.method();
    HttpRoute route = null;
    Set<HttpMethod> methods = EnumSet.noneOf(HttpMethod.class);
    for (HttpRoute each : found) {
      methods.addAll(each.methods());
      if (each.methods().contains(wanted)) {
        route = each;
      }
    }
    if (route != null) {
      HttpResponse response = route.handler().handle(request);
      return route.allowsOtherOrigins() ? allow(response, request) : response;
    }
    methods.add(HttpMethod.OPTIONS);
    if (methods.contains(HttpMethod.GET)) {
      methods.add(HttpMethod.HEAD);
    }
    String allowed = methods.stream().map(HttpMethod::name).collect(Collectors.joining(", "));
    if (wanted == HttpMethod.OPTIONS) {
      HttpResponse options = HttpResponse.empty(204).with("Allow", allowed);
      return found.stream().anyMatch(HttpRoute::allowsOtherOrigins)
          ? preflight(allow(options, request), request, allowed)
          : options;
    }
    return toOrigin(
        HttpResponse.text(405, "This method is not for this address.").with("Allow", allowed),
        request,
        found);
  }

  /// The response to a request that has failed, which pages of other origins may read as any other.
  HttpResponse failed(HttpResponse response, HttpRequest request) {
    return toOrigin(response, request, longest(request.path(), hosts.routes(request.domain())));
  }

  private HttpResponse toOrigin(HttpResponse response, HttpRequest request, List<HttpRoute> found) {
    return found.stream().anyMatch(HttpRoute::allowsOtherOrigins)
        ? allow(response, request)
        : response;
  }

  private static List<HttpRoute> longest(String path, List<HttpRoute> routes) {
    List<HttpRoute> best = new ArrayList<>();
    for (HttpRoute route : routes) {
      if (route.matches(path)) {
        int longer = best.isEmpty() ? 1 : rank(route) - rank(best.getFirst());
        if (longer > 0) {
          best.clear();
        }
        if (longer >= 0) {
          best.add(route);
        }
      }
    }
    return best;
  }

  private static int rank(HttpRoute route) {
    return 2 * route.path().length() + (route.prefix() ? 0 : 1);
  }

  private HttpResponse allow(HttpResponse response, HttpRequest request) {
    if (hosts.origins(request.domain()).contains("*")) {
      return response.with("Access-Control-Allow-Origin", "*");
    }
    HttpResponse varied = response.with("Vary", "Origin");
    String origin = request.header("Origin");
    return origin != null && hosts.allowsOrigin(request.domain(), origin)
        ? varied.with("Access-Control-Allow-Origin", origin)
        : varied;
  }

  private static HttpResponse preflight(
      HttpResponse response, HttpRequest request, String allowed) {
    HttpResponse answer =
        response
            .with("Access-Control-Allow-Methods", allowed)
            .with("Access-Control-Max-Age", PREFLIGHT_SECONDS);
    String fields = request.header("Access-Control-Request-Headers");
    return fields == null || !fields.chars().allMatch(Routing::isFieldList)
        ? answer
        : answer.with("Access-Control-Allow-Headers", fields);
  }

  private static boolean isFieldList(int c) {
    return c == ',' || c == ' ' || c == '-' || Character.isLetterOrDigit(c);
  }
}
