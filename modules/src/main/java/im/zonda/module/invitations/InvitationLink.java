package im.zonda.module.invitations;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.invitations.Invitation.Kind;
import im.zonda.module.invitations.StoredInvitations.Outcome.Issued;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The URIs of an invitation (XEP-0401, sections 4.1 and 4.4; RFC 5122).
final class InvitationLink {
  /// What may stand unencoded in the local part, beside letters and digits (RFC 5122, section 2.2:
  /// `nodeallow` and `unreserved`).
  private static final String ALLOWED = "-._~!$()*+,;=";

  private static final String PREAUTH = ";preauth=";

  private InvitationLink() {}

  /// The `xmpp:` URI.
  static String uri(Issued issued) {
    Invitation invitation = issued.invitation();
    String token = issued.token().text();
    Jid owner = invitation.owner();
    return invitation.terms().kind() == Kind.CONTACT
        ? "xmpp:"
            + address(owner.local(), owner.domain())
            + "?roster"
            + PREAUTH
            + token
            + (invitation.terms().registers() ? ";ibr=y" : "")
        : "xmpp:" + address(invitation.username(), owner.domain()) + "?register" + PREAUTH + token;
  }

  /// The URL of the page that explains the link: the one that the configuration names, or this
  /// server's own; null if there is none.
  ///
  /// @param config the configuration of the host
  static @Nullable String landingUrl(Issued issued, ServerConfig config) {
    String token = issued.token().text();
    String page = config.services().invitations().landingPage();
    if (page != null) {
      return page + "#" + token;
    }
    return config.http().isOn() && !config.modulesOff().contains("web")
        ? config.http().url(issued.invitation().owner().domain()) + "/invite/" + token
        : null;
  }

  /// The token of a URI or of the URL of a page; any other text is one itself.
  static String tokenIn(String text) {
    int preauth = text.indexOf(PREAUTH);
    if (preauth >= 0) {
      String rest = text.substring(preauth + PREAUTH.length());
      int end = rest.indexOf(';');
      return end < 0 ? rest : rest.substring(0, end);
    }
    return text.substring(Math.max(text.lastIndexOf('/'), text.lastIndexOf('#')) + 1);
  }

  private static String address(@Nullable String local, String domain) {
    return local == null ? encode(domain) : encode(local) + "@" + encode(domain);
  }

  private static String encode(String part) {
    StringBuilder out = new StringBuilder();
    for (byte each : part.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      boolean letterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (letterOrDigit || ALLOWED.indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return out.toString();
  }
}
