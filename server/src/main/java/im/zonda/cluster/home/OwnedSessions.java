package im.zonda.cluster.home;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.SessionCopy;
import im.zonda.cluster.placement.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The sessions and room logs of a segment at its home, which alone decides on them.
final class OwnedSessions {
  /// What an answer of the database is for.
  private sealed interface Pending {
    record ForRoute(SafeDue due) implements Pending {}

    record ForFetch(OwnedSession session) implements Pending {}

    record ForEnding(OwnedSession session) implements Pending {}
  }

  private final int segment;
  private final HomeContext context;
  private final Map<String, OwnedSession> sessions = new LinkedHashMap<>();
  private final Map<String, List<OwnedSession>> byOwner = new HashMap<>();
  private final Map<Long, Pending> pending = new HashMap<>();

  /// Sessions whose mirrors have not confirmed since the placement was installed; null when all
  /// have and everybody knows.
  private @Nullable Set<String> unsettled = new HashSet<>();

  private Placement placement;

  /// @param copies the best copies of the sessions
  OwnedSessions(int segment, HomeContext context, Placement placement, List<SessionCopy> copies) {
    this.segment = segment;
    this.context = context;
    this.placement = placement;
    for (SessionCopy copy : copies) {
      add(new SessionState(copy));
    }
    install(placement);
    for (OwnedSession session : new ArrayList<>(sessions.values())) {
      if (session.state.ending) {
        storeRest(session);
      } else if (!session.state.fetched) {
        fetch(session);
      }
    }
  }

  private OwnedSession add(SessionState state) {
    OwnedSession session = new OwnedSession(state, context);
    sessions.put(state.id, session);
    byOwner.computeIfAbsent(state.owner, _ -> new ArrayList<>(1)).add(session);
    return session;
  }

  private void remove(OwnedSession session) {
    sessions.remove(session.state.id);
    byOwner.computeIfPresent(
        session.state.owner,
        (_, list) -> {
          list.remove(session);
          return list.isEmpty() ? null : list;
        });
  }

  void install(Placement next) {
    placement = next;
    pending.values().removeIf(Pending.ForRoute.class::isInstance);
    unsettled = new HashSet<>(sessions.keySet());
    for (OwnedSession session : sessions.values()) {
      session.install(next);
    }
    settle();
  }

  /// When all mirrors have everything, copies elsewhere are not needed any more.
  private void settle() {
    Set<String> waiting = unsettled;
    if (waiting == null) {
      return;
    }
    waiting.removeIf(id -> !sessions.containsKey(id) || sessions.get(id).isConfirmed());
    if (!waiting.isEmpty()) {
      return;
    }
    unsettled = null;
    for (Member member : placement.members()) {
      Set<String> kept = new HashSet<>();
      for (OwnedSession session : sessions.values()) {
        if (session.isMirroredAt(member)) {
          kept.add(session.state.id);
        }
      }
      context.output().send(member, new NodeValue.Keep(segment, kept));
    }
  }

  List<SessionCopy> copies() {
    return sessions.values().stream().map(session -> session.state.copy()).toList();
  }

  List<SessionCopy> copiesWithout(Set<Member> survivors) {
    return sessions.values().stream()
        .filter(session -> survivors.stream().noneMatch(session::isMirroredAt))
        .map(session -> session.state.copy())
        .toList();
  }

  boolean isSettled() {
    return unsettled == null && sessions.values().stream().allMatch(OwnedSession::isConfirmed);
  }

  void receive(Member from, NodeValue.ToHome value) {
    switch (value) {
      case NodeValue.Route route -> route(from, route);
      case NodeValue.Bind bind -> bind(bind);
      case NodeValue.Resume resume -> resume(resume);
      case NodeValue.Progress progress -> progress(progress);
      case NodeValue.Detached detached -> detached(detached);
      case NodeValue.End end -> end(end);
      case NodeValue.Confirm confirm -> {
        OwnedSession session = sessions.get(confirm.session());
        if (session != null) {
          session.confirm(from, confirm.version());
          settle();
        }
      }
    }
  }

  // ---- stanzas

  private void route(Member from, NodeValue.Route route) {
    RoutedStanza stanza = route.stanza();
    SafeDue due = new SafeDue(from, route.entry(), context);
    if (context.directory().isRoom(route.owner())) {
      OwnedSession room = room(route.owner());
      due.awaitSession();
      room.append(stanza, false, due);
      due.routed();
      return;
    }
    boolean logged = stanza.stored() && context.directory().isLogged(route.owner());
    boolean given = false;
    for (OwnedSession session : liveSessions(route.owner())) {
      if (session.isFull() && session.state.attachment == null) {
        end(session);
        continue;
      }
      given = true;
      due.awaitSession();
      if (session.state.fetched) {
        session.append(stanza, logged, due);
      } else {
        session.waiting.add(new OwnedSession.Waiting(stanza, logged, due));
      }
    }
    if (logged || (stanza.stored() && !given)) {
      append(route.owner(), stanza, due);
    }
    due.routed();
  }

  private OwnedSession room(String room) {
    OwnedSession log = sessions.get(room);
    if (log == null) {
      log = add(SessionState.beginRoom(room));
      log.install(placement);
    }
    return log;
  }

  private List<OwnedSession> liveSessions(String owner) {
    List<OwnedSession> live = new ArrayList<>(2);
    for (OwnedSession session : byOwner.getOrDefault(owner, List.of())) {
      if (!session.state.ending) {
        live.add(session);
      }
    }
    return live;
  }

  private void append(String owner, RoutedStanza stanza, SafeDue due) {
    due.awaitCommit();
    long token = context.output().nextToken();
    pending.put(token, new Pending.ForRoute(due));
    context
        .output()
        .toStore(new StoreRequest.Append(token, segment, placement.stamp(), owner, stanza));
  }

  /// The home of an occupant has a stanza of a room.
  void reached(String room, long number) {
    OwnedSession log = sessions.get(room);
    if (log != null) {
      log.reached(number);
    }
  }

  // ---- sessions

  private void bind(NodeValue.Bind bind) {
    if (sessions.containsKey(bind.session())) {
      return;
    }
    for (OwnedSession other : liveSessions(bind.owner())) {
      if (bind.resource().equals(other.state.resource)) {
        end(other);
      }
    }
    OwnedSession session = add(SessionState.begin(bind));
    session.install(placement);
    fetch(session);
  }

  private void fetch(OwnedSession session) {
    long token = context.output().nextToken();
    pending.put(token, new Pending.ForFetch(session));
    context
        .output()
        .toStore(new StoreRequest.Fetch(token, segment, placement.stamp(), session.state.owner));
  }

  private void resume(NodeValue.Resume resume) {
    OwnedSession session = sessions.get(resume.session());
    if (session == null || session.state.ending) {
      refuse(resume, NodeValue.Reason.NOT_FOUND);
    } else if (resume.h() > session.state.last()) {
      refuse(resume, NodeValue.Reason.COUNT_TOO_HIGH);
    } else if (!resume.attachment().equals(session.state.attachment)) {
      if (session.resume != null && !session.resume.equals(resume)) {
        refuse(session.resume, NodeValue.Reason.SUPERSEDED);
      }
      session.resume = resume;
      var attachment = session.state.attachment;
      if (attachment != null) {
        context
            .output()
            .send(
                attachment.edge(),
                new NodeValue.Detach(resume.owner(), resume.session(), attachment));
      }
      if (attachment == null || !context.rules().waitsForOldEdge()) {
        continueSession(session);
      }
    }
  }

  private void refuse(NodeValue.Resume resume, NodeValue.Reason reason) {
    NodeValue.Refused refused =
        new NodeValue.Refused(resume.session(), resume.attachment(), reason);
    Member edge = resume.attachment().edge();
    Member standby = placement.standby(segment);
    if (edge.equals(context.self()) && standby != null && context.rules().refusesWithWitness()) {
      context.output().send(standby, new NodeValue.Witness(refused));
    } else {
      context.output().send(edge, refused);
    }
  }

  /// Continues on the connection that waits for it, or on none.
  private void continueSession(OwnedSession session) {
    NodeValue.Resume resume = session.resume;
    session.resume = null;
    if (resume == null) {
      session.attach(null, placement);
    } else {
      delete(session, session.acknowledge(resume.h()));
      session.attach(resume.attachment(), placement);
    }
  }

  private void delete(OwnedSession session, List<Delivery> deliveries) {
    for (Delivery delivery : deliveries) {
      if (delivery.inStore()) {
        context
            .output()
            .toStore(
                new StoreRequest.Delete(
                    segment, placement.stamp(), session.state.owner, delivery.stanza().origin()));
      }
    }
  }

  private void progress(NodeValue.Progress progress) {
    OwnedSession session = sessions.get(progress.session());
    if (session == null || !progress.attachment().equals(session.state.attachment)) {
      return;
    }
    List<Delivery> removed = session.acknowledge(progress.acked());
    if (!removed.isEmpty() || progress.handled() > session.state.handled) {
      session.state.handled = Math.max(session.state.handled, progress.handled());
      session.changed(List.of());
      delete(session, removed);
    }
  }

  private void detached(NodeValue.Detached detached) {
    OwnedSession session = sessions.get(detached.session());
    if (session != null) {
      if (detached.attachment().equals(session.state.attachment)) {
        continueSession(session);
      } else if (session.resume != null
          && detached.attachment().equals(session.resume.attachment())) {
        session.resume = null;
      }
    }
    context
        .output()
        .send(
            detached.attachment().edge(),
            new NodeValue.Closed(detached.session(), detached.attachment()));
  }

  private void end(NodeValue.End end) {
    OwnedSession session = sessions.get(end.session());
    if (session != null && end.attachment().equals(session.state.attachment)) {
      end(session);
    } else {
      context
          .output()
          .send(end.attachment().edge(), new NodeValue.Closed(end.session(), end.attachment()));
    }
  }

  /// Ends a session that has waited long enough for its client.
  void expire(String id) {
    OwnedSession session = sessions.get(id);
    if (session != null && session.state.attachment == null && !session.state.isRoom()) {
      end(session);
    }
  }

  /// Ends a session. What its client has not acknowledged is stored before the session is
  /// forgotten.
  private void end(OwnedSession session) {
    if (session.state.ending) {
      return;
    }
    session.state.ending = true;
    var attachment = session.state.attachment;
    if (attachment != null) {
      context.output().send(attachment.edge(), new NodeValue.Closed(session.state.id, attachment));
    }
    if (session.resume != null) {
      refuse(session.resume, NodeValue.Reason.NOT_FOUND);
      session.resume = null;
    }
    session.attach(null, placement);
    for (OwnedSession.Waiting waiting : session.waiting) {
      if (waiting.stanza().stored() && !waiting.inStore()) {
        append(session.state.owner, waiting.stanza(), waiting.due());
      }
      waiting.due().sessionDone();
    }
    session.waiting.clear();
    storeRest(session);
  }

  private void storeRest(OwnedSession session) {
    for (Delivery delivery : session.state.queue()) {
      if (delivery.stanza().stored() && !delivery.inStore()) {
        session.writes++;
        long token = context.output().nextToken();
        pending.put(token, new Pending.ForEnding(session));
        context
            .output()
            .toStore(
                new StoreRequest.Append(
                    token, segment, placement.stamp(), session.state.owner, delivery.stanza()));
      }
    }
    forgetIfStored(session);
  }

  private void forgetIfStored(OwnedSession session) {
    if (session.writes == 0) {
      remove(session);
      session.forget();
      settle();
    }
  }

  // ---- the database

  void answer(StoreAnswer answer) {
    switch (pending.remove(answer.token())) {
      case Pending.ForRoute(var due) -> due.commitDone();
      case Pending.ForEnding(var session) -> {
        session.writes--;
        forgetIfStored(session);
      }
      case Pending.ForFetch(var session) -> {
        if (answer instanceof StoreAnswer.Fetched fetched && !session.state.ending) {
          fetched(session, fetched.stanzas());
        }
      }
      case null -> {}
    }
  }

  private void fetched(OwnedSession session, List<RoutedStanza> stanzas) {
    session.state.fetched = true;
    List<Delivery> deliveries = new ArrayList<>();
    for (RoutedStanza stanza : stanzas) {
      deliveries.add(session.state.append(stanza, true));
    }
    session.changed(deliveries);
    for (OwnedSession.Waiting waiting : List.copyOf(session.waiting)) {
      session.append(waiting.stanza(), waiting.inStore(), waiting.due());
    }
    session.waiting.clear();
  }

  /// The longest queue.
  int longest() {
    int longest = 0;
    for (OwnedSession session : sessions.values()) {
      longest = Math.max(longest, session.state.queue().size());
    }
    return longest;
  }
}
