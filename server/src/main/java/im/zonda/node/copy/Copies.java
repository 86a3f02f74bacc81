package im.zonda.node.copy;

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

/// Keeps the standbys' copies of the homes of this node up to date. Confined to the node's inbox,
/// except for [#change].
///
/// Of each part of a home's state only the latest is kept and sent. A window bounds what is on its
/// way; behind it changes of the same part become one. All together may take a share of the heap: a
/// part for which there is no room is not copied, so the home that asks pays.
///
/// A change may have a listener, which learns when the standby has confirmed it: when nothing that
/// is as old is unsent or on its way, and the standby has had everything once. Then nothing older
/// can come back, no matter who else has copies.
public final class Copies {
  private static final Logger LOG = LoggerFactory.getLogger(Copies.class);

  /// Bytes that may be on their way to standbys.
  public static final int WINDOW = 1 << 20;

  /// What a part takes beside its state and its names, in bytes.
  private static final int COST = 200;

  /// What this says to others.
  public interface Output {
    /// Sends a value to a member.
    void send(Member to, NodeValue value);

    /// The standby of a segment has everything, for the first time; or there is none.
    void mirrored(int segment);
  }

  /// A change on its way.
  private record Sent(Mirror.Key key, int cost) {}

  /// Parts that have changed together, with the one who waits until the standby has them.
  private static final class Batch {
    final CopyListener listener;
    boolean kept = true;

    /// The newest of the versions that the parts have got; 0 if the home is not here.
    long version;

    Batch(CopyListener listener) {
      this.listener = listener;
    }
  }

  /// A part as it is to be, with those who wait for that or for a state that it has replaced.
  private record Change(@Nullable StanzaBytes state, List<Batch> batches) {}

  /// A segment of which this node is the home.
  private static final class Source {
    final int segment;
    final Stamp term;

    /// The latest of each part; also of those that there are not any more, until a standby that has
    /// everything has confirmed that: before, a former standby has them still, and the next one
    /// must know that they are gone.
    final Map<Mirror.Key, Mirror.Part> parts = new HashMap<>();

    /// Those that there are not any more, by version.
    final NavigableMap<Long, Mirror.Key> removed = new TreeMap<>();

    final NavigableMap<Long, Mirror.Key> unsent = new TreeMap<>();
    final NavigableMap<Long, Sent> onTheWay = new TreeMap<>();

    /// Those who wait until the standby has confirmed a version.
    final NavigableMap<Long, List<Batch>> awaited = new TreeMap<>();

    @Nullable Member standby;

    /// Whether the standby knows that it is about to get everything.
    boolean begun;

    /// Whether it knows that it has got everything.
    boolean announced;

    /// Whether it has confirmed that.
    boolean mirrored;

    long version;

    Source(int segment, Stamp term) {
      this.segment = segment;
      this.term = term;
    }

    /// Sends everything to another standby.
    void begin(@Nullable Member next) {
      standby = next;
      begun = false;
      announced = false;
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

    /// A version of a part is not sent any more, but a newer one is. Those who wait for it or for
    /// later ones wait until the standby has everything that there is now.
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

    /// Removes those whose version has been confirmed, or who need not wait. While the standby has
    /// not got everything, the state of a former home may count, which is older.
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

  /// Segments that have something to be sent.
  private final Set<Source> due = new LinkedHashSet<>();

  private int onTheWay;
  private long bytes;
  private boolean full;

  /// What homes have changed and the inbox has not taken over. Guarded by itself.
  private final Map<Mirror.Key, Change> changed = new LinkedHashMap<>();

  /// @param most the most bytes of all copies
  /// @param mostOfOne the most bytes of one
  public Copies(Output output, long most, int mostOfOne) {
    this.output = output;
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  // ---- what homes say

  /// Parts of a home's state have changed. Any thread may call.
  ///
  /// @param parts null for a part that there is not any more; sent in this order
  /// @param listener learns when the standby has all of them
  /// @return whether [#takeChanges] is to be called in the inbox
  public boolean change(
      String home, Map<String, @Nullable StanzaBytes> parts, @Nullable CopyListener listener) {
    Batch batch = listener == null ? null : new Batch(listener);
    synchronized (changed) {
      boolean first = changed.isEmpty();
      parts.forEach((key, state) -> {
        Mirror.Key part = new Mirror.Key(home, key);
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

  /// Takes over what homes have changed, and sends it.
  ///
  /// @param segments how many there are
  public void takeChanges(int segments) {
    Map<Mirror.Key, Change> taken;
    synchronized (changed) {
      taken = new LinkedHashMap<>(changed);
      changed.clear();
    }
    Map<Batch, Source> batches = new LinkedHashMap<>();
    taken.forEach((key, change) -> {
      Source source = sources.get(Placement.segmentOf(key.home(), segments));
      if (source != null) {
        put(source, key, change.state());
        Mirror.Part part = source.parts.get(key);
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

  private void put(Source source, Mirror.Key key, @Nullable StanzaBytes state) {
    Mirror.Part before = source.parts.get(key);
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
    Mirror.Part part = new Mirror.Part(source.term, source.version, kept);
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

  private static int cost(Mirror.Key key, Mirror.Part part) {
    StanzaBytes state = part.state();
    return state == null ? COST : cost(key, state);
  }

  private static int cost(Mirror.Key key, StanzaBytes state) {
    return COST + key.home().length() + key.key().length() + state.size();
  }

  // ---- what the cluster does

  /// A segment opens at this node.
  ///
  /// @param state what its homes are given
  public void open(int segment, Placement placement, Map<Mirror.Key, StanzaBytes> state) {
    Source source = new Source(segment, placement.stamp());
    sources.put(segment, source);
    state.forEach((key, part) -> put(source, key, part));
    source.begin(placement.standby(segment));
    due.add(source);
  }

  /// Takes over a placement.
  ///
  /// @param left the segments that have left this node
  /// @return in which term this node was their home
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
        // What is not confirmed was lost with the placement in which it was sent.
        source.onTheWay.forEach((version, sent) -> {
          Mirror.Part part = source.parts.get(sent.key());
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
    if (!source.begun) {
      source.begun = true;
      output.send(standby, new NodeValue.Copies(source.segment, source.term, 0, false));
    }
    while (!source.unsent.isEmpty()) {
      if (onTheWay >= WINDOW) {
        return false;
      }
      sendFirst(source, standby);
    }
    if (!source.announced) {
      source.announced = true;
      output.send(standby, new NodeValue.Copies(source.segment, source.term, source.version, true));
    }
    return true;
  }

  private void sendFirst(Source source, Member standby) {
    Map.Entry<Long, Mirror.Key> first = source.unsent.pollFirstEntry();
    Mirror.Key key = first.getValue();
    Mirror.Part part = source.parts.get(key);
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

  /// The standby of a segment has confirmed.
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
    if (copied.complete() && source.announced) {
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
    NavigableMap<Long, Mirror.Key> known = source.removed.headMap(version, true);
    for (Mirror.Key key : known.values()) {
      Mirror.Part part = source.parts.remove(key);
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

  /// Nothing is here any more.
  public void close() {
    sources.clear();
    due.clear();
    bytes = 0;
    onTheWay = 0;
  }
}
