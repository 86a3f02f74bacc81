package im.zonda.home.remote;

import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamLink;
import im.zonda.store.RemoteQueueStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The pairs of domains with a home or a stream on this node, and the payer of each. Bounded. Safe
/// for use by several threads.
///
/// The payer of a pair whose stream another server has opened is that server's network; otherwise
/// it is the local sender who first wrote to the domain, or another sender who uses the pair and
/// pays for fewer pairs. When the table is full, a new pair displaces one of the payer with the
/// most pairs, if its own payer has fewer. So only the payer who fills the table loses pairs.
final class PairTable {
  private final BiConsumer<DomainPair, Set<ServerStreamLink>> displaced;
  private final Map<DomainPair, Entry> pairs = new ConcurrentHashMap<>();

  /// How many pairs each payer has. Changed under this object's monitor.
  private final Map<Payer, Integer> counts = new ConcurrentHashMap<>();

  // ---- guarded by this object's monitor

  private final Map<Payer, Set<DomainPair>> paid = new HashMap<>();

  /// Payers by the number of their pairs.
  private final TreeMap<Integer, Set<Payer>> payers = new TreeMap<>();

  /// @param displaced is given each pair that has lost its place and the streams that carry it, and
  ///   must end it; called without the monitor
  PairTable(BiConsumer<DomainPair, Set<ServerStreamLink>> displaced) {
    this.displaced = displaced;
  }

  /// A pair in the table. Changed under the monitor of the table.
  private static final class Entry {
    private final Jid address;
    private volatile Payer payer;

    /// Whether another server pays for it.
    private volatile boolean incoming;

    private volatile boolean home;
    private final Set<ServerStreamLink> streams = new HashSet<>(2);

    private Entry(Jid address, Payer payer) {
      this.address = address;
      this.payer = payer;
    }
  }

  /// The address of the pair's home; null if it is not in the table. A lookup costs less than to
  /// create an address.
  @Nullable Jid address(DomainPair pair) {
    Entry entry = pairs.get(pair);
    return entry == null ? null : entry.address;
  }

  /// A sender uses the pair's home. False if it is not in the table and finds no place there.
  ///
  /// @param most the most pairs
  boolean use(DomainPair pair, Payer payer, int most) {
    Entry entry = pairs.get(pair);
    if (entry != null && entry.home && !takesOver(payer, entry)) {
      return true;
    }
    return admit(
        pair,
        payer,
        most,
        found -> {
          found.home = true;
          if (takesOver(payer, found)) {
            charge(pair, found, payer);
          }
        });
  }

  /// Whether a sender is to pay for a pair from now on, because it pays for fewer.
  private boolean takesOver(Payer payer, Entry entry) {
    return !entry.incoming
        && !payer.equals(entry.payer)
        && countOf(payer) + 1 < countOf(entry.payer);
  }

  /// The pair has a home, whether or not there is a place for it: it was in the store, or its
  /// stream is open.
  void useAnyway(DomainPair pair, Payer payer) {
    boolean _ = use(pair, payer, Integer.MAX_VALUE);
  }

  /// A stream carries the pair. False if there is no place for it.
  ///
  /// @param payer of the pair if the other server has opened the stream
  /// @param most the most pairs; a stream that this server has opened has a place already
  boolean opened(DomainPair pair, ServerStreamLink link, Payer payer, int most) {
    boolean incoming = link.status().incoming();
    return admit(
        pair,
        payer,
        incoming ? most : Integer.MAX_VALUE,
        found -> {
          found.streams.add(link);
          if (incoming) {
            found.incoming = true;
            charge(pair, found, payer);
          }
        });
  }

  private boolean admit(DomainPair pair, Payer payer, int most, Consumer<Entry> then) {
    DomainPair lost = null;
    Set<ServerStreamLink> streams = Set.of();
    synchronized (this) {
      Entry entry = pairs.get(pair);
      if (entry == null) {
        if (pairs.size() >= most) {
          if (payers.isEmpty() || countOf(payer) + 1 >= payers.lastKey()) {
            return false;
          }
          lost = findDispensable();
          streams = remove(lost);
        }
        entry = new Entry(RemoteQueueStore.address(pair.local(), pair.remote()), payer);
        pairs.put(pair, entry);
        add(pair, payer);
      }
      then.accept(entry);
    }
    if (lost != null) {
      displaced.accept(lost, streams);
    }
    return true;
  }

  /// The oldest pair of the payer with the most that has no stream; the oldest if all have one.
  private DomainPair findDispensable() {
    Set<DomainPair> own = paid.get(payers.lastEntry().getValue().iterator().next());
    if (own == null) {
      throw new IllegalStateException("a payer without pairs");
    }
    for (DomainPair pair : own) {
      Entry entry = pairs.get(pair);
      if (entry != null && entry.streams.isEmpty()) {
        return pair;
      }
    }
    return own.iterator().next();
  }

  /// A stream no longer carries the pair.
  synchronized void closed(DomainPair pair, ServerStreamLink link) {
    Entry entry = pairs.get(pair);
    if (entry != null && entry.streams.remove(link)) {
      entry.incoming = entry.streams.stream().anyMatch(each -> each.status().incoming());
      removeIfUnused(pair, entry);
    }
  }

  /// The home of the pair was unloaded.
  synchronized void unloaded(DomainPair pair) {
    Entry entry = pairs.get(pair);
    if (entry != null) {
      entry.home = false;
      removeIfUnused(pair, entry);
    }
  }

  /// The homes with such addresses have moved to another node.
  synchronized void leave(Predicate<Jid> leaving) {
    pairs.forEach((pair, entry) -> {
      if (leaving.test(entry.address)) {
        entry.home = false;
        removeIfUnused(pair, entry);
      }
    });
  }

  private void removeIfUnused(DomainPair pair, Entry entry) {
    if (!entry.home && entry.streams.isEmpty()) {
      remove(pair);
    }
  }

  private Set<ServerStreamLink> remove(DomainPair pair) {
    Entry entry = pairs.remove(pair);
    if (entry == null) {
      return Set.of();
    }
    subtract(pair, entry.payer);
    return entry.streams;
  }

  private void charge(DomainPair pair, Entry entry, Payer payer) {
    if (!payer.equals(entry.payer)) {
      subtract(pair, entry.payer);
      entry.payer = payer;
      add(pair, payer);
    }
  }

  private int countOf(Payer payer) {
    return counts.getOrDefault(payer, 0);
  }

  private void add(DomainPair pair, Payer payer) {
    Set<DomainPair> own = paid.computeIfAbsent(payer, key -> new LinkedHashSet<>(2));
    unrank(payer, own.size());
    own.add(pair);
    counts.put(payer, own.size());
    payers.computeIfAbsent(own.size(), key -> new LinkedHashSet<>()).add(payer);
  }

  private void subtract(DomainPair pair, Payer payer) {
    Set<DomainPair> own = paid.get(payer);
    if (own == null) {
      return;
    }
    unrank(payer, own.size());
    own.remove(pair);
    if (own.isEmpty()) {
      paid.remove(payer);
      counts.remove(payer);
    } else {
      counts.put(payer, own.size());
      payers.computeIfAbsent(own.size(), key -> new LinkedHashSet<>()).add(payer);
    }
  }

  private void unrank(Payer payer, int count) {
    payers.computeIfPresent(
        count,
        (key, same) -> {
          same.remove(payer);
          return same.isEmpty() ? null : same;
        });
  }

  /// The addresses of the homes.
  List<Jid> addresses() {
    return pairs.values().stream().map(entry -> entry.address).toList();
  }

  /// Those of the pairs with a remote domain.
  List<Jid> addresses(String remote) {
    return pairs.entrySet().stream()
        .filter(each -> each.getKey().remote().equals(remote))
        .map(each -> each.getValue().address)
        .toList();
  }

  /// How many pairs there are.
  int size() {
    return pairs.size();
  }
}
