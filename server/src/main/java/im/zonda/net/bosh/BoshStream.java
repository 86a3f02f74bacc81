package im.zonda.net.bosh;

import im.zonda.link.ToStream;
import im.zonda.module.Xep;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.ReplacementStanza;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.InputLimits;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamInput;
import im.zonda.stream.StreamOpening;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.TlsStart;
import im.zonda.xml.Element;
import im.zonda.xml.framing.Frame;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The transport of a stream that a BOSH session carries. Confined to the tasks of its own
/// ([SerialTasks]), where the methods of [StreamTransport] do not say otherwise.
@Xep(number = 206, version = "1.4", title = "XMPP Over BOSH")
final class BoshStream implements StreamTransport, StreamInput, BoshSession.Upstream {
  private static final Logger LOG = LoggerFactory.getLogger(BoshStream.class);

  /// How often timeouts of the stream are checked, in ms.
  private static final long TICK_MILLIS = 1_000;

  private static final long ESTABLISHED_TICK_MILLIS = 5_000;

  private final BoshSessions sessions;
  private final ClientAddress client;
  private final BoshRequest first;
  private final BoshSession session;
  private final SerialTasks tasks;
  private final Stream stream;

  /// What is left of the request that is being handled.
  private final Deque<Frame> input = new ArrayDeque<>();

  /// The bytes of stanzas that others have sent and that are not written yet.
  private final WaitingBytes queued = new WaitingBytes();

  private volatile InputLimits limits;
  private volatile boolean refused;
  private volatile boolean closing;
  private volatile long due;
  private volatile long bytes;

  private long nextTick;
  private long remaining;
  private boolean terminating;
  private boolean awaitsHeader = true;
  private boolean suspended;
  private boolean reading = true;
  private boolean dropped;
  private @Nullable StreamOpening opening;
  private @Nullable BoshCondition condition;

  /// The client that has created a session.
  ///
  /// @param secure whether it came by TLS
  record ClientAddress(InetAddress address, boolean secure) {}

  BoshStream(
      BoshSessions sessions, String sid, BoshTerms terms, ClientAddress client, BoshRequest first) {
    this.sessions = sessions;
    this.client = client;
    this.first = first;
    this.limits = sessions.streams().profile().limits();
    this.remaining = limits.totalBytes();
    this.session = new BoshSession(terms, sid, first, this, sessions.now());
    this.tasks = new SerialTasks(sessions.workers(), this::turnEnd, this::broken);
    this.stream = new Stream(sessions.streams().profile(), this, this);
    this.due = sessions.now();
  }

  Stream stream() {
    return stream;
  }

  /// The limits for its requests now. Any thread may call.
  InputLimits limits() {
    return limits;
  }

  /// What it holds, in bytes, as of the end of its last turn. Any thread may call.
  long bytes() {
    return bytes + queued.get();
  }

  // ---- requests

  /// Takes a request. Any thread may call that may block.
  ///
  /// @param size its bytes
  void receive(BoshRequest request, int size, CompletableFuture<BoshResponse> reply) {
    tasks.executeHere(() -> {
      session.receive(request, reply, now());
      if (!stream.closed()) {
        stream.noteInput();
        count(size);
      }
    });
  }

  private void count(int size) {
    if (remaining == InputLimits.UNBOUNDED) {
      return;
    }
    remaining -= size;
    if (remaining < 0) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "too much before authentication");
    }
  }

  /// Checks timeouts if there are any due. Any thread may call.
  void sweep(long now) {
    if (now >= due) {
      due = Long.MAX_VALUE;
      tasks.execute(this::tick);
    }
  }

  private void tick() {
    long now = now();
    if (!stream.closed() && now >= nextTick) {
      nextTick = now + (stream.isEstablished() ? ESTABLISHED_TICK_MILLIS : TICK_MILLIS);
      stream.tick();
    }
    if (!session.tick(now)) {
      sessions.remove(this);
    }
  }

  private void turnEnd() {
    handleInput();
    session.proceed(now());
    if (session.hasOutput() && !stream.closed()) {
      stream.flushing();
    }
    session.answer(now());
    bytes = session.bytes() + input.stream().mapToLong(each -> each.bytes().length).sum();
    due = stream.closed() ? session.due() : Math.min(nextTick, session.due());
  }

  private void broken(Throwable cause) {
    LOG.atError()
        .addKeyValue("address", client.address().getHostAddress())
        .setCause(cause)
        .log("bosh_session_broken");
    session.cut(BoshCondition.INTERNAL_SERVER_ERROR);
    lost();
  }

  /// Ends the session because the server needs what it holds. Any thread may call.
  void overflow() {
    tasks.execute(() -> {
      if (!dropped && !stream.closed()) {
        LOG.atInfo()
            .addKeyValue("address", client.address().getHostAddress())
            .addKeyValue("waiting", bytes())
            .log("outbound_overflow");
        dropped = true;
        session.dropOutput();
        stream.overflowed();
      }
    });
  }

  /// Ends the session at once. Any thread may call.
  void cut() {
    tasks.execute(() -> {
      session.cut(BoshCondition.POLICY_VIOLATION);
      lost();
    });
  }

  /// Runs `task` with the stream on its thread. Any thread may call.
  void onStream(Runnable task) {
    tasks.execute(task);
  }

  // ---- the session

  @Override
  public void process(BoshRequest request) {
    if (request.rid() == first.rid()) {
      open(request);
    } else if (request.isRestart()) {
      if (awaitsHeader) {
        open(request);
      } else {
        stream.fail(StreamErrorCondition.INVALID_XML, "a restart that is not expected");
      }
    } else {
      input.addAll(request.payloads());
      terminating = request.isTerminate();
      handleInput();
    }
  }

  private void open(BoshRequest request) {
    awaitsHeader = false;
    stream.onStreamOpen(request.header(first));
  }

  private void handleInput() {
    while (!suspended && !input.isEmpty() && !stream.closed()) {
      Frame frame = input.remove();
      if (awaitsHeader) {
        stream.fail(StreamErrorCondition.BAD_FORMAT, "a restart is expected");
      } else {
        stream.onFrame(frame);
      }
    }
    if (terminating && !suspended && !stream.closed()) {
      received(session.lastReceived());
      stream.onStreamClose();
    }
  }

  @Override
  public boolean isReady() {
    return !suspended && reading && input.isEmpty();
  }

  @Override
  public void received(long number) {
    if (number > 0) {
      stream.written(number);
    }
  }

  @Override
  public void lost() {
    closing = true;
    input.clear();
    sessions.authenticated(this);
    stream.disconnected();
  }

  @Override
  public void describe(BodyWriter body) {
    StreamOpening header = opening;
    if (header != null) {
      body.attribute("from", header.from())
          .attribute("authid", header.id())
          .xmpp("restartlogic", "true")
          .xmpp("version", "1.0");
    }
  }

  // ---- the input

  @Override
  public void suspend() {
    suspended = true;
  }

  @Override
  public void resume() {
    suspended = false;
    tasks.execute(() -> {}); // the end of the turn goes on with the input
  }

  @Override
  public void restart() {
    awaitsHeader = true;
  }

  @Override
  public void setLimits(InputLimits changed) {
    limits = changed;
    remaining = changed.totalBytes();
  }

  @Override
  public void prepareTls(Runnable startTls) {
    throw new IllegalStateException("BOSH has no STARTTLS");
  }

  // ---- output

  @Override
  public void open(StreamOpening header) {
    opening = header;
  }

  @Override
  public void write(Element element) {
    if (element.name().namespace().equals(Namespaces.STREAM)
        && element.name().name().equals("error")) {
      condition = conditionOf(element);
      if (condition != BoshCondition.REMOTE_STREAM_ERROR) {
        return; // the condition says it all
      }
    }
    put(Payload.of(element));
  }

  private BoshCondition conditionOf(Element error) {
    String name = error.children().isEmpty() ? "" : error.children().getFirst().name().name();
    return switch (name) {
      case "host-unknown" -> BoshCondition.HOST_UNKNOWN;
      case "host-gone" -> BoshCondition.HOST_GONE;
      case "improper-addressing" -> BoshCondition.IMPROPER_ADDRESSING;
      case "system-shutdown" -> BoshCondition.SYSTEM_SHUTDOWN;
      default -> BoshCondition.REMOTE_STREAM_ERROR;
    };
  }

  @Override
  public void write(Stanza stanza) {
    write(stanza, 0, 0);
  }

  private void write(Stanza stanza, long number, long since) {
    if (closing || dropped) {
      return;
    }
    Payload payload;
    try {
      payload = Payload.of(stanza, number, since);
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("stanza_not_encoded");
      payload = Payload.of(ReplacementStanza.of(stanza), number, since);
    }
    put(payload);
  }

  private void put(Payload payload) {
    if (closing) {
      return;
    }
    session.send(payload);
    if (session.hasTooMuchOutput(sessions.streams().limits().outboundBytes())) {
      overflow();
    }
  }

  @Override
  public void measured(long nanos) {
    sessions.measured(nanos);
  }

  @Override
  public void deliver(ToStream.Deliver deliver) {
    if (closing || refused) {
      return;
    }
    int size = deliver.stanza().writtenSize();
    queued.add(size);
    if (queued.exceeds(sessions.streams().limits().outboundBytes())) {
      refused = true; // the client counts what it gets: none after it may leave
      queued.remove(size);
      overflow();
      return;
    }
    tasks.execute(() -> {
      queued.remove(size);
      write(deliver.stanza(), deliver.report() ? deliver.number() : 0, deliver.since());
    });
  }

  @Override
  public void enqueue(Runnable task) {
    tasks.execute(() -> {
      if (!closing) {
        task.run();
      }
    });
  }

  @Override
  public void execute(Runnable task) {
    tasks.execute(task);
  }

  @Override
  public void closeStream() {
    // With #close.
  }

  /// The client would send its next request to a session that is not there.
  @Override
  public boolean mayBreak() {
    return false;
  }

  @Override
  public void close() {
    if (closing) {
      return;
    }
    closing = true;
    input.clear();
    sessions.authenticated(this);
    session.end(condition);
    tasks.execute(stream::outputEnded);
  }

  // ---- facts

  @Override
  public void startTls(TlsStart start) {
    throw new IllegalStateException("BOSH has no STARTTLS");
  }

  @Override
  public boolean canStartTls() {
    return false;
  }

  @Override
  public boolean secure() {
    return client.secure();
  }

  @Override
  public InetAddress remoteAddress() {
    return client.address();
  }

  @Override
  public byte @Nullable [] channelBinding(ChannelBinding kind) {
    return null; // its requests come by several connections
  }

  @Override
  public void authenticated() {
    sessions.authenticated(this);
  }

  @Override
  public void reading(boolean on) {
    reading = on;
    if (on) {
      tasks.execute(() -> {}); // the end of the turn handles what has come
    }
  }

  @Override
  public void received() {
    // Stanzas of BOSH are not counted.
  }

  @Override
  public long now() {
    return sessions.now();
  }
}
