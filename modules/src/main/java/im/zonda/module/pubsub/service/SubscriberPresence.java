package im.zonda.module.pubsub.service;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which subscribers of one node are available, as far as the service knows their presence.
/// Confined to the mailbox of the node.
final class SubscriberPresence {
  /// Clients of one user that are known; further ones are not notified by presence.
  private static final int CLIENTS = 32;

  private final Map<Jid, Set<String>> available = new HashMap<>();

  /// Until when presence answers a probe.
  private @Nullable Instant probing;

  private boolean known;

  /// Whether the presence of all subscribers is known, because they were probed, or because the
  /// node has moved here with this state.
  boolean isKnown() {
    return known;
  }

  void setKnown() {
    known = true;
  }

  /// Subscribers have been asked for their presence.
  ///
  /// @param until when answers are no longer expected
  void asked(Instant until) {
    known = true;
    probing = until;
  }

  /// A new subscriber has been asked.
  ///
  /// @param until when the answer is no longer expected
  void expectAnswer(Instant until) {
    probing = probing == null || probing.isBefore(until) ? until : probing;
  }

  /// Whether presence that comes now may answer a probe, and does not say that someone has just
  /// become available.
  boolean isProbing(Instant now) {
    return probing != null && now.isBefore(probing);
  }

  /// A client is available; false if it was.
  boolean add(Jid full) {
    String resource = full.resource();
    Set<String> clients = available.computeIfAbsent(full.bare(), missing -> new HashSet<>(2));
    return resource != null && clients.size() < CLIENTS && clients.add(resource);
  }

  /// A client, or all of a user, is unavailable.
  ///
  /// @return whether the user has no other client
  boolean remove(Jid jid) {
    Set<String> clients = available.get(jid.bare());
    if (clients != null && jid.resource() != null) {
      clients.remove(jid.resource());
    }
    if (clients == null || clients.isEmpty() || jid.resource() == null) {
      available.remove(jid.bare());
      return true;
    }
    return false;
  }

  /// Whether a subscribed address is available.
  boolean isAvailable(Jid subscriber) {
    Set<String> clients = available.get(subscriber.bare());
    return clients != null
        && (subscriber.resource() == null || clients.contains(subscriber.resource()));
  }

  /// Whether nobody is available.
  boolean isEmpty() {
    return available.isEmpty();
  }

  /// This state as bytes: a full address in each line.
  byte[] bytes() {
    StringBuilder lines = new StringBuilder();
    available.forEach((user, clients) ->
        clients.forEach(client -> lines.append(user.withResource(client)).append('\n')));
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  /// Takes over what [#bytes] wrote.
  void restore(byte[] bytes) {
    known = true;
    for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
      try {
        boolean _ = !line.isEmpty() && add(Jid.stored(line));
      } catch (JidFormatException e) {
        // Another client is less available than it was.
      }
    }
  }
}
