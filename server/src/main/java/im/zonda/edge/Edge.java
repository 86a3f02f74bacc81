package im.zonda.edge;

import im.zonda.config.limits.Limits;
import im.zonda.link.keeper.KeeperSettings;
import im.zonda.link.keeper.KeptBytes;
import im.zonda.metric.TimingCounts;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.client.ForwardedClient;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The clients' streams of an edge and its connections to cores: one, or the nodes of a cluster.
/// Connections may break and be opened again while clients stay connected; meanwhile their streams
/// use another one. Any thread may call.
public final class Edge implements EdgeWire.Acceptor {
  private static final Logger LOG = LoggerFactory.getLogger(Edge.class);

  /// The share of the heap for the stored stanzas of all clients.
  private static final int HEAP_SHARE = 8;

  private final KeeperSettings keepers;
  private final EdgeCodec form;
  private final StreamProfile profile;
  private final Map<Long, EdgeStream> streams = new ConcurrentHashMap<>();

  /// The same streams: one that gets another number is in here all the time, so that it is notified
  /// of every change of the cores.
  private final Set<EdgeStream> all = ConcurrentHashMap.newKeySet();

  private final List<CoreConnection> cores = new CopyOnWriteArrayList<>();
  private final AtomicLong numbers = new AtomicLong();
  private volatile Consumer<List<String>> bans = _ -> {};
  private volatile Supplier<TimingCounts> times = () -> TimingCounts.NONE;

  /// What cores have been told of them; only [#tick] uses it.
  private TimingCounts told = TimingCounts.NONE;

  /// The settings of an edge.
  ///
  /// @param limits limits for clients, and how long they may take
  /// @param patience how long clients are kept without a connection to a core
  /// @param runtime its ids are those of requests to clients
  /// @param clock milliseconds of a clock that only goes forward
  public record Settings(
      Limits limits, Duration patience, ServerRuntime runtime, LongSupplier clock) {}

  /// An edge without connections.
  public Edge(Settings settings) {
    this.keepers =
        new KeeperSettings(
            settings.patience(),
            new KeptBytes(Runtime.getRuntime().maxMemory() / HEAP_SHARE),
            settings.clock());
    this.form = new EdgeCodec();
    this.profile =
        ForwardedClient.profile(
            settings.limits(),
            settings.runtime().ids(),
            settings.runtime().workers(),
            client -> new EdgeStream(this, client, numbers.incrementAndGet()));
  }

  /// The settings that all clients' streams share.
  public StreamProfile profile() {
    return profile;
  }

  /// How long a frame may be.
  public int maxFrameBytes() {
    return form.maxBytes();
  }

  /// Has `network` refuse and disconnect clients from the networks that cores name, each time all
  /// of them. To be called once, before there are cores.
  public void banBy(Consumer<List<String>> network) {
    bans = network;
  }

  /// Gives cores the time that messages take here until they were written to clients: all since the
  /// start. To be called once.
  public void measureBy(Supplier<TimingCounts> network) {
    times = network;
  }

  /// A core has named the networks from which no client may connect.
  void ban(List<String> networks) {
    bans.accept(networks);
  }

  /// How many streams cores know or should know.
  public int size() {
    return streams.size();
  }

  /// Whether new streams find a core that does not leave.
  public boolean hasCore() {
    return findOther(null) != null;
  }

  /// Ends the streams whose session waits for the core for too long, and asks for others again; to
  /// be called about once a second.
  public void tick() {
    all.forEach(EdgeStream::tick);
    cores.stream().findFirst().ifPresent(this::tellTimes);
  }

  private void tellTimes(CoreConnection core) {
    TimingCounts now = times.get();
    TimingCounts since = now.minus(told);
    if (since.count() > 0) {
      told = now;
      core.send(new ToCore.Measured(since));
    }
  }

  // ---- the connections to cores

  @Override
  public CoreConnection accept(EdgeWire connected, String peer) {
    LOG.atInfo().addKeyValue("core", peer).addKeyValue("streams", size()).log("core_connected");
    CoreConnection core = new CoreConnection(this, connected, peer);
    if (cores.isEmpty()) {
      ban(List.of()); // it sends those that there are now
    }
    cores.add(core);
    coresChanged();
    return core;
  }

  /// Streams that wait for a core may find one, and streams on a core that leaves another one.
  void coresChanged() {
    all.forEach(EdgeStream::coresChanged);
  }

  /// A connection was lost.
  void lost(CoreConnection core) {
    cores.remove(core);
    all.forEach(stream -> stream.lost(core));
  }

  /// A core has sent a value for a stream.
  void pass(long number, ToEdge value, CoreConnection from) {
    EdgeStream stream = streams.get(number);
    if (stream != null) {
      stream.receive(value, from);
    }
  }

  EdgeCodec form() {
    return form;
  }

  // ---- for streams

  /// The core with the fewest streams of this edge, of those that do not leave; null if there is
  /// none.
  ///
  /// @param but not this one
  @Nullable CoreConnection findOther(@Nullable CoreConnection but) {
    return cores.stream()
        .filter(core -> !core.isLeaving() && !core.equals(but))
        .min(Comparator.comparingInt(CoreConnection::streams))
        .orElse(null);
  }

  /// The core for a stream: if there is no better one, one that leaves or is to be avoided; null if
  /// there is none at all.
  @Nullable CoreConnection choose(@Nullable CoreConnection avoided) {
    CoreConnection best = findOther(avoided);
    return best == null ? cores.stream().findFirst().orElse(null) : best;
  }

  void add(long number, EdgeStream stream) {
    all.add(stream);
    streams.put(number, stream);
  }

  void remove(long number) {
    EdgeStream stream = streams.remove(number);
    if (stream != null) {
      all.remove(stream);
    }
  }

  /// Gives a stream another number, so that what a core sends to the old one is recognised.
  long renumber(long old) {
    long next = numbers.incrementAndGet();
    EdgeStream stream = streams.remove(old);
    if (stream != null) {
      streams.put(next, stream);
    }
    return next;
  }

  KeeperSettings keepers() {
    return keepers;
  }
}
