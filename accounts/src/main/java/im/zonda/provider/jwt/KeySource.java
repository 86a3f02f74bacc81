package im.zonda.provider.jwt;

import im.zonda.account.provider.ProviderException;
import java.util.List;
import java.util.stream.Stream;

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

  /// Keys that stay the same, and others.
  record Joined(List<VerificationKey> own, KeySource others) implements KeySource {
    /// Copies the list.
    public Joined {
      own = List.copyOf(own);
    }

    private List<VerificationKey> with(List<VerificationKey> more) {
      return Stream.concat(own.stream(), more.stream()).toList();
    }

    @Override
    public List<VerificationKey> keys() throws ProviderException, InterruptedException {
      return with(others.keys());
    }

    @Override
    public boolean refresh() throws InterruptedException {
      return others.refresh();
    }

    @Override
    public List<VerificationKey> readAgain() throws ProviderException, InterruptedException {
      return with(others.readAgain());
    }

    @Override
    public void close() {
      others.close();
    }
  }

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
