package im.zonda.link.keeper;

import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A home of [KeeperSimulation], which knows one session, or none.
final class SimulatedHome {
  /// A copy of a session.
  ///
  /// @param given the number of the last stanza of which it is certain
  record Copy(
      long handled, long acknowledged, List<Stanza> unacknowledged, long next, long given) {}

  private final KeeperSimulation around;
  boolean known;
  boolean counts;
  KeeperSimulation.@Nullable Wire on;
  long received;
  long confirmed;
  long next = 1;
  long acknowledged;
  final Deque<Stanza> unacknowledged = new ArrayDeque<>();

  /// The number of the last stanza that a stream was given; used while there is no stream.
  long given;

  /// Whether the session was restored from a copy, and no stream has been given it since.
  boolean lagging;

  SimulatedHome(KeeperSimulation around) {
    this.around = around;
  }

  SimulatedHome(KeeperSimulation around, Copy from) {
    this.around = around;
    known = true;
    counts = true;
    received = from.handled();
    acknowledged = from.acknowledged();
    unacknowledged.addAll(from.unacknowledged());
    next = from.next();
    given = from.given();
    lagging = true;
  }

  Copy copied() {
    return new Copy(
        received, acknowledged, List.copyOf(unacknowledged), next, lagging ? given : sent());
  }

  private long sent() {
    return acknowledged + unacknowledged.size();
  }

  void detach() {
    given = version().sent();
    on = null;
  }

  private SessionVersion version() {
    return new SessionVersion(0, on == null ? given : sent(), received);
  }

  /// Whether the session can continue on a stream that has that version.
  private boolean covers(SessionVersion stream) {
    SessionVersion here = version();
    if (!here.covers(stream)) {
      around.outdated++;
    }
    return switch (around.comparison) {
      case VERSION -> here.covers(stream);
      case SENT -> new SessionVersion(0, sent(), here.handled()).covers(stream);
      case NOT_HANDLED -> new SessionVersion(0, here.sent(), Long.MAX_VALUE).covers(stream);
    };
  }

  void receive(ToSession value, KeeperSimulation.Wire from) {
    switch (value) {
      case ToSession.Bind _ -> {
        known = true;
        on = from;
        from.out.add(new ToStream.Bound(KeeperSimulation.JULIET, List.of(), null));
      }
      case ToSession.Enable _ -> {
        if (counts) {
          from.out.add(new ToStream.NotEnabled());
        } else {
          counts = true;
          from.out.add(new ToStream.Enabled("id", Duration.ofMinutes(5)));
          sendState(from);
          deliverLogged();
        }
      }
      case ToSession.Resume(var _, var _, var h, var _, var version) ->
          resume(h, Objects.requireNonNull(version), from);
      case ToSession.Recover(var lost) -> {
        SessionVersion version = new SessionVersion(0, lost.delivered(), lost.counts().handled());
        if (!known || !covers(version)) {
          rebuild(lost);
        }
        resume(lost.counts().acknowledged(), version, from);
      }
      case ToSession.Received(var stanza, var number) -> received(stanza, number, from);
      case ToSession.Acknowledged(var h) -> {
        if (from.equals(on)) {
          forget(h);
        }
      }
      default -> {}
    }
  }

  private void sendState(KeeperSimulation.Wire to) {
    to.out.add(new ToStream.State("state"));
  }

  private void received(Stanza stanza, long number, KeeperSimulation.Wire from) {
    if (!from.equals(on)) {
      return;
    }
    if (number != received + 1) {
      around.faults.add(number + " received after " + received);
    }
    received = number;
    around.handled.add(KeeperSimulation.number(stanza));
    if (around.calm || around.random.nextBoolean()) {
      confirmed = received;
      from.out.add(new ToStream.Handled(confirmed));
    }
    if (!around.calm && around.random.nextInt(5) == 0) {
      from.out.add(new ToStream.PauseReading());
      from.out.add(new ToStream.ResumeReading());
    }
  }

  private void forget(long h) {
    if (h > sent()) {
      around.faults.add(h + " acknowledged after " + acknowledged);
    }
    for (; acknowledged < h; acknowledged++) {
      unacknowledged.remove();
    }
  }

  private void resume(long h, SessionVersion version, KeeperSimulation.Wire from) {
    if (!known || !counts || h < acknowledged || !covers(version)) {
      from.out.add(new ToStream.SessionNotFound(null));
      return;
    }
    if (!around.calm && around.random.nextInt(4) == 0) {
      from.out.add(new ToStream.PauseReading());
      from.out.add(new ToStream.Unsettled());
      from.out.add(new ToStream.ResumeReading());
      return;
    }
    forget(h);
    lagging = false;
    on = from;
    from.out.add(new ToStream.Resumed(KeeperSimulation.JULIET, received, h));
    long number = h;
    for (Stanza each : unacknowledged) {
      from.out.add(new ToStream.Deliver(each, ++number, false));
    }
    sendState(from);
    deliverLogged();
  }

  private void rebuild(LostSession lost) {
    known = true;
    counts = true;
    received = lost.counts().handled();
    acknowledged = lost.counts().acknowledged();
    unacknowledged.clear();
    String last = lost.lastIds().get(lost.jid().bare());
    next = last == null ? 1 : Long.parseLong(last) + 1;
    for (LostSession.Sent each : lost.unacknowledged()) {
      unacknowledged.add(each.stanza());
      next = Math.max(next, KeeperSimulation.number(each.stanza()) + 1);
    }
    given = sent();
  }

  void deliverLogged() {
    while (counts && next <= around.logged) {
      deliverOne(next++);
    }
  }

  void deliverOne(long id) {
    KeeperSimulation.Wire to = on;
    if (counts) {
      Stanza stanza = KeeperSimulation.stanza(id);
      unacknowledged.add(stanza);
      if (to != null) {
        to.out.add(new ToStream.Deliver(stanza, sent(), false));
      }
    }
  }
}
