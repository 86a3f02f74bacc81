package im.zonda.operation.rest;

import im.zonda.http.HttpException;
import im.zonda.http.HttpResponse;
import im.zonda.json.JsonText;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An error as JSON (RFC 9457). Its `type` is `about:blank`; the member `reason` is the word for
/// programs, `detail` the sentence for people, `field` the component that is wrong.
final class Problem {
  private Problem() {}

  /// The response to a refused operation.
  static HttpResponse of(Outcome.Refused<?> refused) {
    return of(status(refused.reason()), refused.reason().word(), refused.text(), refused.field());
  }

  /// The response to a request that is none for an operation.
  static HttpResponse of(int status, String reason, String detail) {
    return of(status, reason, detail, null);
  }

  /// The response to a request of someone who may ask nothing.
  static HttpResponse of(HttpException e) {
    HttpResponse problem = of(e.status(), "refused", e.getMessage() + ".");
    return e.status() == 401 ? problem.with("WWW-Authenticate", "Bearer") : problem;
  }

  private static HttpResponse of(int status, String reason, String detail, @Nullable String field) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("title", title(status));
    members.put("status", status);
    members.put("reason", reason);
    members.put("detail", detail);
    if (field != null && !field.isEmpty()) {
      members.put("field", field);
    }
    return HttpResponse.bytes(
            status,
            "application/problem+json",
            JsonText.of(members).getBytes(StandardCharsets.UTF_8))
        .with("Cache-Control", "no-store");
  }

  /// The status for a reason.
  static int status(Reason reason) {
    return switch (reason) {
      case INVALID -> 422;
      case FORBIDDEN -> 403;
      case NOT_FOUND -> 404;
      case CONFLICT, NOT_APPLICABLE -> 409;
      case TOO_MANY -> 429;
      case UNAVAILABLE -> 503;
      case TIMEOUT -> 504;
      case FAILED -> 500;
    };
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 409 -> "Conflict";
      case 413 -> "Content Too Large";
      case 415 -> "Unsupported Media Type";
      case 421 -> "Misdirected Request";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      case 504 -> "Gateway Timeout";
      default -> "Error";
    };
  }
}
