package im.zonda.http;

import java.util.Set;

/// A path, methods, and who answers.
///
/// @param path the path, which begins with `/`; if it ends with `/` and is a prefix, the folder
/// @param prefix whether all paths that begin with `path` are meant
/// @param methods the methods; GET includes HEAD
/// @param allowsOtherOrigins whether scripts of other origins may use it (CORS)
/// @param allowsSlashes whether segments may have escaped slashes and backslashes, which the
///   handler must find in [HttpRequest#segments]; otherwise such a path is rejected
/// @param handler answers
public record HttpRoute(
    String path,
    boolean prefix,
    Set<HttpMethod> methods,
    boolean allowsOtherOrigins,
    boolean allowsSlashes,
    HttpHandler handler) {
  /// Copies the set.
  public HttpRoute {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("not a path: " + path);
    }
    methods = Set.copyOf(methods);
  }

  /// A route whose segments have no slashes.
  public HttpRoute(
      String path,
      boolean prefix,
      Set<HttpMethod> methods,
      boolean allowsOtherOrigins,
      HttpHandler handler) {
    this(path, prefix, methods, allowsOtherOrigins, false, handler);
  }

  /// A route of one path and one method.
  public static HttpRoute exact(String path, HttpMethod method, HttpHandler handler) {
    return new HttpRoute(path, false, Set.of(method), false, handler);
  }

  /// A route of a folder, with everything below it, and one method.
  ///
  /// @param folder begins and ends with `/`
  public static HttpRoute below(String folder, HttpMethod method, HttpHandler handler) {
    return new HttpRoute(folder, true, Set.of(method), false, handler);
  }

  /// The same for scripts of other origins too.
  public HttpRoute crossOrigin() {
    return new HttpRoute(path, prefix, methods, true, allowsSlashes, handler);
  }

  /// The same with segments that may have escaped slashes and backslashes.
  public HttpRoute withSlashes() {
    return new HttpRoute(path, prefix, methods, allowsOtherOrigins, true, handler);
  }

  /// Whether it is for that path.
  public boolean matches(String requested) {
    return prefix ? requested.startsWith(path) : requested.equals(path);
  }
}
