package im.zonda.console.login;

import im.zonda.console.factor.Challenges;
import im.zonda.console.factor.Factors;
import im.zonda.console.factor.PasskeyAnswer;
import im.zonda.http.HttpRequest;
import im.zonda.http.page.FormData;
import im.zonda.operation.AuditTrail;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Protects the accounts of administrators besides their passwords.
///
/// @param factors the second factors of accounts
/// @param challenges the challenges for passkeys
/// @param sessions the sessions of the console
/// @param audit records changes of second factors
/// @param required whether who signs in with a password must have one
public record Protection(
    Factors factors,
    Challenges challenges,
    AdminSessions sessions,
    AuditTrail audit,
    InstantSource clock,
    boolean required) {
  /// Whether someone must begin a second factor before anything else.
  public boolean mustBegin(Visit visit) {
    return required && visit.account() != null && !factors.of(visit.account()).any();
  }

  /// The name for which a browser has passkeys; null if there is none, as addresses have no
  /// passkeys.
  public static @Nullable String site(HttpRequest request) {
    String name = RequestCheck.name(request.authority());
    return name.startsWith("[") || name.matches("[0-9.]*") ? null : name;
  }

  /// What a browser was asked; null if it has no passkeys.
  static PasskeyAnswer.@Nullable Question question(HttpRequest request, String challenge) {
    String site = site(request);
    return site == null
        ? null
        : new PasskeyAnswer.Question(
            challenge, (request.secure() ? "https://" : "http://") + request.authority(), site);
  }

  /// What a browser was asked by a form; null if it has no passkeys.
  public static PasskeyAnswer.@Nullable Question question(HttpRequest request, FormData form) {
    return question(request, form.get("challenge"));
  }

  /// What a browser has answered; null if it is damaged.
  public static @Nullable PasskeyAnswer answer(FormData form) {
    return PasskeyAnswer.of(
        form.get("id"), form.get("client"), form.get("data"), form.get("signature"));
  }
}
