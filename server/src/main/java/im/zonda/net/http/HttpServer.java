package im.zonda.net.http;

import im.zonda.config.Http;
import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpException;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpResponse;
import im.zonda.http.OriginPolicy;
import im.zonda.net.AcceptLimits;
import im.zonda.net.AcceptedChannel;
import im.zonda.net.Listener;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stream.TlsStart;
import im.zonda.throttle.AddressLimit;
import im.zonda.throttle.UnauthenticatedConnections;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.ssl.ApplicationProtocolNames;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves HTTP on connections that the network accepts. Any thread may call.
public final class HttpServer {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
  private static final String CHALLENGES = "/.well-known/acme-challenge/";
  private static final TlsStart TLS =
      TlsStart.server(List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1));

  /// The most requests that are handled at a time: above it the newest request of the address with
  /// most of them is ended. Each holds at most about 400 KiB.
  private static final int MAX_REQUESTS = 1_000;

  private final Http settings;
  private final HttpLimits limits;
  private final HostChoice choice;
  private final Routing routing;
  private final WebSocketUpgrade upgrade;
  private final AddressRanges trusted;
  private final TrustedProxies proxies;

  /// The requests that proxies have forwarded, each of which counts as a connection of its client.
  private final AddressLimit forwarded;

  private final ServerRuntime runtime;
  private final ResponseCounts counts = new ResponseCounts();
  private final UnauthenticatedConnections<HttpConnection> handled =
      new UnauthenticatedConnections<>(MAX_REQUESTS);

  private volatile @Nullable ChallengeAnswers challenges;
  private volatile @Nullable HealthAnswers health;

  /// Answers to the questions of certificate authorities (RFC 8555, section 8.3).
  @FunctionalInterface
  public interface ChallengeAnswers {
    /// The answer for a token, or null. Blocks.
    ///
    /// @throws IOException if it cannot be read
    @Nullable String find(String token) throws IOException;
  }

  public HttpServer(Http settings, HttpLimits limits, HttpHosts hosts, ServerRuntime runtime) {
    this.settings = settings;
    this.limits = limits;
    this.choice = new HostChoice(settings, hosts);
    this.routing = new Routing(hosts);
    this.upgrade = new WebSocketUpgrade(new OriginPolicy(hosts));
    this.trusted = new AddressRanges(settings.trustedProxies());
    this.proxies = new TrustedProxies(trusted);
    this.forwarded = new AddressLimit(limits.connectionsPerAddress());
    this.runtime = runtime;
  }

  /// Answers certificate authorities from now on, whichever host they ask for.
  public void answerChallenges(ChallengeAnswers answers) {
    challenges = answers;
  }

  /// Answers balancers from now on, at `/health/live` and `/health/ready`, whichever host they ask
  /// for.
  ///
  /// @param missing what is missing to serve clients, each in a word; empty if nothing is. Called
  ///   for each request, so it must be quick
  public void answerBalancers(Supplier<List<String>> missing) {
    health = new HealthAnswers(missing);
  }

  /// Where connections of browsers are to be accepted.
  public List<Listener> listeners() {
    return listeners(Listener.Kind.HTTP, Listener.Kind.HTTPS);
  }

  /// Where connections are to be accepted.
  ///
  /// @param plain what listeners without TLS are
  /// @param tls what those with TLS are
  public List<Listener> listeners(Listener.Kind plain, Listener.Kind tls) {
    AcceptLimits accept =
        new AcceptLimits(limits.connectionsPerAddress(), limits.connections(), trusted);
    AcceptedChannel.Setup setup = this::serve;
    List<Listener> listeners = new ArrayList<>();
    for (String address : settings.listen()) {
      listeners.add(Listener.parse(plain, address).withSetup(setup, accept));
    }
    for (String address : settings.listenTls()) {
      listeners.add(Listener.parse(tls, address).withSetup(setup, accept));
    }
    return listeners;
  }

  /// Serves a connection from now on. Called on its event loop.
  public void serve(AcceptedChannel accepted) {
    Channel channel = accepted.channel();
    channel.config().setAutoRead(false);
    ChannelPipeline pipeline = channel.pipeline();
    if (accepted.isDirectTls()) {
      pipeline.addLast(accepted.newTls(TLS), new ProtocolChoice(this, accepted));
    } else {
      addHttp1(accepted);
    }
  }

  /// Adds the handlers of a connection by HTTP/1.1; returns the last one.
  HttpConnection addHttp1(AcceptedChannel accepted) {
    HttpConnection connection = new HttpConnection(this, accepted);
    accepted
        .channel()
        .pipeline()
        .addLast(new RequestDecoder(limits), new HttpResponseEncoder(), connection);
    return connection;
  }

  /// The counts of its responses by class of status.
  public ResponseCounts responses() {
    return counts;
  }

  // ---- for connections

  HttpLimits limits() {
    return limits;
  }

  HostChoice hosts() {
    return choice;
  }

  Executor workers() {
    return runtime.workers();
  }

  WebSocketUpgrade upgrade() {
    return upgrade;
  }

  TrustedProxies proxies() {
    return proxies;
  }

  ResponseWriter writer(Channel channel) {
    return new ResponseWriter(channel, runtime.clock(), limits.bodyTime(), counts);
  }

  /// Counts a request that a proxy has forwarded; false, and not counted, if its client has enough.
  boolean enterForwarded(InetAddress client) {
    return forwarded.enter(client);
  }

  /// A counted request has been answered.
  void leaveForwarded(InetAddress client) {
    forwarded.leave(client);
  }

  /// A request is handled from now on; returns the one to end for it, or null.
  @Nullable HttpConnection entered(HttpConnection request) {
    return handled.enter(request.remoteAddress(), request);
  }

  /// A request is no longer being handled.
  void left(HttpConnection request) {
    handled.leave(request.remoteAddress(), request);
  }

  /// The answer to a request. Blocks.
  HttpResponse answer(ReceivedRequest request) throws IOException {
    return routing.answer(request);
  }

  /// The response to a request that has failed.
  HttpResponse failed(HttpResponse response, ReceivedRequest request) {
    return routing.failed(response, request);
  }

  /// Whether a request is the question of a certificate authority or of a balancer, whichever host
  /// it asks for.
  boolean isForNoHost(HttpRequest head) {
    return isChallenge(head) || isOfBalancer(head);
  }

  /// The answer to such a request. Blocks.
  HttpResponse answerForNoHost(HttpRequest head) {
    HealthAnswers answers = health;
    return answers != null && isOfBalancer(head)
        ? answers.answer(head.method(), head.uri())
        : answerChallenge(head.uri());
  }

  private boolean isOfBalancer(HttpRequest head) {
    return health != null && HealthAnswers.isFor(head.uri());
  }

  private boolean isChallenge(HttpRequest head) {
    return challenges != null
        && head.method().equals(HttpMethod.GET)
        && head.uri().startsWith(CHALLENGES);
  }

  /// The answer to a certificate authority. Blocks.
  private HttpResponse answerChallenge(String target) {
    ChallengeAnswers answers = challenges;
    try {
      String found = answers == null ? null : answers.find(target.substring(CHALLENGES.length()));
      return found == null
          ? HttpResponse.text(404, "There is no such challenge.")
          : HttpResponse.bytes(
              200, "application/octet-stream", found.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      LOG.atError().setCause(e).log("acme_challenge_unreadable");
      return HttpResponse.text(500, "The server has failed to answer this request.");
    }
  }

  /// The response to a request that has failed.
  static HttpResponse error(HttpException failure) {
    return HttpResponse.text(failure.status(), failure.getMessage() + ".");
  }
}
