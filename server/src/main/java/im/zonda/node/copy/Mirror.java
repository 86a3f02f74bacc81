package im.zonda.node.copy;

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

/// Copies of the state of a segment's homes, written in one term: from the placement in which a
/// node became the home of the segment until it is not any more. Confined to the node's inbox.
public final class Mirror {
  /// The version of what a former home has written itself: nothing of its term is newer.
  public static final long FINAL = Long.MAX_VALUE;

  /// A part of a home's state.
  public record Key(String home, String key) {}

  /// A part with its version.
  ///
  /// @param state null if there is no such part any more
  public record Part(Stamp term, long version, @Nullable StanzaBytes state) {
    private static final Comparator<Part> AGE =
        Comparator.comparing(Part::term).thenComparingLong(Part::version);

    boolean isNewerThan(@Nullable Part other) {
      return other == null || AGE.compare(this, other) > 0;
    }
  }

  private final int segment;
  private final Stamp term;

  /// In the order of their versions; also those that there are not any more, while the mirror is
  /// not complete.
  private final Map<Key, Part> parts = new LinkedHashMap<>();

  /// What was here when the home has begun to send everything, and has not been sent again.
  private final Set<Key> doubtful = new HashSet<>();

  private boolean receiving = true;
  private boolean complete;

  /// The newest change that there is here.
  private long version;

  /// The newest change that has arrived, since the home has begun to send everything.
  private long arrived;

  /// Of what is not newer nothing is missing; used if the mirror is complete.
  private long bound;

  public Mirror(int segment, Stamp term) {
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
    doubtful.remove(key);
    if (part.isNewerThan(parts.get(key))) {
      parts.remove(key);
      if (part.state() != null || receiving) {
        parts.put(key, part);
      }
    }
    version = Math.max(version, part.version());
    arrived = Math.max(arrived, part.version());
    if (!receiving) {
      bound = version;
    }
  }

  /// The home is about to send everything. What is here stays until it has.
  public void begin() {
    receiving = true;
    arrived = 0;
    doubtful.clear();
    doubtful.addAll(parts.keySet());
  }

  /// Everything up to that version has arrived.
  public void complete(long sent) {
    complete = true;
    bound = sent;
    receiving = version > sent;
    version = Math.max(version, sent);
    parts.keySet().removeAll(doubtful);
    doubtful.clear();
    if (!receiving) {
      parts.values().removeIf(part -> part.state() == null);
    }
  }

  /// What the home is told about its mirror.
  public NodeValue.Copied confirmation() {
    return new NodeValue.Copied(segment, term, arrived, complete && !receiving);
  }

  /// What a new home is told.
  public List<NodeValue> values() {
    List<NodeValue> values = new ArrayList<>(parts.size() + 1);
    parts.forEach((key, part) ->
        values.add(
            new NodeValue.Copy(
                segment, term, part.version(), key.home(), key.key(), part.state())));
    values.add(new NodeValue.Copies(segment, term, bound, complete));
    return values;
  }

  /// The state of the homes of a segment, as far as any member knows it: that of the newest
  /// complete mirror, and what others have that is newer.
  public static Map<Key, StanzaBytes> newest(Collection<Mirror> mirrors) {
    Mirror base = null;
    for (Mirror each : mirrors) {
      if (each.complete && (base == null || each.bound().isNewerThan(base.bound()))) {
        base = each;
      }
    }
    Map<Key, Part> found = new LinkedHashMap<>(base == null ? Map.of() : base.parts);
    Part bound = base == null ? null : base.bound();
    for (Mirror each : mirrors) {
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

  /// Stands for the change up to which nothing is missing.
  private Part bound() {
    return new Part(term, bound, null);
  }
}
