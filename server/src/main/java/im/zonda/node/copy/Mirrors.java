package im.zonda.node.copy;

import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The copies that this node has of the state of homes on other nodes: as their standby, and as
/// their former home. Confined to the node's inbox.
///
/// Bounded by the state of the homes. A segment has the mirrors of more than one term only while
/// the newest is not complete.
public final class Mirrors {
  private final Map<Integer, List<Mirror>> bySegment = new HashMap<>();

  /// Segments of which a change has not been confirmed.
  private final Set<Integer> unconfirmed = new LinkedHashSet<>();

  private Mirror mirror(int segment, Stamp term) {
    List<Mirror> mirrors = bySegment.computeIfAbsent(segment, _ -> new ArrayList<>(1));
    for (Mirror each : mirrors) {
      if (each.term().equals(term)) {
        return each;
      }
    }
    Mirror made = new Mirror(segment, term);
    mirrors.add(made);
    return made;
  }

  /// The home of a segment has changed.
  public void add(NodeValue.Copy copy) {
    mirror(copy.segment(), copy.term()).add(copy);
    unconfirmed.add(copy.segment());
  }

  /// The home of a segment is about to send everything, or has done so.
  public void add(NodeValue.Copies copies) {
    Mirror mirror = mirror(copies.segment(), copies.term());
    unconfirmed.add(copies.segment());
    if (!copies.complete()) {
      mirror.begin();
      return;
    }
    mirror.complete(copies.version());
    List<Mirror> mirrors = bySegment.get(copies.segment());
    if (mirrors != null) {
      mirrors.removeIf(each -> each.term().compareTo(mirror.term()) < 0);
    }
  }

  /// What has not been confirmed.
  public List<NodeValue.Copied> confirm() {
    List<NodeValue.Copied> confirmed = new ArrayList<>(unconfirmed.size());
    for (int segment : unconfirmed) {
      Mirror newest = null;
      for (Mirror each : bySegment.getOrDefault(segment, List.of())) {
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

  /// The homes of a segment have left this node in that state.
  public void left(int segment, Stamp term, List<HomePart> state) {
    Mirror mirror = mirror(segment, term);
    long version = 0;
    for (HomePart each : state) {
      Mirror.Key key = new Mirror.Key(each.home().toString(), each.key());
      mirror.put(key, new Mirror.Part(term, ++version, each.state()));
    }
    mirror.complete(Mirror.FINAL);
  }

  /// What a new home of the segment is told.
  public List<NodeValue> values(int segment) {
    List<NodeValue> values = new ArrayList<>();
    bySegment.getOrDefault(segment, List.of()).forEach(each -> values.addAll(each.values()));
    return values;
  }

  /// The copies of a segment are not needed any more.
  public void drop(int segment) {
    bySegment.remove(segment);
    unconfirmed.remove(segment);
  }

  /// The segments that have copies here.
  public Set<Integer> segments() {
    return bySegment.keySet();
  }
}
