package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.regex.Pattern;

/// Syntax of the settings of a directory.
public final class LdapSyntax {
  /// RFC 4512, section 1.4: a short name or a number.
  private static final Pattern ATTRIBUTE =
      Pattern.compile("[A-Za-z][A-Za-z0-9-]{0,127}|\\d{1,9}(\\.\\d{1,9}){1,31}");

  private LdapSyntax() {}

  /// Whether it is `ldap://host`, `ldaps://host` or `srv://domain`.
  public static boolean isServer(String text) {
    return ServerAddress.parse(text) != null;
  }

  /// Whether it is `srv://domain`.
  public static boolean isDomain(String text) {
    ServerAddress address = ServerAddress.parse(text);
    return address != null && address.scheme() == ServerAddress.Scheme.SRV;
  }

  /// Whether it is a name of an entry, which is not empty (RFC 4514).
  public static boolean isDn(String text) {
    return !text.isBlank() && DN.isValidDN(text);
  }

  /// Whether it is a filter (RFC 4515).
  public static boolean isFilter(String text) {
    try {
      return !Filter.create(text).toString().isEmpty();
    } catch (LDAPException e) {
      return false;
    }
  }

  /// Whether it is the name of an attribute.
  public static boolean isAttribute(String text) {
    return ATTRIBUTE.matcher(text).matches();
  }

  /// Whether certificates can be read from that PEM file.
  public static boolean areAuthorities(Path file) {
    try {
      return DirectoryTls.context(file) != null;
    } catch (IOException | GeneralSecurityException e) {
      return false;
    }
  }
}
