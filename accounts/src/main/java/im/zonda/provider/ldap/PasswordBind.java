package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.LDAPBindException;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ErrorType;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Tries a password by a bind. The password policy of draft-behera-ldap-password-policy is asked
/// for, and the codes of Active Directory are read, for a reason that says more than "wrong".
final class PasswordBind {
  /// The most bytes of a password.
  private static final int MOST_BYTES = 1_024;

  /// What a server answers about the password or the account, and not about itself.
  private static final Set<ResultCode> ABOUT_THE_PERSON =
      Set.of(
          ResultCode.INVALID_CREDENTIALS,
          ResultCode.NO_SUCH_OBJECT,
          ResultCode.INAPPROPRIATE_AUTHENTICATION,
          ResultCode.UNWILLING_TO_PERFORM,
          ResultCode.CONSTRAINT_VIOLATION,
          ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
          ResultCode.INVALID_DN_SYNTAX);

  private static final Pattern ACTIVE_DIRECTORY = Pattern.compile("\\bdata ([0-9a-f]{3,4})\\b");
  private static final Map<String, String> REASONS =
      Map.of(
          "52e", "wrong password",
          "530", "not at this time of day",
          "531", "not from this computer",
          "532", "the password has expired",
          "533", "the account is disabled",
          "701", "the account has expired",
          "773", "the password must be changed first",
          "775", "the account is locked");

  private PasswordBind() {}

  /// Whether a password may be asked at all. Servers take a bind with an empty one, or with one
  /// that a C program sees as empty, for one without a name, which succeeds (RFC 4513, 5.1.2).
  static boolean isUsable(String password) {
    return !password.isEmpty()
        && password.indexOf('\0') < 0
        && password.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
  }

  /// Binds. The connection is bound by that name afterwards, or by none.
  ///
  /// @param dn not empty
  /// @param password [#isUsable]
  /// @return null if the password is right, otherwise why it is not accepted
  /// @throws LDAPException if the server cannot tell
  static @Nullable String refusal(Link link, String dn, String password) throws LDAPException {
    SimpleBindRequest request =
        new SimpleBindRequest(
            dn, password, new DraftBeheraLDAPPasswordPolicy10RequestControl(false));
    try {
      LDAPResult result = link.connection().bind(request);
      return policy(result) == DraftBeheraLDAPPasswordPolicy10ErrorType.CHANGE_AFTER_RESET
          ? "the password must be changed first"
          : null;
    } catch (LDAPBindException e) {
      if (!ABOUT_THE_PERSON.contains(e.getResultCode())) {
        throw e;
      }
      return reason(e);
    }
  }

  private static String reason(LDAPBindException failure) {
    DraftBeheraLDAPPasswordPolicy10ErrorType policy = policy(failure.getBindResult());
    if (policy != null) {
      return switch (policy) {
        case ACCOUNT_LOCKED -> "the account is locked";
        case PASSWORD_EXPIRED -> "the password has expired";
        case CHANGE_AFTER_RESET -> "the password must be changed first";
        case PASSWORD_MOD_NOT_ALLOWED,
            MUST_SUPPLY_OLD_PASSWORD,
            INSUFFICIENT_PASSWORD_QUALITY,
            PASSWORD_TOO_SHORT,
            PASSWORD_TOO_YOUNG,
            PASSWORD_IN_HISTORY ->
            "wrong password";
      };
    }
    String text = failure.getDiagnosticMessage();
    Matcher code = ACTIVE_DIRECTORY.matcher(text == null ? "" : text);
    String known = code.find() ? REASONS.get(code.group(1)) : null;
    if (known != null) {
      return known;
    }
    return List.of(ResultCode.INVALID_CREDENTIALS, ResultCode.NO_SUCH_OBJECT)
            .contains(failure.getResultCode())
        ? "wrong password"
        : "the directory refuses the account: " + Failures.text(failure);
  }

  private static @Nullable DraftBeheraLDAPPasswordPolicy10ErrorType policy(LDAPResult result) {
    try {
      DraftBeheraLDAPPasswordPolicy10ResponseControl control =
          DraftBeheraLDAPPasswordPolicy10ResponseControl.get(result);
      return control == null ? null : control.getErrorType();
    } catch (LDAPException e) {
      return null; // not a control of that draft
    }
  }
}
