package im.zonda.web.page;

import im.zonda.directory.SignUp;
import im.zonda.http.HttpRequest;
import im.zonda.http.page.Texts;
import im.zonda.jid.Jid;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// The common parts of a host's pages.
///
/// @param domain the host
/// @param look what the pages look like
/// @param texts the texts
/// @param hasChat whether there is a chat in the browser
/// @param signUp creates accounts
public record Site(String domain, Look look, Texts texts, boolean hasChat, SignUp signUp) {
  /// The frame of the page for a request.
  public Page page(HttpRequest request) {
    return Page.of(look, request, texts);
  }

  /// Whether a password may be sent over the connection of a request: it is encrypted, or stays on
  /// this machine.
  public static boolean isPrivate(HttpRequest request) {
    return request.secure() || request.remoteAddress().isLoopbackAddress();
  }

  /// An address within a URL. Its `@` stays as it is: in a URI of XMPP it ends the localpart (RFC
  /// 5122, section 2.2).
  public static String encode(Jid address) {
    return URLEncoder.encode(address.toString(), StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("%40", "@");
  }
}
