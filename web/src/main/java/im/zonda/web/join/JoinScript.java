package im.zonda.web.join;

import im.zonda.http.HttpHandler;
import im.zonda.http.page.StaticFile;

/// The script of the form by which people create an account.
public final class JoinScript {
  /// The path of the script.
  public static final String PATH = "/web/join/join.js";

  private JoinScript() {}

  /// Reads the script. Browsers ask each time whether it has changed: it knows the form.
  public static HttpHandler read() {
    return StaticFile.of(JoinScript.class, "join.js", "text/javascript; charset=utf-8", "no-cache");
  }
}
