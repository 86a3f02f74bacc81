package im.zonda.edge;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The link of a client's stream at the edge to its session at the core. It outlives the connection
/// to the core if the session can be resumed (XEP-0198): then the client is not read from until
/// there is another connection, on which the edge resumes the session.
///
/// The client's stanzas are kept until the core has handled them, and sent again after a
/// resumption; those that the core sends again and the client has been sent already are discarded.
/// What the client has not acknowledged is kept too, with the state that the core has sent: a core
/// that was killed makes the session again from it. Any thread may call.
final class EdgeSession implements SessionEnd {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeSession.class);

  private static final ToStream PAUSE = new ToStream.PauseReading();
  private static final ToStream GO_ON = new ToStream.ResumeReading();

  /// How long to wait before the session is asked for again, in ms.
  private static final long AGAIN_MILLIS = 1_000;

  private final Edge edge;
  private final long number;
  private final String ticket;
  private final Jid jid;
  private final UnhandledStanzas unhandled;
  private UnacknowledgedStanzas unacknowledged;

  /// What a core that was killed needs to make the session again; null before it has come.
  private @Nullable String state;

  private @Nullable String proof;

  // ---- all guarded by this

  private @Nullable StreamEnd stream;

  /// The connection to the core; null while there is none.
  private @Nullable EdgeWire wire;

  /// The id by which the session can be resumed; null if it cannot.
  private @Nullable String id;

  private boolean managed;

  /// The core has been asked to resume the session and has not answered.
  private boolean resuming;

  /// The core has been asked to make the session again.
  private boolean rebuilding;

  /// What waits for a resumption, beside the client's stanzas.
  private final List<ToSession> later = new ArrayList<>(0);

  /// The stanzas that the client has been sent, and has acknowledged.
  private long delivered;

  private long acknowledged;
  private boolean inactive;

  /// How often the session has asked to pause.
  private int pauses;

  /// Reasons of the edge's own to pause: no session at present, too much that is not handled, too
  /// much that waits for the core, too much that the session has not taken.
  private boolean detached;

  private boolean tooMuch;
  private boolean blocked;
  private boolean windowFull;
  private final EdgeWindow window = new EdgeWindow();

  private long since;
  private boolean over;

  EdgeSession(Edge edge, long number, ToEdge.TakeOver value, EdgeWire wire) {
    this.edge = edge;
    this.number = number;
    this.ticket = value.ticket();
    this.wire = wire;
    this.id = value.id();
    switch (value.answer()) {
      case ToStream.Bound(var full, var _, var enabled) -> {
        this.jid = full;
        this.managed = enabled != null;
        this.unhandled = new UnhandledStanzas(0, edge.kept());
      }
      case ToStream.Resumed(var full, var handled, var h) -> {
        this.jid = full;
        this.managed = true;
        this.unhandled = new UnhandledStanzas(handled, edge.kept());
        this.delivered = h;
        this.acknowledged = h;
      }
      default -> throw new IllegalStateException("no session: " + value);
    }
    this.unacknowledged = new UnacknowledgedStanzas(jid.bare(), acknowledged, edge.kept());
  }

  /// Gives the stream its link; to be called once, before all else.
  synchronized void begin(Function<EdgeSession, StreamEnd> takeOver) {
    stream = takeOver.apply(this);
  }

  // ---- from the stream

  @Override
  public synchronized void receive(ToSession value) {
    boolean kept = false;
    switch (value) {
      case ToSession.Received(var stanza, var count) ->
          kept = keep(value, count, stanza.writtenSize());
      case ToSession.Dealt(var count, var reply) ->
          kept = keep(value, count, reply == null ? 0 : reply.writtenSize());
      case ToSession.Acknowledged(var h) -> {
        acknowledged = h;
        unacknowledged.acknowledge(h);
      }
      case ToSession.Active(var active) -> inactive = !active;
      case ToSession.Lost _, ToSession.Ended _ -> {
        over = true;
        clear();
      }
      default -> {}
    }
    EdgeWire core = wire;
    if (core != null && (!resuming || over)) {
      send(value, core);
      if (core.isFull() && !blocked && !over) {
        blocked = true;
        toStream(PAUSE);
        edge.block(this);
      }
    } else if (!kept && isWanted(value)) {
      later.add(value);
    }
  }

  /// Whether the session must get the value after it has been resumed.
  private static boolean isWanted(ToSession value) {
    return value instanceof ToSession.Enable || value instanceof ToSession.Begun;
  }

  private boolean keep(ToSession value, long count, int bytes) {
    if (count == 0) {
      return false;
    }
    unhandled.add(value, count, bytes);
    if (unhandled.isTooMuch() && !tooMuch) {
      tooMuch = true;
      toStream(PAUSE);
    }
    return true;
  }

  private void send(ToSession value, EdgeWire core) {
    byte[] frame = EdgeForm.write(new ToCore.Value(number, value));
    core.send(frame);
    window.sent(frame.length);
    if (window.isFull() && !windowFull) {
      windowFull = true;
      toStream(PAUSE);
    }
  }

  private void updateWindow(long bytes) {
    window.update(bytes);
    if (window.isOpen()) {
      openWindow();
    }
  }

  private void openWindow() {
    if (windowFull) {
      windowFull = false;
      toStream(GO_ON);
    }
  }

  /// Less waits for the core.
  synchronized void unblock() {
    if (blocked) {
      blocked = false;
      toStream(GO_ON);
    }
  }

  @Override
  public synchronized void outputEnded() {
    over = true;
    edge.remove(number);
    EdgeWire core = wire;
    if (core != null) {
      core.send(EdgeForm.write(new ToCore.Gone(number)));
    }
  }

  // ---- from the session

  /// Handles a value that has come on that connection.
  synchronized void receive(ToEdge value, EdgeWire from) {
    if (!from.equals(wire) || over) {
      return;
    }
    switch (value) {
      case ToEdge.Value(var _, var inner) -> receive(inner);
      case ToEdge.WindowUpdate(var _, var bytes) -> updateWindow(bytes);
      case ToEdge.State(var _, var newState, var newProof) -> {
        state = newState == null ? state : newState;
        proof = newProof;
      }
      default -> throw new IllegalStateException("not for a session: " + value);
    }
  }

  private void receive(ToStream value) {
    if (resuming) {
      answered(value);
      return;
    }
    switch (value) {
      case ToStream.Deliver deliver -> {
        if (managed) {
          if (deliver.number() <= delivered) {
            return; // sent on the connection before
          }
          delivered = deliver.number();
          unacknowledged.add(deliver.stanza(), edge.now());
        }
      }
      case ToStream.Handled(var h) -> handled(h);
      case ToStream.Enabled enabled -> {
        managed = true;
        id = enabled.id();
        delivered = 0;
        unacknowledged = new UnacknowledgedStanzas(jid.bare(), 0, edge.kept());
      }
      case ToStream.PauseReading _ -> pauses++;
      case ToStream.ResumeReading _ -> pauses--;
      default -> {}
    }
    toStream(value);
  }

  private void handled(long h) {
    unhandled.remove(h);
    if (tooMuch && unhandled.isFew()) {
      tooMuch = false;
      toStream(GO_ON);
    }
  }

  private void toStream(ToStream value) {
    StreamEnd to = stream;
    if (to != null) {
      to.receive(value);
    }
  }

  // ---- another connection to the core

  /// That connection to the core is gone.
  synchronized void detach(EdgeWire old) {
    if (!old.equals(wire)) {
      return;
    }
    wire = null;
    resuming = false;
    if (over) {
      return;
    }
    if (id == null) {
      end("the server restarts");
      return;
    }
    unblock();
    window.clear();
    openWindow();
    for (; pauses > 0; pauses--) {
      toStream(GO_ON);
    }
    if (!detached) {
      detached = true;
      since = edge.now();
      toStream(PAUSE);
    }
  }

  /// There is a connection to the core: asks it to resume the session.
  synchronized void attach(EdgeWire core) {
    String previous = id;
    if (over || wire != null || previous == null) {
      return;
    }
    wire = core;
    resuming = true;
    rebuilding = false;
    core.send(EdgeForm.write(new ToCore.Reattach(number, jid, ticket, previous, acknowledged)));
  }

  private void answered(ToStream value) {
    switch (value) {
      case ToStream.Resumed(var _, var handled, var h) -> {
        if (!unhandled.isPossible(handled) || h < 0 || h > delivered) {
          LOG.atWarn().addKeyValue("jid", jid).log("edge_session_differs");
          end("the server has lost what was sent");
          return;
        }
        resumed(handled, h);
      }
      case ToStream.Unsettled() -> {
        // What the client has sent before is still being stored.
        EdgeWire core = wire;
        if (core != null) {
          core.send(EdgeForm.write(new ToCore.Gone(number)));
        }
        wire = null;
        resuming = false;
      }
      default -> rebuild();
    }
  }

  /// The core does not know the session: it has been killed since, or the session is over.
  private void rebuild() {
    EdgeWire core = wire;
    String previous = id;
    String last = state;
    String proved = proof;
    if (core == null
        || previous == null
        || last == null
        || proved == null
        || rebuilding
        || !unacknowledged.isComplete()) {
      end("the server has lost the session");
      return;
    }
    core.send(EdgeForm.write(new ToCore.Gone(number)));
    if (core.isFull()) {
      resuming = false;
      wire = null; // asks again in a second
      return;
    }
    rebuilding = true;
    List<LostSession.Sent> sent = unacknowledged.list(edge.now());
    core.send(
        EdgeForm.write(
            new ToCore.Rebuild(
                number,
                jid,
                last,
                proved,
                previous,
                new LostSession.Counts(unhandled.handled(), acknowledged),
                unacknowledged.lastId(),
                sent.size())));
    sent.forEach(each -> core.send(EdgeForm.write(new ToCore.Unacknowledged(number, each))));
  }

  private void clear() {
    unhandled.clear();
    unacknowledged.clear();
  }

  private void resumed(long handled, long h) {
    resuming = false;
    handled(handled);
    toStream(new ToStream.Handled(handled));
    unhandled.forEach(this::send);
    if (acknowledged > h) {
      send(new ToSession.Acknowledged(acknowledged));
    }
    if (inactive) {
      send(new ToSession.Active(false));
    }
    later.forEach(this::send);
    later.clear();
    detached = false;
    toStream(GO_ON);
  }

  private void send(ToSession value) {
    EdgeWire core = wire;
    if (core != null) {
      send(value, core);
    }
  }

  /// Ends the stream. The client learns by the last count how much has been handled (XEP-0198).
  private void end(String why) {
    over = true;
    resuming = false;
    clear();
    toStream(new ToStream.Close(StreamErrorCondition.SYSTEM_SHUTDOWN, why));
  }

  /// Looks at the time.
  synchronized void tick(long now) {
    if (over || !detached) {
      return;
    }
    if (now - since > edge.patience().toMillis()) {
      end("the server is away");
      return;
    }
    EdgeWire core = edge.wire();
    if (wire == null && core != null && now - since > AGAIN_MILLIS) {
      attach(core);
    }
  }
}
