package im.zonda.web.login;

import im.zonda.http.page.FormToken;
import im.zonda.jid.Jid;
import java.time.Instant;

/// Someone who has signed in on a page.
///
/// @param account the bare address of the account
/// @param token what the browser proves itself with: the value of the cookie
/// @param began when the password was proved
public record LoginSession(Jid account, String token, Instant began) {
  /// The token of the forms that this browser gets ([FormToken]).
  public String formToken() {
    return FormToken.of(token);
  }

  @Override
  public String toString() {
    return "session of " + account + " since " + began;
  }
}
