package im.zonda.http.page;

import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/// A cookie (RFC 6265) of one folder of this host that scripts do not see and that other sites do
/// not cause to be sent. Ends with the browser. Over TLS its name has the prefix `__Secure-`, so
/// that no one who changes what is sent without encryption can set it, or `__Host-` if it is for
/// all paths, so that other hosts of the domain cannot set it either.
///
/// @param name its name without the prefix
/// @param path the folder; `/` for all
public record SessionCookie(String name, String path) {
  private String nameFor(HttpRequest request) {
    if (!request.secure()) {
      return name;
    }
    return (path.equals("/") ? "__Host-" : "__Secure-") + name;
  }

  /// The value that a browser sends; null if there is none. Null also if there are several: someone
  /// has added one for a wider domain or another path, which must not take the place of the own
  /// one.
  public @Nullable String read(HttpRequest request) {
    String wanted = nameFor(request) + "=";
    String found = null;
    for (String field : request.headers("Cookie")) {
      for (String pair : field.split(";", -1)) {
        String each = pair.strip();
        if (each.startsWith(wanted)) {
          if (found != null) {
            return null;
          }
          found = each.substring(wanted.length());
        }
      }
    }
    return found;
  }

  /// A response that sets it.
  public HttpResponse set(HttpRequest request, HttpResponse response, String value) {
    return response.with("Set-Cookie", nameFor(request) + "=" + value + attributes(request));
  }

  /// A response that has the browser forget it.
  public HttpResponse clear(HttpRequest request, HttpResponse response) {
    return response.with("Set-Cookie", nameFor(request) + "=; Max-Age=0" + attributes(request));
  }

  private String attributes(HttpRequest request) {
    return "; Path=" + path + "; HttpOnly; SameSite=Strict" + (request.secure() ? "; Secure" : "");
  }
}
