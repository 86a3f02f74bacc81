package im.zonda.cluster.replica;

import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The replicas at this node of the state of homes on other nodes: as their standby, and as their
/// former home. Confined to the node's inbox.
///
/// Bounded by the state of the homes. A segment has replicas of more than one term only while the
/// newest one is incomplete.
public final class Replicas {
  private final Map<Integer, List<Replica>> bySegment = new HashMap<>();

  /// Segments with unconfirmed changes.
  private final Set<Integer> unconfirmed = new LinkedHashSet<>();

  private Replica mirror(int segment, Stamp term) {
    List<Replica> mirrors = bySegment.computeIfAbsent(segment, _ -> new ArrayList<>(1));
    for (Replica each : mirrors) {
      if (each.term().equals(term)) {
        return each;
      }
    }
    Replica made = new Replica(segment, term);
    mirrors.add(made);
    return made;
  }

  /// A part of the state of a segment has changed.
  public void add(NodeValue.Copy copy) {
    mirror(copy.segment(), copy.term()).add(copy);
    unconfirmed.add(copy.segment());
  }

  /// The home of a segment begins or ends a full transfer.
  public void add(NodeValue.Copies copies) {
    Replica mirror = mirror(copies.segment(), copies.term());
    unconfirmed.add(copies.segment());
    if (!copies.complete()) {
      mirror.begin();
      return;
    }
    mirror.complete(copies.version());
    List<Replica> mirrors = bySegment.get(copies.segment());
    if (mirrors != null) {
      mirrors.removeIf(each -> each.term().compareTo(mirror.term()) < 0);
    }
  }

  /// Takes the confirmations that are due.
  public List<NodeValue.Copied> confirm() {
    List<NodeValue.Copied> confirmed = new ArrayList<>(unconfirmed.size());
    for (int segment : unconfirmed) {
      Replica newest = null;
      for (Replica each : bySegment.getOrDefault(segment, List.of())) {
        if (newest == null || each.term().compareTo(newest.term()) > 0) {
          newest = each;
        }
      }
      if (newest != null) {
        confirmed.add(newest.confirmation());
      }
    }
    unconfirmed.clear();
    return confirmed;
  }

  /// The homes of a segment have left this node with that state.
  public void left(int segment, Stamp term, List<HomePart> state) {
    Replica mirror = mirror(segment, term);
    long version = 0;
    for (HomePart each : state) {
      Replica.Key key = new Replica.Key(each.home().toString(), each.key());
      mirror.put(key, new Replica.Part(term, ++version, each.state()));
    }
    mirror.complete(Replica.FINAL);
  }

  /// The values that a new home of the segment gets.
  public List<NodeValue> values(int segment) {
    List<NodeValue> values = new ArrayList<>();
    bySegment.getOrDefault(segment, List.of()).forEach(each -> values.addAll(each.values()));
    return values;
  }

  /// Discards the replicas of a segment.
  public void drop(int segment) {
    bySegment.remove(segment);
    unconfirmed.remove(segment);
  }

  /// The segments with replicas here.
  public Set<Integer> segments() {
    return bySegment.keySet();
  }
}
