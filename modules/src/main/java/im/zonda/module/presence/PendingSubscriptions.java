package im.zonda.module.presence;

import im.zonda.jid.Jid;
import im.zonda.jid.RegistrableDomain;
import im.zonda.module.roster.Roster;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import im.zonda.xml.Element;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bounds what is kept of subscription requests until they are answered: anyone can send them.
///
/// Confined to the home's mailbox; calls that change something may block.
final class PendingSubscriptions {
  private static final Logger log = LoggerFactory.getLogger(PendingSubscriptions.class);

  /// Larger requests are kept without their payloads.
  static final int REQUEST_BYTES = 4_096;

  /// Requests with payloads may use this part of the bytes of a roster.
  private static final int REQUEST_SHARE = 4;

  private final Rosters rosters;
  private final IntSupplier maxItems;
  private final IntSupplier maxBytes;

  /// @param maxItems requests per account
  /// @param maxBytes bytes of the contacts per account; requests with payloads get a quarter of it
  PendingSubscriptions(Rosters rosters, IntSupplier maxItems, IntSupplier maxBytes) {
    this.rosters = rosters;
    this.maxItems = maxItems;
    this.maxBytes = maxBytes;
  }

  /// What is kept of a request: the attributes that a stanza has, and its payloads if there is room
  /// for them.
  Presence bounded(Presence request, Roster roster) {
    Presence whole = of(request, request.id(), request.payloads()).withLang(request.lang());
    int bytes = whole.writtenSize();
    return bytes <= REQUEST_BYTES
            && roster.requestBytes() + bytes <= maxBytes.getAsInt() / REQUEST_SHARE
        ? whole
        : of(request, null, List.of());
  }

  private static Presence of(Presence request, @Nullable String id, List<Element> payloads) {
    return Presence.of(Presence.Type.SUBSCRIBE, request.from(), request.to(), id, payloads);
  }

  /// Makes room for the request of someone who is not a contact; false if there is none.
  ///
  /// When the roster is full, the oldest request of the registrable domain with the most requests
  /// is removed, unless that is the domain of this one. A server that invents requesters displaces
  /// its own requests and not those of others.
  boolean makeRoom(Home home, Jid contact) {
    Roster roster = rosters.of(home);
    if (roster.unlisted() < maxItems.getAsInt()) {
      return true;
    }
    Map<String, Integer> counts = new HashMap<>();
    String largest = source(contact);
    counts.put(largest, 0);
    for (RosterItem item : roster.items()) {
      if (!item.listed()) {
        counts.merge(source(item.jid()), 1, Integer::sum);
      }
    }
    for (Map.Entry<String, Integer> each : counts.entrySet()) {
      if (each.getValue() > counts.getOrDefault(largest, 0)) {
        largest = each.getKey();
      }
    }
    Jid dropped = largest.equals(source(contact)) ? null : oldest(roster, largest);
    log.atWarn()
        .addKeyValue("jid", home.jid())
        .addKeyValue("from", dropped == null ? contact : dropped)
        .log("subscription_request_dropped");
    if (dropped == null) {
      return false;
    }
    rosters.remove(home, dropped);
    return true;
  }

  private static @Nullable Jid oldest(Roster roster, String source) {
    for (RosterItem item : roster.items()) {
      if (!item.listed() && source(item.jid()).equals(source)) {
        return item.jid();
      }
    }
    return null;
  }

  private static String source(Jid contact) {
    return RegistrableDomain.of(contact.domain());
  }
}
