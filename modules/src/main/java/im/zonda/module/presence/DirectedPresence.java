package im.zonda.module.presence;

import im.zonda.jid.Jid;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Whom a session has sent available presence outside of its broadcasts (RFC 6121, section 4.6), so
/// that it can be withdrawn from all of them. A session that never did so holds nothing.
final class DirectedPresence {
  private static final class Addresses {
    // A list: they are few, and most sessions have some as soon as they are in rooms.
    private final List<Jid> all = new ArrayList<>(2);

    static Addresses of(String text) {
      Addresses addresses = new Addresses();
      text.lines().map(Jid::of).forEach(addresses.all::add);
      return addresses;
    }

    @Override
    public String toString() {
      return all.stream().map(Jid::toString).collect(Collectors.joining("\n"));
    }
  }

  private final SessionKey<Addresses> key =
      new SessionKey<>("directed", Addresses.class, Addresses::toString, Addresses::of);
  private final int limit;

  /// At most `limit` addresses are kept per session.
  DirectedPresence(int limit) {
    this.limit = limit;
  }

  /// Notes that `to` sees the session; false if the session has reached the limit.
  boolean add(Session session, Jid to) {
    Addresses addresses = session.get(key);
    if (addresses == null) {
      if (limit <= 0) {
        return false;
      }
      addresses = new Addresses();
      session.set(key, addresses);
    }
    if (addresses.all.contains(to)) {
      return true;
    }
    return addresses.all.size() < limit && addresses.all.add(to);
  }

  /// The length of all addresses of the session.
  long length(Session session) {
    Addresses addresses = session.get(key);
    long length = 0;
    for (Jid each : addresses == null ? List.<Jid>of() : addresses.all) {
      length += length(each.local()) + length(each.domain()) + length(each.resource());
    }
    return length;
  }

  private static int length(@Nullable String part) {
    return part == null ? 0 : part.length();
  }

  /// Notes that `to` no longer sees the session.
  void remove(Session session, Jid to) {
    Addresses addresses = session.get(key);
    if (addresses != null && addresses.all.remove(to) && addresses.all.isEmpty()) {
      session.set(key, null);
    }
  }

  /// Whether presence was sent to that very address, or to its bare address.
  boolean reaches(Session session, Jid asker) {
    Addresses addresses = session.get(key);
    return addresses != null
        && (addresses.all.contains(asker) || addresses.all.contains(asker.bare()));
  }

  /// Takes away those addresses for which `whom` holds, and returns them.
  Set<Jid> take(Session session, Predicate<Jid> whom) {
    Addresses addresses = session.get(key);
    if (addresses == null) {
      return Set.of();
    }
    Set<Jid> taken = addresses.all.stream().filter(whom).collect(Collectors.toUnmodifiableSet());
    taken.forEach(address -> remove(session, address));
    return taken;
  }

  /// All addresses that see the session; from now on none does.
  Set<Jid> takeAll(Session session) {
    @Nullable Addresses addresses = session.get(key);
    if (addresses == null) {
      return Set.of();
    }
    session.set(key, null);
    return Set.copyOf(addresses.all);
  }
}
