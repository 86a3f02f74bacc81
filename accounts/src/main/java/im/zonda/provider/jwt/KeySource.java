package im.zonda.provider.jwt;

import im.zonda.account.provider.ProviderException;
import java.util.List;

/// Where the keys of an issuer are.
interface KeySource extends AutoCloseable {
  /// The keys. May block.
  ///
  /// @throws ProviderException if there are none, because they cannot be read
  List<VerificationKey> keys() throws ProviderException, InterruptedException;

  /// Looks for newer keys, because none has checked a signature; false if it was looked a short
  /// time ago, so that tokens of strangers cause no flood of questions. May block.
  boolean refresh() throws InterruptedException;

  /// Reads the keys again, for an administrator who looks for what is wrong.
  ///
  /// @throws ProviderException if they cannot be read
  List<VerificationKey> readAgain() throws ProviderException, InterruptedException;

  @Override
  void close();

  /// Keys that stay the same.
  record Fixed(List<VerificationKey> keys) implements KeySource {
    /// Copies the list.
    public Fixed {
      keys = List.copyOf(keys);
    }

    @Override
    public boolean refresh() {
      return false;
    }

    @Override
    public List<VerificationKey> readAgain() {
      return keys;
    }

    @Override
    public void close() {
      // nothing is open
    }
  }
}
