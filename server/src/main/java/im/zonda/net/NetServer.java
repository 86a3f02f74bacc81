package im.zonda.net;

import im.zonda.config.limits.HeapShare;
import im.zonda.config.limits.Limits;
import im.zonda.dns.Target;
import im.zonda.metric.TimingCounts;
import im.zonda.net.dial.ConnectRace;
import im.zonda.net.dial.Connected;
import im.zonda.net.dial.DialTimes;
import im.zonda.net.loop.LoopBuffers;
import im.zonda.net.loop.LoopFigures;
import im.zonda.net.loop.MeasuredLoop;
import im.zonda.net.loop.MeasuredLoops;
import im.zonda.net.loop.ReadBuffers;
import im.zonda.net.tls.Certificates;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.client.StreamContext;
import im.zonda.throttle.AddressLog;
import im.zonda.throttle.BannedNetworks;
import im.zonda.throttle.ConnectionThrottle;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts connections, connects to other servers, and moves bytes. Started once and stopped once.
public final class NetServer {
  private static final Logger LOG = LoggerFactory.getLogger(NetServer.class);
  private static final int BACKLOG = 4_096;
  private static final long SWEEP_MILLIS = 1_000;
  private static final int DIAL_MILLIS = 10_000;

  /// What moves the bytes.
  public enum Io {
    /// Epoll where the machine has it, otherwise NIO.
    AUTO,
    /// Java's NIO.
    NIO
  }

  /// How the network is set up.
  ///
  /// @param listeners where connections are accepted
  /// @param eventLoops threads that move bytes; 0 is half the number of cores
  /// @param io what moves the bytes
  public record Settings(List<Listener> listeners, int eventLoops, Io io) {}

  private final Settings settings;
  private final ClientStreams streams;
  private final ConnectionContext context;
  private final AddressLog refusals;
  private final OutboundBudget outbound;
  private final boolean epoll;
  private final Map<EventExecutor, Loop> loops = new LinkedHashMap<>();
  private final List<Admission> admissions = new CopyOnWriteArrayList<>();
  private final ListeningSockets listening = new ListeningSockets();
  private @Nullable EventLoopGroup group;

  /// @param streams what all streams share
  /// @param blocking runs what may block: virtual threads
  public NetServer(
      Settings settings, Certificates certificates, StreamContext streams, Executor blocking) {
    this(settings, certificates, ClientStreams.of(streams), blocking);
  }

  /// The same for streams of clients whose accounts are elsewhere.
  public NetServer(
      Settings settings, Certificates certificates, ClientStreams streams, Executor blocking) {
    this.settings = settings;
    this.streams = streams;
    this.context = new ConnectionContext(streams.limits(), certificates, blocking);
    this.refusals = new AddressLog("connection_refused_repeatedly", streams.runtime().scheduler());
    this.outbound = OutboundBudget.of(limits().allOutboundBytes());
    this.epoll = settings.io() == Io.AUTO && Epoll.isAvailable();
    streams.throttle().banned().onChange(this::endBanned);
  }

  /// Starts listening; returns where, with the ports that were taken.
  ///
  /// @throws IOException with a sentence for the administrator if an address cannot be had; nothing
  ///   listens then
  public List<Listener> start() throws IOException {
    if (group != null) {
      throw new IllegalStateException("started already");
    }
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    int threads = threads();
    EventLoopGroup eventLoops =
        new MeasuredLoops(threads, new DefaultThreadFactory("zonda-net"), io);
    group = eventLoops;
    long inboundBytes =
        HeapShare.INBOUND.bound(limits().inboundBytes(), Runtime.getRuntime().maxMemory())
            / threads;
    for (EventExecutor executor : eventLoops) {
      Loop loop = new Loop((EventLoop) executor, outbound, inboundBytes);
      loops.put(executor, loop);
      context.add(executor, loop);
    }
    outbound.over(List.copyOf(loops.values()));
    loops.values().forEach(loop -> loop.start(sweepMillis()));
    ServerBootstrap bootstrap =
        bootstrap(
            eventLoops, epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
    List<Listener> bound = new ArrayList<>();
    try {
      IdentityHashMap<Object, Admission> admissions = new IdentityHashMap<>();
      for (Listener listener : settings.listeners()) {
        StreamProfile profile = Objects.requireNonNullElse(listener.profile(), streams.profile());
        Admission admission =
            admissions.computeIfAbsent(
                Objects.requireNonNullElse(listener.setup(), profile),
                _ -> newAdmission(profile, listener.limits()));
        bind(bootstrap, listener, admission, bound);
      }
    } catch (IOException e) {
      stop(Duration.ZERO);
      throw e;
    }
    LOG.atInfo()
        .addKeyValue("listeners", bound)
        .addKeyValue("io", epoll ? "epoll" : "nio")
        .addKeyValue("event_loops", threads)
        .log("net_started");
    return List.copyOf(bound);
  }

  /// Connects to another server; the stream begins when the connection is there. Returns when that
  /// is so, or why it is not. To be called while the server runs.
  ///
  /// @param directTls whether the connection speaks TLS from the start (XEP-0368)
  ChannelFuture dial(InetSocketAddress address, boolean directTls, StreamProfile profile) {
    return dialing(running())
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, DIAL_MILLIS)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                addHandlers(channel, address.getAddress(), directTls, profile);
              }
            })
        .connect(address);
  }

  /// Connects to the first of these servers that accepts a connection (RFC 8305); its stream begins
  /// then. Any thread may call, while the server runs. Fails with
  /// [im.zonda.net.dial.ConnectFailure]; to cancel the result ends the attempt.
  ///
  /// @param targets the servers in the order in which to try them
  /// @param profiles the stream for each
  public CompletableFuture<Connected> connect(
      List<Target> targets, DialTimes times, Function<Target, StreamProfile> profiles) {
    EventLoop eventLoop = running().next();
    ConnectRace race =
        new ConnectRace(
            eventLoop,
            (address, time) ->
                dialing(eventLoop)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(time.toMillis()))
                    .option(ChannelOption.AUTO_READ, false)
                    .handler(new ConnectRace.Waiting())
                    .connect(address),
            times,
            targets,
            (channel, won) -> begin(channel, won, profiles.apply(won.target())));
    return race.start();
  }

  private EventLoopGroup running() {
    EventLoopGroup eventLoops = group;
    if (eventLoops == null) {
      throw new IllegalStateException("not started");
    }
    return eventLoops;
  }

  /// Makes outgoing connections of another kind, all on one of the event loops. Any thread may
  /// call, while the server runs.
  public Bootstrap dialingOnOneLoop() {
    return dialing(running().next());
  }

  private Bootstrap dialing(EventLoopGroup eventLoops) {
    return new Bootstrap()
        .group(eventLoops)
        .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true);
  }

  private void addHandlers(
      Channel channel, InetAddress peer, boolean directTls, StreamProfile profile) {
    Connection connection =
        new Connection(context, context.loopOf(channel), channel, peer, profile, null);
    if (directTls) {
      channel.pipeline().addLast(context.newTls(profile.directTls(), peer));
    }
    channel.pipeline().addLast(connection);
  }

  /// Begins the stream of a channel that is connected already.
  private void begin(Channel channel, Connected won, StreamProfile profile) {
    addHandlers(channel, won.address().getAddress(), won.target().directTls(), profile);
    if (channel.pipeline().remove(ConnectRace.Waiting.class).wasActive()) {
      channel.pipeline().fireChannelActive();
    }
    channel.config().setAutoRead(true);
  }

  /// Whether connections are accepted at all addresses.
  public boolean isListening() {
    return context.isAccepting() && listening.isOpen();
  }

  /// Statistics since the start.
  public NetStats stats() {
    NetStats sum = NetStats.NONE;
    for (Loop loop : loops.values()) {
      sum = sum.plus(loop.counters().snapshot());
    }
    return sum;
  }

  /// What each event loop does.
  public List<LoopFigures> loops() {
    List<LoopFigures> all = new ArrayList<>();
    loops.forEach((executor, loop) -> {
      if (executor instanceof MeasuredLoop measured) {
        all.add(measured.figures(all.size() + 1, loop.counters().open.value()));
      }
    });
    return all;
  }

  /// From the arrival of messages at this process to the write of the stanzas that they caused.
  ///
  /// @param namespace the content namespace of the streams: those of clients by TCP and WebSocket,
  ///   of components, or of other servers
  public TimingCounts written(String namespace) {
    TimingCounts sum = TimingCounts.NONE;
    for (Loop loop : loops.values()) {
      sum = sum.plus(loop.counters().written(namespace).counts());
    }
    return sum;
  }

  /// Accepts no more connections and WebSockets; those that there are go on.
  public void stopAccepting() {
    context.setAccepting(false);
    listening.close();
  }

  /// Accepts connections again after [#stopAccepting], at the same addresses.
  ///
  /// @throws IOException if an address has been taken by another program
  public void acceptAgain() throws IOException {
    listening.reopen();
    context.setAccepting(true);
  }

  /// Ends streams of clients with `system-shutdown`. Blocks for a moment.
  ///
  /// @param most the most streams to end
  /// @param which those that may be ended; called on their threads
  /// @return how many were ended
  public int endClients(int most, Predicate<Stream> which) {
    AtomicInteger left = new AtomicInteger(most);
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (Loop loop : loops.values()) {
      done.add(CompletableFuture.runAsync(() -> endClients(loop, left, which), loop::execute));
    }
    done.forEach(CompletableFuture::join);
    return most - Math.max(0, left.get());
  }

  @SuppressWarnings("ReferenceEquality") // each kind of stream has one profile
  private void endClients(Loop loop, AtomicInteger left, Predicate<Stream> which) {
    for (Connection connection : loop.connections()) {
      Stream stream = connection.stream();
      if (stream.profile() == streams.profile()
          && !stream.closed()
          && which.test(stream)
          && left.getAndDecrement() > 0) {
        stream.shutdown();
      }
    }
  }

  /// Ends the connections that come from banned networks, on their event loops: one that is being
  /// accepted meanwhile is rejected, or found there.
  private void endBanned() {
    for (Loop loop : loops.values()) {
      loop.execute(() -> {
        admissions.forEach(each -> each.cutBanned(loop));
        loop.connections().forEach(this::endIfBanned);
      });
    }
  }

  @SuppressWarnings("ReferenceEquality") // this server connects to others with other profiles
  private void endIfBanned(Connection connection) {
    Stream stream = connection.stream();
    if (admissions.stream().anyMatch(each -> each.profile() == stream.profile())
        && streams.throttle().banned().contains(connection.remoteAddress())) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, BannedNetworks.TEXT);
    }
  }

  /// Stops accepting, ends every stream with `system-shutdown`, waits at most `drain` for output to
  /// leave, and ends the event loops.
  public void stop(Duration drain) {
    EventLoopGroup eventLoops = group;
    if (eventLoops == null || eventLoops.isShuttingDown()) {
      return;
    }
    listening.close();
    CountDownLatch told = new CountDownLatch(loops.size());
    List<Future<?>> ends = Collections.synchronizedList(new ArrayList<>());
    for (Loop loop : loops.values()) {
      loop.execute(() -> {
        for (Connection connection : loop.connections()) {
          ends.add(connection.closed());
          connection.stream().shutdown();
        }
        told.countDown();
      });
    }
    long deadline = System.nanoTime() + drain.toNanos();
    try {
      if (told.await(Math.max(1, drain.toMillis()), TimeUnit.MILLISECONDS)) {
        for (Future<?> end : List.copyOf(ends)) {
          end.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Loop loop : loops.values()) {
      loop.execute(() -> loop.connections().forEach(Connection::cut));
    }
    eventLoops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    LOG.atInfo().log("net_stopped");
  }

  // ---- listening

  private Limits limits() {
    return streams.limits();
  }

  private int threads() {
    return settings.eventLoops() > 0
        ? settings.eventLoops()
        : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  /// Once a second, or more often if a limit is so short that a second matters.
  private long sweepMillis() {
    long shortest =
        Math.min(
            limits().negotiationTime().toMillis(),
            Math.min(limits().idleTime().toMillis(), limits().pingTime().toMillis()));
    return Math.clamp(shortest / 8, 20, SWEEP_MILLIS);
  }

  private ServerBootstrap bootstrap(
      EventLoopGroup eventLoops, Class<? extends ServerChannel> channelClass) {
    ByteBufAllocator allocator = LoopBuffers.allocator(threads());
    return new ServerBootstrap()
        .group(eventLoops)
        .channel(channelClass)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.ALLOCATOR, allocator)
        .childOption(ChannelOption.ALLOCATOR, allocator)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, new ReadBuffers());
  }

  private Admission newAdmission(StreamProfile profile, @Nullable AcceptLimits own) {
    AcceptLimits accept =
        own == null
            ? new AcceptLimits(limits().connectionsPerAddress(), limits().connections())
            : own;
    ConnectionThrottle throttle =
        new ConnectionThrottle(
            accept.connections(),
            streams.throttle(),
            limits().login().entries(),
            streams.runtime().ids().next());
    Admission admission = new Admission(profile, accept, throttle, refusals);
    admissions.add(admission);
    return admission;
  }

  private void bind(
      ServerBootstrap bootstrap, Listener listener, Admission admission, List<Listener> bound)
      throws IOException {
    boolean only = settings.listeners().size() == 1;
    ServerBootstrap own =
        bootstrap.clone().childHandler(new Acceptor(context, listener, admission));
    Listener open = listening.open(own, listener, only);
    if (open != null) {
      bound.add(open);
    }
  }
}
