package im.zonda.cluster.home;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.ClientUpdate;
import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.SessionCopy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The copies of sessions that a node keeps for homes: as the edge of a client, as the standby, or
/// as the home before. A new home collects them.
public final class Replicas {
  private record Replica(int segment, SessionState state, Member home) {}

  private final Member self;
  private final HomeOutput output;
  private final Map<String, Replica> replicas = new LinkedHashMap<>();

  /// @param output gets confirmations, and what clients of this node are sent
  public Replicas(Member self, HomeOutput output) {
    this.self = self;
    this.output = output;
  }

  /// Keeps what the home has said, and confirms it.
  public void keep(Member home, int segment, SessionCopy copy) {
    replicas.put(copy.id(), new Replica(segment, new SessionState(copy), home));
    output.send(home, new NodeValue.Confirm(copy.owner(), copy.id(), copy.version()));
    toClient(copy.queue(), replicas.get(copy.id()).state());
  }

  /// Keeps the session of a home that has been sealed, for the next home.
  void seal(Member next, int segment, SessionCopy copy) {
    replicas.put(copy.id(), new Replica(segment, new SessionState(copy), next));
  }

  /// Applies the next version and confirms it.
  public void update(Member home, NodeValue.Update update) {
    Replica replica = replicas.get(update.session());
    if (replica == null || replica.state().version + 1 != update.version()) {
      return;
    }
    SessionState state = replica.state();
    state.apply(update);
    output.send(home, new NodeValue.Confirm(state.owner, state.id, state.version));
    toClient(update.added(), state);
  }

  private void toClient(List<Delivery> deliveries, SessionState state) {
    if (state.attachment != null && state.attachment.edge().equals(self)) {
      output.toClient(
          new ClientUpdate(state.owner, state.id, state.attachment, state.handled, deliveries));
    }
  }

  /// Forgets a copy.
  public void drop(String session) {
    replicas.remove(session);
  }

  /// Forgets the copies of a segment but for those.
  public void keepOnly(int segment, Set<String> sessions) {
    replicas
        .entrySet()
        .removeIf(
            each -> each.getValue().segment() == segment && !sessions.contains(each.getKey()));
  }

  /// The copies of a segment.
  public List<SessionCopy> copies(int segment) {
    List<SessionCopy> copies = new ArrayList<>();
    for (Replica replica : replicas.values()) {
      if (replica.segment() == segment) {
        copies.add(replica.state().copy());
      }
    }
    return copies;
  }

  /// The copies of sessions whose home is none of these members.
  public List<SessionCopy> copiesWithout(Set<Member> survivors) {
    List<SessionCopy> copies = new ArrayList<>();
    for (Replica replica : replicas.values()) {
      if (!survivors.contains(replica.home())) {
        copies.add(replica.state().copy());
      }
    }
    return copies;
  }
}
