package im.zonda.console.login;

import im.zonda.http.HttpRequest;
import im.zonda.http.page.FormToken;
import im.zonda.http.page.Language;
import im.zonda.jid.Jid;
import im.zonda.operation.Caller;
import org.jspecify.annotations.Nullable;

/// A request of someone who has signed in.
///
/// @param request the request
/// @param session the name of the session
/// @param cookie what the browser has proved it with
/// @param account the account that has signed in; null if none has
/// @param caller who it is, and what they may do at present
/// @param language of the reader
public record Visit(
    HttpRequest request,
    String session,
    String cookie,
    @Nullable Jid account,
    Caller caller,
    Language language) {
  /// What forms of this session carry.
  public String formToken() {
    return FormToken.of(cookie);
  }

  @Override
  public String toString() {
    return "visit of " + caller.name();
  }
}
