package im.zonda.store;

import im.zonda.jid.Jid;
import java.util.List;

/// The rosters (RFC 6121, section 2).
public interface RosterStore {
  /// A roster with its version, which grows with every change.
  ///
  /// @param version 0 for a roster that was never changed
  /// @param items all items, pending requests included
  record Roster(long version, List<RosterItem> items) {}

  /// The roster of an account; empty if there is none.
  Roster load(Jid owner);

  /// The subscription between an account and a contact (bare addresses); `NONE` for a stranger.
  default Subscription subscription(Jid owner, Jid contact) {
    for (RosterItem item : load(owner).items()) {
      if (item.jid().equals(contact)) {
        return item.subscription();
      }
    }
    return Subscription.NONE;
  }

  /// Adds or replaces one item; returns the roster's new version.
  long put(Jid owner, RosterItem item);

  /// Removes one item; returns the roster's new version.
  long remove(Jid owner, Jid contact);

  /// Accounts, at most `limit`, whose rosters have more about a contact than its name: a
  /// subscription, a request, or an approval in advance.
  List<Jid> subscribedOwners(Jid contact, int limit);
}
