package im.zonda.web.login;

import im.zonda.account.PasswordLogin;
import im.zonda.account.PasswordLogin.Attempt;
import im.zonda.account.PasswordLogin.Reason;
import im.zonda.account.PasswordLogin.Result;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.jid.Jid;
import java.util.Locale;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers requests with which a password comes, once it has been checked. No thread waits
/// meanwhile.
///
/// @param passwords checks passwords
/// @param host the domain of the accounts
public record SignIn(PasswordLogin passwords, Jid host) {
  private static final Logger LOG = LoggerFactory.getLogger(SignIn.class);

  /// The response to a request.
  ///
  /// @param name the local part, or the whole address
  /// @param then makes the response; may block. Called with [Reason#UNAVAILABLE] again if it fails
  public HttpResponse check(
      HttpRequest request, String name, String password, Function<Result, HttpResponse> then) {
    Attempt attempt = new Attempt(host, local(name), password, request.remoteAddress());
    request.waitsForEvents();
    return HttpResponse.later(
        answer -> passwords.check(attempt, result -> answer.accept(respond(result, then))));
  }

  private static HttpResponse respond(Result result, Function<Result, HttpResponse> then) {
    try {
      return then.apply(result);
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("page_login_failed");
      return then.apply(new Result.Refused(Reason.UNAVAILABLE));
    }
  }

  /// People enter their address where a name is asked for.
  private String local(String name) {
    String entered = name.strip();
    String domain = "@" + host.domain();
    return entered.toLowerCase(Locale.ROOT).endsWith(domain)
        ? entered.substring(0, entered.length() - domain.length())
        : entered;
  }
}
