package im.zonda.account.provider;

import java.net.URI;
import java.util.List;

/// Signs people in by the pages of an issuer (OpenID Connect Core 1.0, section 3.1). Calls may
/// block, on a virtual thread. Any thread may call.
public interface SignOn extends AutoCloseable {
  /// What browser and issuer exchange for one login.
  ///
  /// @param redirect where the issuer sends the browser afterwards
  /// @param state what the issuer sends back with it; no one else can know it
  /// @param nonce what the issuer's answer must contain
  /// @param verifier the secret of which the issuer sees only a hash first (RFC 7636)
  record Exchange(URI redirect, String state, String nonce, String verifier) {
    /// Without the secrets.
    @Override
    public String toString() {
      return "exchange for " + redirect;
    }
  }

  /// Someone whom the issuer knows.
  ///
  /// @param name by which the record of changes names them
  /// @param values the values of the claim that roles are given by, as the issuer says them
  record Person(String name, List<String> values) {
    /// Copies the list.
    public Person {
      values = List.copyOf(values);
    }
  }

  /// By what people know the issuer.
  String label();

  /// The page of the issuer to which the browser goes.
  ///
  /// @throws ProviderException if the issuer does not answer
  URI begin(Exchange exchange) throws ProviderException, InterruptedException;

  /// Who has signed in.
  ///
  /// @param code what the browser has brought back, untrusted
  /// @throws ProviderException if the issuer does not answer, or its answer is not right
  Person finish(String code, Exchange exchange) throws ProviderException, InterruptedException;

  /// Ends its connections.
  @Override
  void close();
}
