package im.zonda.edge;

import im.zonda.config.Limits;
import im.zonda.link.LinkFormatException;
import im.zonda.link.keeper.KeeperSettings;
import im.zonda.link.keeper.KeptBytes;
import im.zonda.module.IdSource;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.client.ForwardedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The clients' streams of an edge and its connection to the core, which may break and be made
/// again while clients stay connected. Any thread may call.
public final class Edge implements EdgeWire.Acceptor {
  private static final Logger LOG = LoggerFactory.getLogger(Edge.class);

  /// What the kept stanzas of all clients may take of the heap.
  private static final int HEAP_SHARE = 8;

  private final KeeperSettings keepers;
  private final EdgeForm form;
  private final StreamProfile profile;
  private final Map<Long, EdgeStream> streams = new ConcurrentHashMap<>();
  private final Queue<EdgeSession> blocked = new ConcurrentLinkedQueue<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicReference<@Nullable EdgeWire> wire = new AtomicReference<>();

  /// What an edge is made with.
  ///
  /// @param limits limits for clients, and how long they may take
  /// @param patience how long clients are kept without a connection to the core
  /// @param ids makes ids of requests to clients
  /// @param workers runs what may block
  /// @param clock milliseconds of a clock that only goes forward
  public record Settings(
      Limits limits, Duration patience, IdSource ids, Executor workers, LongSupplier clock) {}

  /// An edge without a connection.
  public Edge(Settings settings) {
    this.keepers =
        new KeeperSettings(
            settings.patience(),
            new KeptBytes(Runtime.getRuntime().maxMemory() / HEAP_SHARE),
            settings.clock());
    this.form = new EdgeForm(settings.limits().client().maxBytes());
    this.profile =
        ForwardedClient.profile(
            settings.limits(),
            settings.ids(),
            settings.workers(),
            client -> new EdgeStream(this, client, numbers.incrementAndGet()));
  }

  /// What the clients' streams have in common.
  public StreamProfile profile() {
    return profile;
  }

  /// How long a frame may be.
  public int maxFrameBytes() {
    return form.maxBytes();
  }

  /// How many streams the core knows or should know.
  public int size() {
    return streams.size();
  }

  /// Ends the streams whose session waits for the core for too long, and asks for others again; to
  /// be called about once a second.
  public void tick() {
    streams.values().forEach(EdgeStream::tick);
  }

  // ---- the connection to the core

  @Override
  public EdgeWire.Handler accept(EdgeWire connected, String peer) {
    LOG.atInfo().addKeyValue("core", peer).addKeyValue("streams", size()).log("core_connected");
    wire.set(connected);
    streams.values().forEach(stream -> stream.reconnected(connected));
    return new Connected(connected);
  }

  private final class Connected implements EdgeWire.Handler {
    private final EdgeWire own;

    private Connected(EdgeWire own) {
      this.own = own;
    }

    @Override
    public void received(byte[] frame) {
      try {
        handle(form.readToEdge(frame), own);
      } catch (LinkFormatException e) {
        LOG.atError().setCause(e).log("core_rejected");
        own.close("a frame that is no value");
      }
    }

    @Override
    public void tick() {
      own.send(EdgeForm.write(new ToCore.Alive()));
    }

    @Override
    public void drained() {
      List<EdgeSession> all = new ArrayList<>();
      for (EdgeSession each = blocked.poll(); each != null; each = blocked.poll()) {
        all.add(each);
      }
      all.forEach(EdgeSession::unblock);
    }

    @Override
    public void ended() {
      LOG.atWarn().addKeyValue("streams", size()).log("core_lost");
      wire.compareAndSet(own, null);
      streams.values().forEach(stream -> stream.disconnected(own));
      drained();
    }
  }

  private void handle(ToEdge value, EdgeWire from) {
    switch (value) {
      case ToEdge.Alive() -> {}
      case ToEdge.Stopping() -> LOG.atInfo().log("core_stopping");
      case ToEdge.Header(var number, var _) -> to(number, value, from);
      case ToEdge.Write(var number, var _) -> to(number, value, from);
      case ToEdge.WriteStanza(var number, var _) -> to(number, value, from);
      case ToEdge.StartTls(var number) -> to(number, value, from);
      case ToEdge.Restart(var number) -> to(number, value, from);
      case ToEdge.Authenticated(var number, var _) -> to(number, value, from);
      case ToEdge.Continue(var number) -> to(number, value, from);
      case ToEdge.Finish(var number) -> to(number, value, from);
      case ToEdge.TakeOver takeOver -> to(takeOver.stream(), value, from);
      case ToEdge.Value(var number, var _) -> to(number, value, from);
      case ToEdge.WindowUpdate(var number, var _) -> to(number, value, from);
      case ToEdge.State state -> to(state.stream(), value, from);
    }
  }

  private void to(long number, ToEdge value, EdgeWire from) {
    EdgeStream stream = streams.get(number);
    if (stream != null) {
      stream.receive(value, from);
    }
  }

  // ---- for streams

  @Nullable EdgeWire wire() {
    return wire.get();
  }

  void add(long number, EdgeStream stream) {
    streams.put(number, stream);
  }

  void remove(long number) {
    streams.remove(number);
  }

  /// The session has paused its client until less waits for the core.
  void block(EdgeSession session) {
    blocked.add(session);
    EdgeWire core = wire.get();
    if (core == null || !core.isFull()) {
      session.unblock();
    }
  }

  KeeperSettings keepers() {
    return keepers;
  }
}
