package im.zonda.account.provider;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Whether that is the password of an account.
///
/// @param domain the domain of the host
/// @param local the local part of the account, prepared (RFC 7622)
/// @param password as the client has sent it; not empty, at most 1,024 bytes of UTF-8
/// @param address the address of the client; null if it is not known
/// @param mechanism the SASL mechanism, or `page` for one that came by HTTP
public record PasswordQuestion(
    String domain, String local, String password, @Nullable InetAddress address, String mechanism) {
  /// Without the password.
  @Override
  public String toString() {
    return "password of " + local + '@' + domain;
  }
}
