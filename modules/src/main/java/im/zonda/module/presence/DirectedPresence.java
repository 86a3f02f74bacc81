package im.zonda.module.presence;

import im.zonda.jid.Jid;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The addresses to which a session has sent directed presence (RFC 6121, section 4.6) and which
/// must get its unavailable presence. A session that sent none holds nothing.
final class DirectedPresence {
  /// An address that sees the session.
  private static final class Entry {
    private final Jid to;

    /// Number of presences sent to it and not answered with an error.
    private int accepted;

    Entry(Jid to, int accepted) {
      this.to = to;
      this.accepted = accepted;
    }
  }

  private static final class Addresses {
    // A list: there are few, and most sessions that are in rooms have some.
    private final List<Entry> all = new ArrayList<>(2);

    /// Reads the addresses of a saved session. Later errors do not remove them.
    static Addresses of(String text) {
      Addresses addresses = new Addresses();
      text.lines()
          .map(line -> new Entry(Jid.stored(line), Integer.MAX_VALUE))
          .forEach(addresses.all::add);
      return addresses;
    }

    @Nullable Entry find(Jid to) {
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).to.equals(to)) {
          return all.get(i);
        }
      }
      return null;
    }

    @Override
    public String toString() {
      return all.stream().map(entry -> entry.to.toString()).collect(Collectors.joining("\n"));
    }
  }

  private final SessionKey<Addresses> key =
      new SessionKey<>("directed", Addresses.class, Addresses::toString, Addresses::of);
  private final IntSupplier limit;

  /// @param limit the maximum number of addresses per session
  DirectedPresence(IntSupplier limit) {
    this.limit = limit;
  }

  /// Adds an address that sees the session; false if the session has reached the limit.
  boolean add(Session session, Jid to) {
    Addresses addresses = session.get(key);
    if (addresses == null) {
      if (limit.getAsInt() <= 0) {
        return false;
      }
      addresses = new Addresses();
      session.set(key, addresses);
    }
    Entry entry = addresses.find(to);
    if (entry != null) {
      entry.accepted += entry.accepted == Integer.MAX_VALUE ? 0 : 1;
      return true;
    }
    return addresses.all.size() < limit.getAsInt() && addresses.all.add(new Entry(to, 1));
  }

  /// The total length of the session's addresses.
  long length(Session session) {
    Addresses addresses = session.get(key);
    long length = 0;
    for (Entry each : addresses == null ? List.<Entry>of() : addresses.all) {
      length += length(each.to.local()) + length(each.to.domain()) + length(each.to.resource());
    }
    return length;
  }

  private static int length(@Nullable String part) {
    return part == null ? 0 : part.length();
  }

  /// Removes an address that no longer sees the session.
  void remove(Session session, Jid to) {
    Addresses addresses = session.get(key);
    if (addresses != null
        && addresses.all.removeIf(entry -> entry.to.equals(to))
        && addresses.all.isEmpty()) {
      session.set(key, null);
    }
  }

  /// Counts an error in answer to presence. If all were answered with errors, the address never saw
  /// the session, as a room that denies entry. A room may also reject a change of an occupant.
  void refused(Session session, Jid from) {
    Addresses addresses = session.get(key);
    Entry entry = addresses == null ? null : addresses.find(from);
    if (entry != null && entry.accepted != Integer.MAX_VALUE) {
      entry.accepted--;
      if (entry.accepted == 0) {
        remove(session, from);
      }
    }
  }

  /// Whether presence was sent to that address or to its bare address.
  boolean reaches(Session session, Jid asker) {
    Addresses addresses = session.get(key);
    return addresses != null
        && (addresses.find(asker) != null || addresses.find(asker.bare()) != null);
  }

  /// Whether presence was sent to that bare address or to one of its resources.
  boolean reachesAny(Session session, Jid bare) {
    Addresses addresses = session.get(key);
    return addresses != null
        && addresses.all.stream().anyMatch(entry -> entry.to.bare().equals(bare));
  }

  /// Removes the addresses that match, and returns them.
  Set<Jid> take(Session session, Predicate<Jid> whom) {
    Addresses addresses = session.get(key);
    if (addresses == null) {
      return Set.of();
    }
    Set<Jid> taken =
        addresses.all.stream()
            .map(entry -> entry.to)
            .filter(whom)
            .collect(Collectors.toUnmodifiableSet());
    taken.forEach(address -> remove(session, address));
    return taken;
  }

  /// Removes all addresses, and returns them.
  Set<Jid> takeAll(Session session) {
    @Nullable Addresses addresses = session.get(key);
    if (addresses == null) {
      return Set.of();
    }
    session.set(key, null);
    return addresses.all.stream().map(entry -> entry.to).collect(Collectors.toUnmodifiableSet());
  }
}
