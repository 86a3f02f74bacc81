package im.zonda.cluster.home;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Attachment;
import im.zonda.cluster.frame.ClientUpdate;
import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.Origin;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.placement.Placement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A session, or a room's log, at its home. Every change makes a version, which the mirror
/// confirms. The mirror is the client's edge if that is another member, otherwise the standby. What
/// is not confirmed is neither SAFE nor seen by a client of this node, nor by a room's occupants:
/// if this process died, the next home would give its number to another stanza.
final class OwnedSession {
  /// Stanzas in a queue above which nothing more is SAFE, so that its sources stop.
  static final int MAX_QUEUE = 1000;

  private record Point(long version, long handled, long last) {}

  private record DueAt(long version, SafeDue due) {}

  /// A stanza that waits until the database has told what it kept.
  record Waiting(RoutedStanza stanza, boolean inStore, SafeDue due) {}

  final SessionState state;
  private final HomeContext context;

  /// Null for none, which is only legal in a cluster of one.
  private @Nullable Member mirror;

  private long confirmed;
  private final Set<Member> oldMirrors = new HashSet<>();
  private final Deque<Point> points = new ArrayDeque<>();
  private final Deque<DueAt> dues = new ArrayDeque<>();
  final List<Waiting> waiting = new ArrayList<>();

  /// Number up to which the client at this node, or the room's occupants, were sent the queue.
  private long released;

  /// Occupants that have not got a stanza yet, by its number.
  private final TreeMap<Long, Integer> outstanding = new TreeMap<>();

  /// Who wants to continue the session; waits for the old edge.
  NodeValue.@Nullable Resume resume;

  /// Stanzas that the database has not committed, of a session that is over.
  int writes;

  OwnedSession(SessionState state, HomeContext context) {
    this.state = state;
    this.context = context;
    this.released = state.acked;
  }

  // ---- the mirror

  /// Takes over a placement: finds the mirror, and sends it all unless it is known to have it.
  void install(Placement placement) {
    dues.clear();
    waiting.clear();
    resume = null;
    oldMirrors.removeIf(each -> !placement.isMember(each));
    if (mirror != null && !context.rules().copiesToNewMirror()) {
      return;
    }
    Attachment attachment = state.attachment;
    if (attachment != null && !placement.isMember(attachment.edge())) {
      state.attachment = null;
      state.version++;
    }
    mirrorAt(placement, false);
  }

  /// Continues the session on a connection, or on none.
  void attach(@Nullable Attachment attachment, Placement placement) {
    state.attachment = attachment;
    state.version++;
    released = state.acked;
    mirrorAt(placement, true);
  }

  private void mirrorAt(Placement placement, boolean changed) {
    Member before = mirror;
    mirror = mirror(placement);
    if (before != null && !before.equals(mirror) && placement.isMember(before)) {
      oldMirrors.add(before);
    }
    if (mirror == null) {
      confirmed = state.version;
    } else {
      oldMirrors.remove(mirror);
      if (!changed && mirror.equals(before) && confirmed == state.version) {
        return;
      }
      confirmed = 0;
      context.output().send(mirror, new NodeValue.State(state.copy()));
    }
    points.clear();
    points.add(new Point(state.version, state.handled, state.last()));
    flush();
  }

  private @Nullable Member mirror(Placement placement) {
    Attachment attachment = state.attachment;
    if (attachment != null && !attachment.edge().equals(context.self())) {
      return attachment.edge();
    }
    boolean mirrored = attachment != null || context.rules().mirrorsDetached();
    return mirrored ? placement.standby(placement.segmentOf(state.owner)) : null;
  }

  boolean isMirroredAt(Member member) {
    return member.equals(mirror) || oldMirrors.contains(member);
  }

  boolean isConfirmed() {
    return mirror == null || confirmed >= state.version;
  }

  void confirm(Member from, long version) {
    if (from.equals(mirror) && version > confirmed) {
      confirmed = version;
      flush();
    }
  }

  /// Makes a version of what has been changed.
  void changed(List<Delivery> added) {
    state.version++;
    points.add(new Point(state.version, state.handled, state.last()));
    if (mirror == null) {
      confirmed = state.version;
    } else {
      context
          .output()
          .send(
              mirror,
              new NodeValue.Update(
                  state.id,
                  state.version,
                  state.handled,
                  state.acked,
                  added,
                  state.fetched,
                  state.ending));
    }
    flush();
  }

  private void flush() {
    Point visible = null;
    while (!points.isEmpty() && context.rules().isVisible(points.element().version(), confirmed)) {
      visible = points.remove();
    }
    if (visible != null) {
      release(visible);
    }
    while (!dues.isEmpty()
        && !isFull()
        && context.rules().isMirrored(dues.element().version(), confirmed)) {
      dues.remove().due().sessionDone();
    }
    if (isConfirmed()) {
      oldMirrors.forEach(each -> context.output().send(each, new NodeValue.Drop(state.id)));
      oldMirrors.clear();
    }
  }

  // ---- the queue

  boolean isFull() {
    return state.queue().size() > MAX_QUEUE;
  }

  /// Puts a stanza into the queue, unless it is or was there. The due is done when the mirror has
  /// it.
  void append(RoutedStanza stanza, boolean inStore, SafeDue due) {
    if (state.isRoom() && outstanding.isEmpty()) {
      acknowledge(released);
    }
    Origin origin = stanza.origin();
    boolean duplicate = context.rules().isDuplicate(origin.number(), state.seen(origin.source()));
    dues.add(new DueAt(duplicate ? state.version : state.version + 1, due));
    if (duplicate) {
      flush();
    } else {
      changed(List.of(state.append(stanza, inStore)));
    }
  }

  /// The client, or all occupants, have the stanzas up to a number.
  ///
  /// @return what has left the queue
  List<Delivery> acknowledge(long h) {
    List<Delivery> removed = state.trim(h);
    released = Math.max(released, state.acked);
    return removed;
  }

  private void release(Point point) {
    Attachment attachment = state.attachment;
    boolean room = state.isRoom();
    if (!room && (attachment == null || !attachment.edge().equals(context.self()))) {
      return;
    }
    List<Delivery> deliveries = new ArrayList<>();
    for (Delivery delivery : state.queue()) {
      if (delivery.number() > released && delivery.number() <= point.last()) {
        deliveries.add(delivery);
      }
    }
    released = Math.max(released, point.last());
    if (attachment != null) {
      context
          .output()
          .toClient(
              new ClientUpdate(state.owner, state.id, attachment, point.handled(), deliveries));
    } else if (room) {
      deliveries.forEach(this::reflect);
    }
  }

  // ---- a room

  private void reflect(Delivery delivery) {
    List<String> occupants = context.directory().occupants(state.id);
    if (!occupants.isEmpty()) {
      outstanding.put(delivery.number(), occupants.size());
    }
    RoutedStanza stanza =
        new RoutedStanza(new Origin(state.id, delivery.number()), false, delivery.stanza().bytes());
    for (String occupant : occupants) {
      context.output().reflect(occupant, stanza);
    }
  }

  /// The home of an occupant has a stanza of the room.
  void reached(long number) {
    outstanding.computeIfPresent(number, (_, count) -> count == 1 ? null : count - 1);
    long all = outstanding.isEmpty() ? released : outstanding.firstKey() - 1;
    if (all > state.acked) {
      acknowledge(all);
      changed(List.of());
    }
  }

  /// The session is forgotten: the database has what must be kept of it.
  void forget() {
    for (DueAt each : new ArrayList<>(dues)) {
      each.due().sessionDone();
    }
    dues.clear();
    if (mirror != null) {
      oldMirrors.add(mirror);
    }
    oldMirrors.forEach(each -> context.output().send(each, new NodeValue.Drop(state.id)));
  }
}
