package im.zonda.module.roster;

import im.zonda.jid.Jid;
import im.zonda.stanza.StanzaError;
import im.zonda.store.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A roster set of a client (RFC 6121, section 2.1.5).
sealed interface RosterSet {
  /// Adds or updates an item.
  ///
  /// @param subscription the subscription state that is asked for, or null; clients cannot change
  ///   it
  record Update(
      Jid jid, @Nullable String name, List<String> groups, @Nullable Subscription subscription)
      implements RosterSet {}

  /// Removes an item.
  record Remove(Jid jid) implements RosterSet {}

  /// The request is not valid (section 2.3.3).
  record Invalid(StanzaError error) implements RosterSet {}
}
