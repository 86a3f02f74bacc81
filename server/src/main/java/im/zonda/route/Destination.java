package im.zonda.route;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Stanza;

/// Where the stanzas for a domain go: the accounts of a virtual host, a module's service, an
/// external component, or the domains of other servers.
@FunctionalInterface
public interface Destination {
  /// Accepts a stanza, or answers it with an error. Any thread may call; returns at once. Stanzas
  /// of one sender to one receiver keep their order.
  void accept(Envelope envelope);

  /// Whether one envelope with that stanza may be for several sessions ([Envelope#others]).
  /// Otherwise each session gets an envelope of its own.
  default boolean acceptsForSeveral(Stanza stanza) {
    return false;
  }

  /// Whether one program chooses the addresses of the domain as it likes: what is bounded for each
  /// sender is then bounded for the whole domain.
  default boolean inventsAddresses() {
    return false;
  }

  /// Whether the account may have a session: false only if its home is at this node and is not
  /// loaded.
  ///
  /// @param account a bare address
  default boolean canBeOnline(Jid account) {
    return true;
  }
}
