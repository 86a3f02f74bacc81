package im.zonda.console.login;

import im.zonda.http.HttpException;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Decides which requests are looked at, before anyone has signed in. At the addresses for browsers
/// only those of this machine are, which name this machine: a page whose name suddenly means this
/// machine (DNS rebinding) names itself, and what a reverse proxy forwards comes from elsewhere.
///
/// @param allowed the addresses that may ask at an address of the console's own; null for the
///   addresses that it shares with the other pages
public record RequestCheck(@Nullable Predicate<InetAddress> allowed) {
  private static final List<String> FORWARDED =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

  /// Checks a request.
  ///
  /// @throws HttpException 403, 404 or 421 if it is not looked at
  public void check(HttpRequest request) {
    if (allowed == null) {
      checkLocal(request);
    } else if (!allowed.test(request.remoteAddress())) {
      throw new HttpException(403, "Requests from this address are not answered");
    }
    if (request.method() == HttpMethod.POST) {
      checkOrigin(request);
    }
  }

  private static void checkLocal(HttpRequest request) {
    boolean forwarded = FORWARDED.stream().anyMatch(each -> request.header(each) != null);
    if (forwarded || !request.remoteAddress().isLoopbackAddress()) {
      throw new HttpException(404, "There is nothing here");
    }
    if (!isThisMachine(name(request.authority()))) {
      throw new HttpException(421, "The console is at localhost");
    }
  }

  /// The name in the field Host, without the port.
  static String name(String authority) {
    int colon = authority.lastIndexOf(':');
    return colon < 0 || authority.endsWith("]") ? authority : authority.substring(0, colon);
  }

  private static boolean isThisMachine(String name) {
    return name.equalsIgnoreCase("localhost")
        || name.equals("[::1]")
        || name.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
  }

  /// A form of another page is rejected, as far as the browser says where it comes from.
  private static void checkOrigin(HttpRequest request) {
    String own = (request.secure() ? "https://" : "http://") + request.authority();
    List<String> origins = request.headers("Origin");
    boolean foreign = !origins.stream().allMatch(own::equalsIgnoreCase);
    List<String> sites = request.headers("Sec-Fetch-Site");
    if (foreign || !sites.stream().allMatch("same-origin"::equals)) {
      throw new HttpException(403, "The form must be on a page of the console");
    }
  }
}
