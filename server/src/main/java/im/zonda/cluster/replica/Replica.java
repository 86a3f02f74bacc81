package im.zonda.cluster.replica;

import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Stamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A replica of the state of a segment's homes in one term: the time for which a node is the home
/// of the segment without a break. Confined to the node's inbox.
public final class Replica {
  /// The version of a former home's own state: nothing in its term is newer.
  public static final long FINAL = Long.MAX_VALUE;

  /// A part of a home's state.
  public record Key(String home, String key) {}

  /// A part with its version.
  ///
  /// @param state null if the part was removed
  public record Part(Stamp term, long version, @Nullable StanzaBytes state) {
    private static final Comparator<Part> AGE =
        Comparator.comparing(Part::term).thenComparingLong(Part::version);

    boolean isNewerThan(@Nullable Part other) {
      return other == null || AGE.compare(this, other) > 0;
    }
  }

  private final int segment;
  private final Stamp term;

  /// In the order of their versions; with tombstones of removed parts while the replica is
  /// incomplete.
  private final Map<Key, Part> parts = new LinkedHashMap<>();

  /// Parts from before the present full transfer that have not been sent again.
  private final Set<Key> notSentAgain = new HashSet<>();

  private boolean inTransfer = true;
  private boolean complete;

  /// The newest version that is stored here.
  private long version;

  /// The newest version that has arrived in the present full transfer and after it.
  private long arrived;

  /// The version up to which no part is missing; used if the replica is complete.
  private long bound;

  public Replica(int segment, Stamp term) {
    this.segment = segment;
    this.term = term;
  }

  public Stamp term() {
    return term;
  }

  /// A part has changed.
  public void add(NodeValue.Copy copy) {
    put(new Key(copy.home(), copy.key()), new Part(term, copy.version(), copy.state()));
  }

  public void put(Key key, Part part) {
    notSentAgain.remove(key);
    if (part.isNewerThan(parts.get(key))) {
      parts.remove(key);
      if (part.state() != null || inTransfer) {
        parts.put(key, part);
      }
    }
    version = Math.max(version, part.version());
    arrived = Math.max(arrived, part.version());
    if (!inTransfer) {
      bound = version;
    }
  }

  /// The home begins a full transfer. The present parts stay until it ends.
  public void begin() {
    inTransfer = true;
    arrived = 0;
    notSentAgain.clear();
    notSentAgain.addAll(parts.keySet());
  }

  /// The full transfer up to that version has ended.
  public void complete(long sent) {
    complete = true;
    bound = sent;
    inTransfer = version > sent;
    version = Math.max(version, sent);
    parts.keySet().removeAll(notSentAgain);
    notSentAgain.clear();
    if (!inTransfer) {
      parts.values().removeIf(part -> part.state() == null);
    }
  }

  /// The confirmation to the home.
  public NodeValue.Copied confirmation() {
    return new NodeValue.Copied(segment, term, arrived, complete && !inTransfer);
  }

  /// The values that a new home gets.
  public List<NodeValue> values() {
    List<NodeValue> values = new ArrayList<>(parts.size() + 1);
    parts.forEach((key, part) ->
        values.add(
            new NodeValue.Copy(
                segment, term, part.version(), key.home(), key.key(), part.state())));
    values.add(new NodeValue.Copies(segment, term, bound, complete));
    return values;
  }

  /// The newest known state of the homes of a segment: that of the newest complete replica, with
  /// newer parts of other replicas.
  public static Map<Key, StanzaBytes> newest(Collection<Replica> mirrors) {
    Replica base = null;
    for (Replica each : mirrors) {
      if (each.complete && (base == null || each.bound().isNewerThan(base.bound()))) {
        base = each;
      }
    }
    Map<Key, Part> found = new LinkedHashMap<>(base == null ? Map.of() : base.parts);
    Part bound = base == null ? null : base.bound();
    for (Replica each : mirrors) {
      each.parts.forEach((key, part) -> {
        if (part.isNewerThan(bound) && part.isNewerThan(found.get(key))) {
          found.remove(key);
          found.put(key, part);
        }
      });
    }
    Map<Key, StanzaBytes> states = new LinkedHashMap<>();
    found.forEach((key, part) -> {
      if (part.state() != null) {
        states.put(key, part.state());
      }
    });
    return states;
  }

  /// The version up to which no part is missing.
  private Part bound() {
    return new Part(term, bound, null);
  }
}
