package im.zonda.edge.core;

import im.zonda.edge.EdgeCodec;
import im.zonda.edge.EdgeWire;
import im.zonda.edge.ToCore;
import im.zonda.edge.ToEdge;
import im.zonda.jfr.StanzaSlow;
import im.zonda.jid.Jid;
import im.zonda.link.LinkCodec;
import im.zonda.link.LinkFormatException;
import im.zonda.link.LinkInput;
import im.zonda.link.SessionGate;
import im.zonda.link.ToStream;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.client.StreamContext;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The core's end of a connection with an edge. Confined to the connection's thread, where a method
/// does not say otherwise.
public final class EdgeConnection implements EdgeWire.Handler, EdgeOutput {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeConnection.class);

  /// A stanza of this size, in bytes, may always wait for the edge.
  private static final int FREE_BYTES = 16_384;

  /// How often an edge gets another proof of each session's state.
  static final int RENEWAL_SECONDS = 300;

  /// What the connections of a core share.
  ///
  /// @param context what client streams share
  /// @param gate opens links of streams to sessions, on whatever node they are
  /// @param form how values are written
  /// @param proofs what an edge gives back to this core or another one
  /// @param maxStreams the most streams of one edge
  /// @param times how long messages take here and there
  record Parts(
      StreamContext context,
      SessionGate gate,
      EdgeCodec form,
      Proofs proofs,
      int maxStreams,
      EdgeTimes times) {}

  private final Parts parts;
  private final EdgeWire wire;
  private final String name;
  private final Map<Long, RemoteStream> negotiating = new HashMap<>();
  private final Map<Long, RemoteSession> sessions = new HashMap<>();
  private final Map<Long, RebuildRequest> rebuilding = new HashMap<>();

  /// Streams whose sessions were rejected with `SessionNotFound`, until [ToCore.Gone].
  private final Set<Long> rejected = new HashSet<>();

  private int ticks;
  private boolean over;

  /// How many streams there are; any thread may read it.
  private volatile int size;

  EdgeConnection(Parts parts, EdgeWire wire, String name) {
    this.parts = parts;
    this.wire = wire;
    this.name = name;
    LOG.atInfo().addKeyValue("edge", name).log("edge_connected");
  }

  // ---- from the edge

  @Override
  public void received(byte[] frame) {
    if (over) {
      return;
    }
    if (LinkInput.kind(frame) > EdgeCodec.LAST_FOR_CORE) {
      LOG.atDebug().addKeyValue("edge", name).log("edge_value_of_later_version");
      return;
    }
    try {
      String wrong = handle(parts.form().readToCore(frame), frame.length);
      size = negotiating.size() + sessions.size();
      if (wrong != null) {
        violation(wrong);
      }
    } catch (LinkFormatException | RuntimeException | StackOverflowError e) {
      failed(frame, e);
    }
  }

  /// A value that cannot be read, or a defect, ends its stream; other streams of the edge stay.
  private void failed(byte[] frame, Throwable cause) {
    long number;
    try {
      number = EdgeCodec.streamOf(frame);
    } catch (LinkFormatException e) {
      violation(String.valueOf(cause.getMessage()));
      return;
    }
    LOG.atError()
        .addKeyValue("edge", name)
        .addKeyValue("stream", number)
        .addKeyValue("bytes", frame.length)
        .setCause(cause)
        .log("edge_stream_failed");
    RemoteStream stream = negotiating.get(number);
    RemoteSession session = sessions.get(number);
    if (stream != null) {
      stream.stream().fail(StreamErrorCondition.INTERNAL_SERVER_ERROR, null);
    } else if (session != null) {
      session.fail(StreamErrorCondition.INTERNAL_SERVER_ERROR, null);
    } else {
      // A stream that is not known yet, or whose session is being recovered.
      rebuilding.remove(number);
      send(number, LinkCodec.FAILURE);
    }
  }

  /// Returns what is wrong with the value, or null.
  ///
  /// @param bytes the size of its frame
  private @Nullable String handle(ToCore value, int bytes) {
    return switch (value) {
      case ToCore.Alive() -> null;
      case ToCore.Header header -> header(header);
      case ToCore.FirstLevel(var number, var element) -> {
        RemoteStream stream = negotiating.get(number);
        if (stream == null) {
          // The stream may have ended here while the element was on its way.
          yield sessions.containsKey(number) ? "an element of a stream that has moved" : null;
        }
        if (stream.isBusy()) {
          yield "an element before the answer to the one before";
        }
        stream.element(element);
        yield null;
      }
      case ToCore.Value(var number, var inner) -> {
        RemoteSession session = sessions.get(number);
        if (session == null) {
          // The edge may have sent it before it received the rejection.
          yield rejected.contains(number) ? null : "a value of a stream without a session";
        }
        yield session.receive(inner, bytes);
      }
      case ToCore.Reattach reattach -> reattach(reattach);
      case ToCore.Recover rebuild -> rebuild(rebuild);
      case ToCore.Unacknowledged(var number, var sent) -> {
        RebuildRequest request = rebuilding.get(number);
        if (request == null) {
          yield null; // the session is not recovered
        }
        String wrong = request.add(sent, bytes);
        if (wrong != null) {
          yield rejectLarge(number, wrong);
        }
        rebuildIfComplete(number, request);
        yield null;
      }
      case ToCore.Gone(var number) -> {
        gone(number);
        yield null;
      }
      case ToCore.Measured(var counts) -> {
        parts.times().atEdges().add(counts);
        yield null;
      }
    };
  }

  private @Nullable String header(ToCore.Header header) {
    long number = header.stream();
    if (sessions.containsKey(number)) {
      return "a header of a stream that has moved";
    }
    RemoteStream stream = negotiating.get(number);
    if (stream == null) {
      if (isFull()) {
        send(new ToEdge.Finish(number));
        return null;
      }
      stream = new RemoteStream(this, number, parts.context(), header.facts());
      negotiating.put(number, stream);
    } else if (stream.isBusy()) {
      return "a header before the answer to what was sent before";
    }
    stream.header(header);
    return null;
  }

  private boolean isFull() {
    return negotiating.size() + sessions.size() + rebuilding.size() >= parts.maxStreams();
  }

  private @Nullable String reattach(ToCore.Reattach value) {
    long number = value.stream();
    if (isInUse(number)) {
      return "a number that is in use";
    }
    if (!parts.proofs().isTicket(value.ticket(), name, value.jid())) {
      return "a ticket that is not valid";
    }
    if (isFull()) {
      return reject(number);
    }
    RemoteSession session = new RemoteSession(this, number, this::execute);
    sessions.put(number, session);
    session.reattach(parts.gate(), value);
    return null;
  }

  private boolean isInUse(long number) {
    return negotiating.containsKey(number)
        || sessions.containsKey(number)
        || rebuilding.containsKey(number);
  }

  /// Rejects the session of a stream. Further values of the stream are discarded until
  /// [ToCore.Gone].
  ///
  /// @return what is wrong, or null
  private @Nullable String reject(long number) {
    if (rejected.size() >= parts.maxStreams()) {
      return "more rejected streams than streams are allowed";
    }
    rejected.add(number);
    send(new ToEdge.Value(number, new ToStream.SessionNotFound(null)));
    return null;
  }

  private @Nullable String rebuild(ToCore.Recover value) {
    long number = value.stream();
    if (isInUse(number)) {
      return "a number that is in use";
    }
    if (!parts.proofs().isState(value.proof(), name, value.jid(), value.state())) {
      // The proof may be too old, or the session has ended.
      LOG.atInfo().addKeyValue("edge", name).addKeyValue("jid", value.jid()).log("proof_refused");
      return reject(number);
    }
    if (isFull()) {
      return reject(number);
    }
    RebuildRequest request = new RebuildRequest(value, parts.context().limits());
    rebuilding.put(number, request);
    rebuildIfComplete(number, request);
    return null;
  }

  /// The session may have been within the limits of the core that was killed.
  private @Nullable String rejectLarge(long number, String wrong) {
    LOG.atWarn().addKeyValue("edge", name).addKeyValue("reason", wrong).log("rebuild_refused");
    rebuilding.remove(number);
    return reject(number);
  }

  private void rebuildIfComplete(long number, RebuildRequest request) {
    if (request.isComplete()) {
      rebuilding.remove(number);
      RemoteSession session = new RemoteSession(this, number, this::execute);
      sessions.put(number, session);
      session.rebuild(parts.gate(), request.session());
    }
  }

  private void gone(long number) {
    rebuilding.remove(number);
    rejected.remove(number);
    RemoteStream stream = negotiating.remove(number);
    if (stream != null) {
      stream.gone();
    }
    RemoteSession session = sessions.remove(number);
    if (session != null) {
      session.lost();
    }
  }

  @Override
  public void tick() {
    send(new ToEdge.Alive());
    for (RemoteStream stream : List.copyOf(negotiating.values())) {
      stream.stream().tick();
    }
    ticks++;
    sessions.forEach((number, session) ->
        session.checkProof(Math.floorMod(number, RENEWAL_SECONDS) == ticks % RENEWAL_SECONDS));
    size = negotiating.size() + sessions.size();
    if (wire.isFull()) {
      LOG.atDebug().addKeyValue("edge", name).log("edge_reads_slowly");
    }
  }

  @Override
  public void written(long nanos) {
    parts.times().toEdges().record(nanos);
    StanzaSlow.record("inside", nanos);
  }

  @Override
  public void drained() {}

  @Override
  public void ended() {
    if (!over) {
      LOG.atWarn()
          .addKeyValue("edge", name)
          .addKeyValue("sessions", sessions.size())
          .log("edge_lost");
      end();
    }
  }

  private void end() {
    over = true;
    for (RemoteStream stream : List.copyOf(negotiating.values())) {
      stream.gone();
    }
    negotiating.clear();
    rebuilding.clear();
    rejected.clear();
    for (RemoteSession session : List.copyOf(sessions.values())) {
      session.lost();
    }
    sessions.clear();
    size = 0;
  }

  /// How many streams there are, about. Any thread may call.
  int size() {
    return size;
  }

  /// The core stops: ends the streams that negotiate and detaches the sessions. Any thread may
  /// call.
  ///
  /// @param then runs when that is done
  void stop(Runnable then) {
    wire.execute(() -> {
      if (!over) {
        for (RemoteStream stream : List.copyOf(negotiating.values())) {
          stream.stream().shutdown();
        }
        end();
        send(new ToEdge.Stopping());
        wire.finish();
      }
      then.run();
    });
  }

  // ---- for streams and sessions

  @Override
  public void send(ToEdge value) {
    send(value, 0);
  }

  private void send(ToEdge value, long since) {
    byte[] frame = EdgeCodec.write(value);
    if (parts.form().isTooLong(frame)) {
      LOG.atError()
          .addKeyValue("edge", name)
          .addKeyValue("bytes", frame.length)
          .log("edge_value_too_large");
      frame = EdgeCodec.instead(value, frame);
    }
    wire.send(frame, since);
  }

  @Override
  public void send(long number, ToStream value) {
    send(
        new ToEdge.Value(number, value),
        value instanceof ToStream.Deliver deliver ? deliver.since() : 0);
  }

  @Override
  public boolean isTooMuch(int bytes) {
    return bytes > FREE_BYTES && wire.isFull();
  }

  @Override
  public @Nullable String sendState(long number, Jid jid, @Nullable String state, byte[] digest) {
    String process = processOf(jid);
    if (process != null) {
      send(new ToEdge.State(number, state, parts.proofs().state(name, jid, process, digest)));
    }
    return process;
  }

  @Override
  public @Nullable String processOf(Jid jid) {
    return parts.proofs().processOf(jid);
  }

  /// Runs a task later on the connection's thread. Any thread may call.
  void execute(Runnable task) {
    wire.execute(task);
  }

  long now() {
    return wire.now();
  }

  /// The stream has a session and continues at the edge.
  void moved(long number, RemoteSession session, Jid domain) {
    negotiating.remove(number);
    sessions.put(number, session);
    RemoteSession.Moved moved = session.moved();
    String ticket = parts.proofs().ticket(name, moved.jid());
    send(new ToEdge.TakeOver(number, domain, ticket, moved.id(), moved.answer()));
  }

  /// The stream has ended here.
  void forget(long number, RemoteStream stream) {
    negotiating.remove(number, stream);
  }

  @Override
  public void violation(String what) {
    LOG.atError().addKeyValue("edge", name).addKeyValue("reason", what).log("edge_rejected");
    wire.close(what);
  }
}
