package im.zonda.testkit.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Account, credentials and security of a login.
///
/// @param jid the address with or without a resource; without one the server assigns it
/// @param password the password
/// @param security the security of the connection
/// @param mechanism the SASL mechanism; null for the strongest that is offered
/// @param binding the channel binding of a -PLUS mechanism; null for the one that fits the TLS
/// @param keys cache of salted passwords; null to compute them for each login
public record Login(
    String jid,
    String password,
    Security security,
    @Nullable String mechanism,
    @Nullable String binding,
    @Nullable Map<String, byte[]> keys) {

  /// Security of a connection.
  public enum Security {
    NONE,
    STARTTLS,
    DIRECT_TLS
  }

  /// A login with STARTTLS and the strongest mechanism.
  public static Login of(String jid, String password) {
    return new Login(jid, password, Security.STARTTLS, null, null, null);
  }

  /// This login with another security.
  public Login withSecurity(Security other) {
    return new Login(jid, password, other, mechanism, binding, keys);
  }

  /// This login with another SASL mechanism.
  public Login withMechanism(String other) {
    return new Login(jid, password, security, other, binding, keys);
  }

  /// This login with another channel binding.
  public Login withBinding(String other) {
    return new Login(jid, password, security, mechanism, other, keys);
  }

  /// This login with a cache of salted passwords, for clients that log in many times a second.
  public Login withKeptKeys() {
    return new Login(jid, password, security, mechanism, binding, new ConcurrentHashMap<>());
  }

  /// This login with another resource.
  public Login at(String resource) {
    int slash = jid.indexOf('/');
    String bare = slash < 0 ? jid : jid.substring(0, slash);
    return new Login(bare + "/" + resource, password, security, mechanism, binding, keys);
  }

  /// The account's name.
  public String user() {
    return jid.substring(0, jid.indexOf('@'));
  }

  /// The virtual host.
  public String domain() {
    int slash = jid.indexOf('/');
    return jid.substring(jid.indexOf('@') + 1, slash < 0 ? jid.length() : slash);
  }

  /// The resource to ask for, or null.
  public @Nullable String resource() {
    int slash = jid.indexOf('/');
    return slash < 0 ? null : jid.substring(slash + 1);
  }
}
