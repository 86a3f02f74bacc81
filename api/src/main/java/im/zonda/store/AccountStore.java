package im.zonda.store;

import im.zonda.jid.Jid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The accounts. An address that a room has ([RoomStore]) is none and cannot become one.
public interface AccountStore {
  /// The account, or null.
  @Nullable Account find(Jid jid);

  /// Adds accounts in one transaction; returns those whose addresses were taken and left alone.
  List<Jid> create(List<Account> accounts);

  /// Replaces the keys of an account; false if there is none.
  boolean changeKeys(Jid jid, List<ScramKeys> keys);

  /// Removes an account with everything that any store keeps of it; false if there is none.
  boolean remove(Jid jid);

  /// Addresses of a domain's accounts in order, after `after` (null: from the first).
  List<Jid> list(String domain, @Nullable Jid after, int limit);

  /// The number of accounts of a domain.
  long count(String domain);
}
