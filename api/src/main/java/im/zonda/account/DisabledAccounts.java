package im.zonda.account;

import im.zonda.jid.Jid;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Accounts that no client may log in to. Their data stay, and they get messages. Calls block.
public interface DisabledAccounts {
  /// Why an account is disabled, and for how long.
  ///
  /// @param since when it was disabled; null if that is unknown
  /// @param until when it is enabled again by itself; null for never
  /// @param reason a text for administrators, or null
  record Disabling(@Nullable Instant since, @Nullable Instant until, @Nullable String reason) {
    /// The most characters of a reason.
    public static final int MOST_CHARS = 500;

    /// Whether the account is disabled at that time.
    public boolean holds(Instant now) {
      return until == null || now.isBefore(until);
    }
  }

  /// Whether the account is disabled.
  default boolean isDisabled(Jid account) {
    return find(account) != null;
  }

  /// Why and how long the account is disabled; null if it is not.
  @Nullable Disabling find(Jid account);

  /// Disables an account. Its sessions stay. To be called at the account's home.
  ///
  /// @throws IllegalStateException if there is no such account
  void disable(Jid account, Disabling disabling);

  /// Enables an account again. To be called at the account's home.
  void enable(Jid account);

  /// Addresses of a domain's disabled accounts in order.
  ///
  /// @param after the address after which to start, or null to start with the first
  /// @param limit the maximum number of addresses
  List<Jid> list(String domain, @Nullable Jid after, int limit);
}
