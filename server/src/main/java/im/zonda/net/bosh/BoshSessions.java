package im.zonda.net.bosh;

import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.config.limits.BoshLimits;
import im.zonda.config.limits.HeapShare;
import im.zonda.http.HttpBody;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRoute;
import im.zonda.http.OriginPolicy;
import im.zonda.jfr.StanzaSlow;
import im.zonda.metric.Timing;
import im.zonda.metric.TimingCounts;
import im.zonda.module.Scheduler;
import im.zonda.net.ClientStreams;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.InputLimits;
import im.zonda.stream.Stream;
import im.zonda.throttle.AddressLimit;
import im.zonda.throttle.AddressLog;
import im.zonda.throttle.BannedNetworks;
import im.zonda.throttle.ConnectionThrottle;
import im.zonda.throttle.UnauthenticatedConnections;
import im.zonda.xml.StreamHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All BOSH sessions of this process (XEP-0124). Any thread may call.
public final class BoshSessions {
  /// The path of BOSH.
  public static final String PATH = "/http-bind";

  private static final Logger LOG = LoggerFactory.getLogger(BoshSessions.class);
  private static final Duration SWEEP = Duration.ofMillis(500);

  /// What another node may take besides the time that it holds a request.
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final ClientStreams streams;
  private final BoshLimits limits;
  private final LongSupplier clock;
  private final SessionIds ids;
  private final AddressLimit addresses;
  private final ConnectionThrottle throttle;
  private final AddressLog refusals;
  private final UnauthenticatedConnections<BoshStream> unauthenticated;
  private final long mostBytes;
  private final Map<String, BoshStream> bySid = new ConcurrentHashMap<>();
  private final Map<BoshStream, Known> known = new ConcurrentHashMap<>();
  private final ForwardedBodies forwarded;
  private final Timing inside = new Timing();
  private volatile boolean draining;
  private volatile boolean stopped;

  /// What is kept of a session besides the session.
  private record Known(String sid, InetAddress address) {}

  /// @param clock milliseconds of a clock that only goes forward
  /// @param ids identifiers of sessions, and the nodes that have them
  public BoshSessions(
      ClientStreams streams, BoshLimits limits, LongSupplier clock, SessionIds ids) {
    this.streams = streams;
    this.limits = limits;
    this.clock = clock;
    this.ids = ids;
    this.addresses = new AddressLimit(streams.limits().connectionsPerAddress());
    this.throttle =
        new ConnectionThrottle(
            streams.limits().connections(),
            streams.throttle(),
            streams.limits().login().entries(),
            streams.runtime().ids().next());
    this.refusals = new AddressLog("connection_refused_repeatedly", streams.runtime().scheduler());
    this.unauthenticated =
        new UnauthenticatedConnections<>(streams.limits().connections().unauthenticated());
    this.mostBytes =
        HeapShare.OUTBOUND.bound(
            streams.limits().allOutboundBytes(), Runtime.getRuntime().maxMemory());
    this.forwarded =
        new ForwardedBodies(
            ids.nodes(), streams.runtime(), limits.waitTime().plus(PATIENCE), this::answer);
    streams.throttle().banned().onChange(() -> known.keySet().forEach(this::endIfBanned));
    schedule();
  }

  private void endIfBanned(BoshStream session) {
    if (streams.throttle().banned().contains(session.remoteAddress())) {
      session.onStream(
          () -> session.stream().fail(StreamErrorCondition.POLICY_VIOLATION, BannedNetworks.TEXT));
    }
  }

  /// From the arrival of messages at this process to the response with the stanzas that they
  /// caused; without the time in which there was no request to answer.
  public TimingCounts inside() {
    return inside.counts();
  }

  void measured(long nanos) {
    inside.record(nanos);
    StanzaSlow.record("inside", nanos);
  }

  /// These hosts, each with the route of BOSH.
  public HttpHosts servedAt(HttpHosts hosts) {
    HttpRoute route =
        HttpRoute.exact(PATH, HttpMethod.POST, new BoshHandler(this, new OriginPolicy(hosts)))
            .crossOrigin();
    return new HttpHosts() {
      @Override
      public List<String> domains() {
        return hosts.domains();
      }

      @Override
      public List<HttpRoute> routes(String domain) {
        List<HttpRoute> all = new ArrayList<>(hosts.routes(domain));
        all.add(route);
        return all;
      }

      @Override
      public List<String> origins(String domain) {
        return hosts.origins(domain);
      }
    };
  }

  private void schedule() {
    Scheduler.Cancellable _ = streams.runtime().scheduler().schedule(SWEEP, this::sweep);
  }

  private void sweep() {
    if (stopped) {
      return;
    }
    try {
      long now = now();
      long bytes = 0;
      for (BoshStream each : known.keySet()) {
        each.sweep(now);
        bytes += each.bytes();
      }
      if (bytes > mostBytes) {
        relieve(bytes);
      }
    } finally {
      schedule();
    }
  }

  /// Ends sessions, those that hold the most first, until an eighth is free.
  private void relieve(long held) {
    record Holder(BoshStream stream, long bytes) {}
    List<Holder> holders = new ArrayList<>();
    known.keySet().forEach(each -> holders.add(new Holder(each, each.bytes())));
    holders.sort(Comparator.comparingLong(Holder::bytes).reversed());
    long left = held;
    for (Holder each : holders) {
      if (left <= mostBytes - mostBytes / 8) {
        return;
      }
      left -= each.bytes();
      each.stream().overflow();
    }
  }

  // ---- for requests

  /// Creates a session with its first request.
  ///
  /// @param size the bytes of the request
  /// @throws BoshException if there is to be none
  void create(
      BoshRequest first,
      int size,
      BoshStream.ClientAddress client,
      CompletableFuture<BoshResponse> reply)
      throws BoshException {
    BoshTerms terms = BoshTerms.of(first, limits);
    if (stopped || draining) {
      throw new BoshException(BoshCondition.SYSTEM_SHUTDOWN);
    }
    String to = first.attribute("to");
    if (to == null || to.isEmpty()) {
      throw new BoshException(BoshCondition.IMPROPER_ADDRESSING);
    }
    admit(client.address());
    String sid = ids.create(streams.runtime().ids().next());
    BoshStream stream = new BoshStream(this, sid, terms, client, first);
    known.put(stream, new Known(sid, client.address()));
    bySid.put(sid, stream);
    BoshStream closed = unauthenticated.enter(client.address(), stream);
    if (closed != null) {
      refused(client.address(), ConnectionThrottle.Refusal.UNAUTHENTICATED);
      closed.cut();
    }
    endIfBanned(stream); // since it was admitted
    stream.receive(first, size, reply);
  }

  private void admit(InetAddress address) throws BoshException {
    ConnectionThrottle.Refusal refusal = throttle.countConnection(address, now());
    if (refusal == null && !addresses.enter(address)) {
      refusal = ConnectionThrottle.Refusal.NUMBER;
    }
    if (refusal != null) {
      refused(address, refusal);
      throw new BoshException(BoshCondition.POLICY_VIOLATION);
    }
  }

  private void refused(InetAddress address, ConnectionThrottle.Refusal reason) {
    (refusals.isFirst(address) ? LOG.atInfo() : LOG.atDebug())
        .addKeyValue("address", address.getHostAddress())
        .addKeyValue("reason", reason)
        .log("bosh_session_refused");
  }

  /// The session of that identifier; null if there is none, or if it was created by TLS and this
  /// request did not come so.
  @Nullable BoshStream find(String sid, boolean secure) {
    BoshStream found = bySid.get(sid);
    return found == null || (found.secure() && !secure) ? null : found;
  }

  /// The session that a request is for; null if there is none here.
  ///
  /// @param tag the start tag of the request; null if it has not come
  @Nullable BoshStream find(@Nullable StreamHeader tag, boolean secure) {
    String sid = tag == null ? null : tag.attribute("sid");
    return sid == null ? null : find(sid, secure);
  }

  /// The limits for the rest of a request with that start tag; null if there is no session of it
  /// here.
  @Nullable InputLimits limits(StreamHeader tag, boolean secure) {
    if (tag.attribute("sid") == null) {
      return streams.profile().limits();
    }
    BoshStream session = find(tag, secure);
    return session == null ? null : session.limits();
  }

  /// The response to a request that cannot be used, which ends its session.
  BoshResponse reject(@Nullable StreamHeader tag, boolean secure, BoshCondition condition) {
    BoshStream session = find(tag, secure);
    if (session != null) {
      session.cut();
    }
    boolean legacy = tag != null && tag.attribute("sid") == null && tag.attribute("ver") == null;
    return BoshResponse.end(legacy ? BoshTerms.LEGACY : BoshTerms.NONE, condition);
  }

  // ---- other nodes

  /// The other node that has the session of a request; null if there is none.
  @Nullable Member nodeOf(StreamHeader tag) {
    String sid = tag.attribute("sid");
    return sid == null ? null : ids.creator(sid);
  }

  ForwardedBodies forwarded() {
    return forwarded;
  }

  /// Answers a request that another node has forwarded.
  private void answer(byte[] body, boolean secure, CompletableFuture<BoshResponse> reply) {
    BodyReader reader = new BodyReader(streams.profile().limits(), tag -> limits(tag, secure));
    try {
      BoshRequest request = reader.read(HttpBody.of(body));
      BoshStream session = find(request.body(), secure);
      if (session == null) {
        throw new BoshException(BoshCondition.ITEM_NOT_FOUND);
      }
      session.receive(request, reader.size(), reply);
    } catch (BoshException e) {
      reply.complete(reject(reader.header(), secure, e.condition()));
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory can be read", e);
    }
  }

  /// Gets what the other nodes say.
  public NodeMessage.Listener posts() {
    return forwarded;
  }

  // ---- for streams

  ClientStreams streams() {
    return streams;
  }

  Executor workers() {
    return streams.runtime().workers();
  }

  long now() {
    return clock.getAsLong();
  }

  /// The client of a session has authenticated, or is gone.
  void authenticated(BoshStream stream) {
    unauthenticated.leave(stream.remoteAddress(), stream);
  }

  /// A session has ended.
  void remove(BoshStream stream) {
    Known gone = known.remove(stream);
    if (gone != null) {
      bySid.remove(gone.sid());
      addresses.leave(gone.address());
      authenticated(stream);
    }
  }

  // ---- for the program

  /// How many sessions there are.
  public int open() {
    return known.size();
  }

  /// Creates no more sessions; those that there are go on.
  public void stopAccepting() {
    draining = true;
  }

  /// Creates sessions again.
  public void acceptAgain() {
    draining = false;
  }

  /// Ends streams with `system-shutdown`.
  ///
  /// @param most the most streams to end
  /// @param which those that may be ended; called on their threads
  /// @return how many were ended
  public int endClients(int most, Predicate<Stream> which) {
    AtomicInteger left = new AtomicInteger(most);
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (BoshStream each : known.keySet()) {
      done.add(
          CompletableFuture.runAsync(
              () -> {
                if (!each.stream().closed()
                    && which.test(each.stream())
                    && left.getAndDecrement() > 0) {
                  each.stream().shutdown();
                }
              },
              each::onStream));
    }
    done.forEach(CompletableFuture::join);
    return most - Math.max(0, left.get());
  }

  /// Ends all sessions with `system-shutdown` and takes no more. Waits a moment for the responses.
  public void stop() {
    stopped = true;
    forwarded.stop();
    Map<BoshStream, Known> all = new HashMap<>(known);
    CountDownLatch ended = new CountDownLatch(all.size());
    for (BoshStream each : all.keySet()) {
      each.onStream(() -> {
        each.stream().shutdown();
        ended.countDown();
      });
    }
    try {
      if (!ended.await(1, TimeUnit.SECONDS)) {
        LOG.atInfo().addKeyValue("left", ended.getCount()).log("bosh_sessions_not_ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
