package im.zonda.account;

import im.zonda.jid.Jid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Accounts that no client may log in to. Their data stay, and they get messages. Calls block.
public interface DisabledAccounts {
  /// Whether the account is disabled.
  boolean isDisabled(Jid account);

  /// Disables or enables an account. Its sessions stay. To be called at the account's home.
  ///
  /// @throws IllegalStateException if there is no such account
  void set(Jid account, boolean disabled);

  /// Addresses of a domain's disabled accounts in order.
  ///
  /// @param after the address after which to start, or null to start with the first
  /// @param limit the maximum number of addresses
  List<Jid> list(String domain, @Nullable Jid after, int limit);
}
