package im.zonda.cluster.replica;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replicates the state of this node's homes to their standbys. Confined to the node's inbox,
/// except for [#change].
///
/// Only the latest version of each part of a home's state is stored and sent. A window bounds the
/// bytes on their way; while it is full, changes of the same part are merged. All parts together
/// may take a share of the heap: a part without room is not replicated, at the cost of its home
/// alone.
///
/// A listener runs once every change up to its own is confirmed by a standby with a full replica.
/// From then on no older state can be recovered.
public final class Replicator {
  private static final Logger LOG = LoggerFactory.getLogger(Replicator.class);

  /// Bytes that may be on their way to standbys.
  public static final int WINDOW = 1 << 20;

  /// The cost of a part beside its state and its names, in bytes.
  private static final int COST = 200;

  /// Sends the values of the replication.
  public interface Output {
    /// Sends a value to a member.
    void send(Member to, NodeValue value);

    /// The standby of a segment has a full replica for the first time, or there is no standby.
    void mirrored(int segment);
  }

  /// A change on its way.
  private record Sent(Replica.Key key, int cost) {}

  /// Parts that have changed together, with the listener that waits for their confirmation.
  private static final class Batch {
    final ReplicaListener listener;
    boolean kept = true;

    /// The newest version of the parts; 0 if the home is not here.
    long version;

    Batch(ReplicaListener listener) {
      this.listener = listener;
    }
  }

  /// The new state of a part, with the batches that wait for this state or an earlier one.
  private record Change(@Nullable StanzaBytes state, List<Batch> batches) {}

  /// A segment of which this node is the home.
  private static final class Source {
    final int segment;
    final Stamp term;

    /// The latest version of each part. A removed part stays here as a tombstone until a complete
    /// standby confirms the removal.
    final Map<Replica.Key, Replica.Part> parts = new HashMap<>();

    /// Tombstones of removed parts, by version.
    final NavigableMap<Long, Replica.Key> removed = new TreeMap<>();

    final NavigableMap<Long, Replica.Key> unsent = new TreeMap<>();
    final NavigableMap<Long, Sent> onTheWay = new TreeMap<>();

    /// The batches that wait until the standby has confirmed a version.
    final NavigableMap<Long, List<Batch>> awaited = new TreeMap<>();

    @Nullable Member standby;

    /// Whether the begin of the full transfer was sent.
    boolean transferBegun;

    /// Whether the end of the full transfer was sent.
    boolean transferEnded;

    /// Whether the standby has confirmed the full transfer.
    boolean mirrored;

    long version;

    Source(int segment, Stamp term) {
      this.segment = segment;
      this.term = term;
    }

    /// Starts a full transfer to another standby.
    void begin(@Nullable Member next) {
      standby = next;
      transferBegun = false;
      transferEnded = false;
      mirrored = false;
      unsent.clear();
      parts.forEach((key, part) -> unsent.put(part.version(), key));
      awaitNewest(0);
    }

    boolean isSettled() {
      return mirrored && unsent.isEmpty() && onTheWay.isEmpty();
    }

    void await(Batch batch) {
      awaited.computeIfAbsent(batch.version, _ -> new ArrayList<>(1)).add(batch);
    }

    /// A version of a part was replaced by a newer one before it was sent. Batches that wait for it
    /// or for later versions wait for the newest version of the segment instead.
    void awaitNewest(long from) {
      NavigableMap<Long, List<Batch>> late = awaited.tailMap(from, true);
      List<Batch> batches = new ArrayList<>();
      late.values().forEach(batches::addAll);
      late.clear();
      for (Batch batch : batches) {
        batch.version = version;
        await(batch);
      }
    }

    /// Removes the batches whose version has been confirmed, or that need not wait. Before the
    /// standby has a full replica, an older state of a former home could be recovered instead.
    List<Batch> takeConfirmed() {
      if (awaited.isEmpty() || (standby != null && !mirrored)) {
        return List.of();
      }
      long first = Long.MAX_VALUE;
      if (standby != null && !unsent.isEmpty()) {
        first = unsent.firstKey();
      }
      if (standby != null && !onTheWay.isEmpty()) {
        first = Math.min(first, onTheWay.firstKey());
      }
      List<Batch> confirmed = new ArrayList<>();
      NavigableMap<Long, List<Batch>> done = awaited.headMap(first, false);
      done.values().forEach(confirmed::addAll);
      done.clear();
      return confirmed;
    }
  }

  private final Output output;
  private final long most;
  private final int mostOfOne;
  private final Map<Integer, Source> sources = new HashMap<>();

  /// Segments with unsent values.
  private final Set<Source> due = new LinkedHashSet<>();

  private int onTheWay;
  private long bytes;
  private boolean full;

  /// Changes of homes that the inbox has not taken over. Guarded by itself.
  private final Map<Replica.Key, Change> changed = new LinkedHashMap<>();

  /// @param most the most bytes of all parts
  /// @param mostOfOne the most bytes of one part
  public Replicator(Output output, long most, int mostOfOne) {
    this.output = output;
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  // ---- what homes say

  /// Parts of a home's state have changed. Any thread may call.
  ///
  /// @param parts null for a part that was removed; sent in this order
  /// @param listener notified when the standby has all of them
  /// @return whether [#takeChanges] is to be called in the inbox
  public boolean change(
      String home, Map<String, @Nullable StanzaBytes> parts, @Nullable ReplicaListener listener) {
    Batch batch = listener == null ? null : new Batch(listener);
    synchronized (changed) {
      boolean first = changed.isEmpty();
      parts.forEach((key, state) -> {
        Replica.Key part = new Replica.Key(home, key);
        Change before = changed.remove(part);
        List<Batch> batches = new ArrayList<>(before == null ? List.of() : before.batches());
        if (batch != null) {
          batches.add(batch);
        }
        changed.put(part, new Change(state, batches));
      });
      return first;
    }
  }

  /// Takes over the changes of homes, and sends them.
  ///
  /// @param segments how many there are
  public void takeChanges(int segments) {
    Map<Replica.Key, Change> taken;
    synchronized (changed) {
      taken = new LinkedHashMap<>(changed);
      changed.clear();
    }
    Map<Batch, Source> batches = new LinkedHashMap<>();
    taken.forEach((key, change) -> {
      Source source = sources.get(Placement.segmentOf(key.home(), segments));
      if (source != null) {
        put(source, key, change.state());
        Replica.Part part = source.parts.get(key);
        for (Batch batch : change.batches()) {
          batch.version = Math.max(batch.version, part == null ? 0 : part.version());
          batch.kept &= change.state() == null || (part != null && part.state() != null);
          batches.put(batch, source);
        }
      }
    });
    batches.forEach((batch, source) -> {
      source.await(batch);
      due.add(source);
    });
    send();
  }

  private void put(Source source, Replica.Key key, @Nullable StanzaBytes state) {
    Replica.Part before = source.parts.get(key);
    StanzaBytes kept = state;
    if (state != null && !hasRoom(cost(key, state) - (before == null ? 0 : cost(key, before)))) {
      kept = null;
    }
    if (state != null && state.size() > mostOfOne) {
      LOG.atWarn().addKeyValue("home", key.home()).log("state_too_large_to_copy");
      kept = null;
    }
    if (before == null ? kept == null : Objects.equals(before.state(), kept)) {
      return;
    }
    source.version++;
    if (before != null) {
      bytes -= cost(key, before);
      source.removed.remove(before.version());
      if (source.unsent.remove(before.version()) != null) {
        source.awaitNewest(before.version());
      }
    }
    Replica.Part part = new Replica.Part(source.term, source.version, kept);
    bytes += cost(key, part);
    source.parts.put(key, part);
    source.unsent.put(source.version, key);
    if (kept == null) {
      source.removed.put(source.version, key);
    }
    due.add(source);
  }

  private boolean hasRoom(int more) {
    boolean room = more <= 0 || bytes + more <= most;
    if (!room && !full) {
      LOG.atWarn().addKeyValue("bytes", bytes).log("no_room_for_copies");
    }
    full = !room;
    return room;
  }

  private static int cost(Replica.Key key, Replica.Part part) {
    StanzaBytes state = part.state();
    return state == null ? COST : cost(key, state);
  }

  private static int cost(Replica.Key key, StanzaBytes state) {
    return COST + key.home().length() + key.key().length() + state.size();
  }

  // ---- what the cluster does

  /// A segment opens at this node.
  ///
  /// @param state the state with which its homes open
  public void open(int segment, Placement placement, Map<Replica.Key, StanzaBytes> state) {
    Source source = new Source(segment, placement.stamp());
    sources.put(segment, source);
    state.forEach((key, part) -> put(source, key, part));
    source.begin(placement.standby(segment));
    due.add(source);
  }

  /// Installs a placement.
  ///
  /// @param left the segments that have left this node
  /// @return the terms in which this node was their home
  public Map<Integer, Stamp> install(Placement next, Set<Integer> left) {
    Map<Integer, Stamp> terms = new HashMap<>();
    onTheWay = 0;
    due.clear();
    for (int segment : left) {
      Source source = sources.remove(segment);
      if (source != null) {
        terms.put(segment, source.term);
        source.parts.forEach((key, part) -> bytes -= cost(key, part));
      }
    }
    for (Source source : sources.values()) {
      Member standby = next.standby(source.segment);
      if (!source.mirrored || !Objects.equals(standby, source.standby)) {
        source.begin(standby);
      } else {
        // Unconfirmed values were lost with the placement in which they were sent.
        source.onTheWay.forEach((version, sent) -> {
          Replica.Part part = source.parts.get(sent.key());
          if (part != null && part.version() == version) {
            source.unsent.put(version, sent.key());
          }
        });
      }
      source.onTheWay.clear();
      source.awaitNewest(0);
      due.add(source);
    }
    return terms;
  }

  /// Sends what fits into the window.
  public void send() {
    for (Source source : List.copyOf(due)) {
      if (!send(source, source.standby)) {
        return;
      }
      due.remove(source);
      confirm(source);
    }
  }

  private static void confirm(Source source) {
    for (Batch batch : source.takeConfirmed()) {
      batch.listener.confirmed(batch.kept && source.standby != null);
    }
  }

  /// Returns false if the window is full.
  private boolean send(Source source, @Nullable Member standby) {
    if (standby == null) {
      source.unsent.clear();
      removeConfirmed(source, Long.MAX_VALUE);
      mirrored(source);
      return true;
    }
    if (!source.transferBegun) {
      source.transferBegun = true;
      output.send(standby, new NodeValue.Copies(source.segment, source.term, 0, false));
    }
    while (!source.unsent.isEmpty()) {
      if (onTheWay >= WINDOW) {
        return false;
      }
      sendFirst(source, standby);
    }
    if (!source.transferEnded) {
      source.transferEnded = true;
      output.send(standby, new NodeValue.Copies(source.segment, source.term, source.version, true));
    }
    return true;
  }

  private void sendFirst(Source source, Member standby) {
    Map.Entry<Long, Replica.Key> first = source.unsent.pollFirstEntry();
    Replica.Key key = first.getValue();
    Replica.Part part = source.parts.get(key);
    if (part == null) {
      return;
    }
    int cost = cost(key, part);
    source.onTheWay.put(part.version(), new Sent(key, cost));
    onTheWay += cost;
    output.send(
        standby,
        new NodeValue.Copy(
            source.segment, source.term, part.version(), key.home(), key.key(), part.state()));
  }

  /// The standby of a segment has confirmed a version.
  public void confirmed(Member from, NodeValue.Copied copied) {
    Source source = sources.get(copied.segment());
    if (source == null || !source.term.equals(copied.term()) || !from.equals(source.standby)) {
      return;
    }
    NavigableMap<Long, Sent> done = source.onTheWay.headMap(copied.version(), true);
    for (Sent each : done.values()) {
      onTheWay -= each.cost();
    }
    done.clear();
    if (copied.complete() && source.transferEnded) {
      mirrored(source);
    }
    if (source.mirrored) {
      removeConfirmed(source, copied.version());
    }
    confirm(source);
  }

  private void mirrored(Source source) {
    if (!source.mirrored) {
      source.mirrored = true;
      output.mirrored(source.segment);
    }
  }

  private void removeConfirmed(Source source, long version) {
    NavigableMap<Long, Replica.Key> known = source.removed.headMap(version, true);
    for (Replica.Key key : known.values()) {
      Replica.Part part = source.parts.remove(key);
      bytes -= part == null ? 0 : cost(key, part);
    }
    known.clear();
  }

  /// How many parts there are, and whether all standbys have confirmed all of them.
  public CopyStatus status() {
    int parts = 0;
    boolean settled;
    synchronized (changed) {
      settled = changed.isEmpty();
    }
    for (Source source : sources.values()) {
      parts += source.parts.size() - source.removed.size();
      settled &= source.isSettled();
    }
    return new CopyStatus(parts, settled);
  }

  /// Forgets all segments.
  public void close() {
    sources.clear();
    due.clear();
    bytes = 0;
    onTheWay = 0;
  }
}
