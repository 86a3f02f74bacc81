package im.zonda.account.provider;

import org.jspecify.annotations.Nullable;

/// A provider cannot answer now: its service is away, is slow, or has answered what it may not.
/// Nothing is known about the account.
public final class ProviderException extends Exception {
  private static final long serialVersionUID = 1;

  /// @param reason for administrators, without secrets
  public ProviderException(String reason) {
    this(reason, null);
  }

  /// @param reason for administrators, without secrets
  public ProviderException(String reason, @Nullable Throwable cause) {
    super(reason, cause);
  }
}
