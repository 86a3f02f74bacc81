package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// Sets a password by the rights of the connection: by the extended operation of RFC 3062, or in
/// Active Directory by `unicodePwd` ([MS-ADTS], 3.1.1.3.1.5), which it takes over TLS only.
final class PasswordChange {
  /// The server does not like the password.
  private static final Set<ResultCode> REFUSED =
      Set.of(ResultCode.CONSTRAINT_VIOLATION, ResultCode.UNWILLING_TO_PERFORM);

  private PasswordChange() {}

  /// Sets it.
  ///
  /// @return whether the server has taken it
  /// @throws LDAPException if it may not be set
  static boolean set(Link link, boolean active, String dn, String password) throws LDAPException {
    try {
      ResultCode result =
          active ? modify(link, dn, password).getResultCode() : extended(link, dn, password);
      if (result.equals(ResultCode.SUCCESS)) {
        return true;
      }
      if (REFUSED.contains(result)) {
        return false;
      }
      throw new LDAPException(result);
    } catch (LDAPException e) {
      if (REFUSED.contains(e.getResultCode())) {
        return false;
      }
      throw e;
    }
  }

  private static ResultCode extended(Link link, String dn, String password) throws LDAPException {
    return link.connection()
        .processExtendedOperation(new PasswordModifyExtendedRequest(dn, null, password))
        .getResultCode();
  }

  private static LDAPResult modify(Link link, String dn, String password) throws LDAPException {
    byte[] quoted = ('"' + password + '"').getBytes(StandardCharsets.UTF_16LE);
    ModifyRequest request =
        new ModifyRequest(dn, new Modification(ModificationType.REPLACE, "unicodePwd", quoted));
    request.setFollowReferrals(false);
    return link.connection().modify(request);
  }
}
