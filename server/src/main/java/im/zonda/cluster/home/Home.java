package im.zonda.cluster.home;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.SessionCopy;
import im.zonda.cluster.placement.Placement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A segment at one node. Confined to the mailbox of the segment.
///
/// A member that becomes the home asks all members for their copies of the segment and waits until
/// each one has answered, or has left the cluster. A member answers in the placement that has made
/// the new home, so it is not the home itself any more: that is why there is only one. The copy
/// with the highest version of each session is taken. A planned move and a crash are the same but
/// for who has that copy: the home before, or only the mirror.
public final class Home {
  private record Arrived(Member from, NodeValue.ToHome value) {}

  private final int segment;
  private final HomeContext context;
  private HomeState state = HomeState.FOREIGN;
  private @Nullable OwnedSessions sessions;
  private @Nullable Placement placement;

  // While GATED.
  private final Set<Member> missing = new HashSet<>();
  private final Map<String, SessionCopy> best = new LinkedHashMap<>();
  private final List<Arrived> arrived = new ArrayList<>();

  /// The segment before any placement is installed.
  public Home(int segment, HomeContext context) {
    this.segment = segment;
    this.context = context;
  }

  /// What this node is for the segment.
  public HomeState state() {
    return state;
  }

  /// Takes over a placement.
  public void install(Placement next) {
    placement = next;
    missing.clear();
    best.clear();
    arrived.clear();
    boolean mine = next.home(segment).equals(context.self());
    if (sessions != null) {
      if (mine || !context.rules().seals()) {
        sessions.install(next);
      } else {
        seal(sessions, next.home(segment));
      }
    } else if (mine) {
      gate(next);
    } else if (state == HomeState.GATED) {
      state = HomeState.FOREIGN;
    }
  }

  private void seal(OwnedSessions owned, Member next) {
    owned.copies().forEach(copy -> context.replicas().seal(next, segment, copy));
    sessions = null;
    state = HomeState.SEALED;
  }

  private void gate(Placement next) {
    state = HomeState.GATED;
    missing.addAll(next.members());
    for (Member member : next.members()) {
      context.output().send(member, new NodeValue.Collect(segment));
    }
  }

  /// A copy of another member.
  public void held(SessionCopy copy) {
    if (state == HomeState.GATED) {
      best.merge(copy.id(), copy, (a, b) -> a.version() >= b.version() ? a : b);
    }
  }

  /// A member has sent all its copies.
  public void heldEnd(Member from) {
    Placement current = placement;
    if (state != HomeState.GATED || current == null) {
      return;
    }
    missing.remove(from);
    if (context.rules().opens(missing.size(), current.members().size())) {
      open(current);
    }
  }

  private void open(Placement current) {
    state = HomeState.OWN;
    context.replicas().keepOnly(segment, Set.of());
    List<SessionCopy> copies = List.copyOf(best.values());
    best.clear();
    missing.clear();
    OwnedSessions owned = new OwnedSessions(segment, context, current, copies);
    sessions = owned;
    for (Arrived each : arrived) {
      owned.receive(each.from(), each.value());
    }
    arrived.clear();
  }

  /// Another member is the home and has new mirrors for all sessions.
  public void keep(Set<String> kept) {
    if (state != HomeState.OWN && state != HomeState.GATED) {
      context.replicas().keepOnly(segment, kept);
      state = HomeState.FOREIGN;
    }
  }

  /// Handles a value for the home. It waits while the segment is gated; sources bound how many may
  /// wait.
  public void receive(Member from, NodeValue.ToHome value) {
    if (sessions != null) {
      sessions.receive(from, value);
    } else if (state == HomeState.GATED) {
      arrived.add(new Arrived(from, value));
    }
  }

  /// Handles an answer of the database.
  public void answer(StoreAnswer answer) {
    if (sessions != null) {
      sessions.answer(answer);
    }
  }

  /// The home of an occupant has a stanza of a room.
  public void reached(String room, long number) {
    if (sessions != null) {
      sessions.reached(room, number);
    }
  }

  /// Ends a session that has waited long enough for its client.
  public void expire(String session) {
    if (sessions != null) {
      sessions.expire(session);
    }
  }

  /// The sessions at this home; empty if it is not here.
  public List<SessionCopy> sessions() {
    return sessions == null ? List.of() : sessions.copies();
  }

  /// The sessions of this home of which none of these members has a copy.
  public List<SessionCopy> copiesWithout(Set<Member> survivors) {
    return sessions == null ? List.of() : sessions.copiesWithout(survivors);
  }

  /// Whether all mirrors have everything.
  public boolean isSettled() {
    return sessions == null ? state != HomeState.GATED : sessions.isSettled();
  }

  /// The longest queue.
  public int longest() {
    return sessions == null ? arrived.size() : sessions.longest();
  }
}
