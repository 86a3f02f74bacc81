package im.zonda.cluster.forward;

import im.zonda.cluster.forward.ResentStanzas.Waiting;
import im.zonda.cluster.frame.NodeValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// The stanzas in progress at homes of this node. A duplicate of such a stanza may arrive from
/// another node: after the sender's home was lost or has moved, the client sends it again while the
/// first one is in progress. The log does not have its entry yet, so the duplicate is attached to
/// the first one instead of being delivered. Confined to the node's inbox.
public final class HandledStanzas {
  /// The forwarded stanzas of one client's stanza to one home; more than one if that is for several
  /// addresses there (XEP-0033).
  private record Key(long identity, String owner) {
    static Key of(NodeValue.Route route) {
      return new Key(route.identity(), route.owner());
    }
  }

  /// A stanza that its home handles.
  public static final class Handled {
    private final NodeValue.Route route;
    private List<Waiting> same = List.of();

    private Handled(NodeValue.Route route) {
      this.route = route;
    }
  }

  private final Map<Key, List<Handled>> all = new HashMap<>();
  private final ToLongFunction<NodeValue.Route> origins;

  /// @param origins gives the identity of a stanza in the log; 0 if it has none
  public HandledStanzas(ToLongFunction<NodeValue.Route> origins) {
    this.origins = origins;
  }

  /// A home begins to handle a stanza.
  public Handled add(NodeValue.Route route) {
    Handled added = new Handled(route);
    all.computeIfAbsent(Key.of(route), _ -> new ArrayList<>(1)).add(added);
    return added;
  }

  /// Attaches a duplicate to the stanza in progress with the same origin, so that both are
  /// confirmed once it is handled. False if none is in progress.
  public boolean join(Waiting stanza) {
    if (stanza.origin() == 0) {
      return false;
    }
    for (Handled each : all.getOrDefault(Key.of(stanza.route()), List.of())) {
      if (origins.applyAsLong(each.route) == stanza.origin()) {
        if (each.same.isEmpty()) {
          each.same = new ArrayList<>(1);
        }
        each.same.add(stanza);
        return true;
      }
    }
    return false;
  }

  /// A home has handled a stanza.
  ///
  /// @return its duplicates, which are handled, too
  public List<Waiting> remove(Handled handled) {
    all.computeIfPresent(
        Key.of(handled.route),
        (_, several) -> {
          several.remove(handled);
          return several.isEmpty() ? null : several;
        });
    return handled.same;
  }
}
