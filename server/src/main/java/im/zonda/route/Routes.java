package im.zonda.route;

import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Envelope;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The one look-up from a domain to its [Destination].
///
/// Routes come and go while the server runs: a change replaces the table, so that looking up takes
/// no lock. Without federation a stanza for a domain without a route is answered with
/// `remote-server-not-found` (RFC 6120, section 10.4).
public final class Routes {
  private final ErrorReplies errors = new ErrorReplies(this);
  private volatile Destination remote =
      envelope ->
          errors.reject(
              envelope,
              StanzaError.of(ErrorCondition.REMOTE_SERVER_NOT_FOUND),
              Place.ROUTE,
              Reason.NOT_SERVED,
              null);
  private volatile Map<String, Destination> destinations = Map.of();

  /// The answers to stanzas that reach nobody.
  public ErrorReplies errors() {
    return errors;
  }

  /// Adds the route to a domain.
  ///
  /// @throws IllegalStateException if the domain has one
  public synchronized void add(Jid domain, Destination destination) {
    Map<String, Destination> changed = new HashMap<>(destinations);
    if (changed.putIfAbsent(domain.domain(), destination) != null) {
      throw new IllegalStateException("there is already a route to " + domain.domain());
    }
    destinations = Map.copyOf(changed);
  }

  /// Removes the route to a domain; false if it does not lead to `destination`.
  public synchronized boolean remove(Jid domain, Destination destination) {
    Map<String, Destination> changed = new HashMap<>(destinations);
    boolean removed = changed.remove(domain.domain(), destination);
    destinations = Map.copyOf(changed);
    return removed;
  }

  /// The destination of stanzas to `address`. There is always one.
  public Destination to(Jid address) {
    Destination destination = destinations.get(address.domain());
    return destination == null ? remote : destination;
  }

  /// Sets the destination of all domains without a route.
  public void setRemote(Destination destination) {
    remote = destination;
  }

  /// Whether the domain has a route: it is served here.
  public boolean isServed(String domain) {
    return destinations.containsKey(domain);
  }

  /// The domains that have a route.
  public Set<String> domains() {
    return destinations.keySet();
  }

  /// Sends a stanza on its way. Any thread may call; returns at once.
  ///
  /// @throws IllegalArgumentException if the stanza has no `to`
  public void route(Envelope envelope) {
    Jid to = envelope.stanza().to();
    if (to == null) {
      throw new IllegalArgumentException("a stanza without an addressee cannot be routed");
    }
    Destination destination = to(to);
    if (envelope.others().isEmpty() || destination.acceptsForSeveral(envelope.stanza())) {
      destination.accept(envelope);
    } else {
      envelope.each().forEach(destination::accept);
    }
  }
}
