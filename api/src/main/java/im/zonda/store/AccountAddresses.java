package im.zonda.store;

import im.zonda.jid.Jid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The addresses of the registered accounts, without their keys. Calls block.
@FunctionalInterface
public interface AccountAddresses {
  /// Addresses of a domain's accounts in order.
  ///
  /// @param after the address after which to start, or null to start with the first
  /// @param limit the maximum number of addresses
  List<Jid> list(String domain, @Nullable Jid after, int limit);
}
