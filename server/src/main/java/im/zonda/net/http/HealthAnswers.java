package im.zonda.net.http;

import im.zonda.http.HttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.function.Supplier;

/// Answers balancers that ask whether the process lives (`/health/live`) and whether it should get
/// clients (`/health/ready`), whichever host they ask for. An answer has neither versions nor names
/// of hosts. Any thread may call.
///
/// @param missing what is missing to serve clients, each in a word; empty if nothing is. Quick
record HealthAnswers(Supplier<List<String>> missing) {
  private static final String LIVE = "/health/live";
  private static final String READY = "/health/ready";
  private static final int UNAVAILABLE = 503;

  /// Whether a request is for this, by its target.
  static boolean isFor(String target) {
    String path = path(target);
    return path.equals(LIVE) || path.equals(READY);
  }

  private static String path(String target) {
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  /// The answer to such a request.
  HttpResponse answer(HttpMethod method, String target) {
    return answered(method, target).with("Cache-Control", "no-store");
  }

  private HttpResponse answered(HttpMethod method, String target) {
    if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
      return HttpResponse.text(405, "This method is not for this address.")
          .with("Allow", "GET, HEAD");
    }
    List<String> lacking = path(target).equals(READY) ? missing.get() : List.of();
    return lacking.isEmpty()
        ? HttpResponse.text(200, "ok")
        : HttpResponse.text(UNAVAILABLE, String.join("\n", lacking));
  }
}
