package im.zonda.app.transfer;

import im.zonda.store.ScramKeys;
import java.util.List;

/// By what an account of another server proves who it is.
public sealed interface Credentials {
  /// The password itself. Its keys are derived when the account is created.
  record Password(String text) implements Credentials {
    @Override
    public String toString() {
      return "password"; // never the text
    }
  }

  /// The keys of an unknown password; people log in with it as before.
  ///
  /// @param keys at most one for each hash
  record Keys(List<ScramKeys> keys) implements Credentials {
    /// Copies the list.
    public Keys {
      keys = List.copyOf(keys);
    }

    @Override
    public String toString() {
      return "keys";
    }
  }

  /// Nothing that can be used: the account gets a random password.
  ///
  /// @param reason why, for the administrator
  record None(String reason) implements Credentials {}
}
