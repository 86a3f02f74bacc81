package im.zonda.net.http;

import im.zonda.config.Http;
import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpException;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpResponse;
import im.zonda.net.AcceptLimits;
import im.zonda.net.AcceptedChannel;
import im.zonda.net.Listener;
import im.zonda.stream.TlsStart;
import im.zonda.throttle.UnauthenticatedConnections;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Serves HTTP on connections that the network accepts. Any thread may call.
public final class HttpServer {
  private static final TlsStart TLS = TlsStart.server(List.of("http/1.1"));

  /// The most requests that are handled at a time: above it the newest connection of the address
  /// with most of them is closed. Each holds at most about 50 KiB.
  private static final int MAX_REQUESTS = 1_000;

  private final Http settings;
  private final HttpLimits limits;
  private final HttpHosts hosts;
  private final HostChoice choice;
  private final Routing routing;
  private final WebSocketUpgrade upgrade;
  private final TrustedProxies proxies;
  private final Environment environment;
  private final UnauthenticatedConnections<AcceptedChannel> handled =
      new UnauthenticatedConnections<>(MAX_REQUESTS);

  /// What it runs on.
  ///
  /// @param workers runs what may block, each task on a thread of its own
  public record Environment(InstantSource clock, Executor workers) {}

  public HttpServer(Http settings, HttpLimits limits, HttpHosts hosts, Environment environment) {
    this.settings = settings;
    this.limits = limits;
    this.hosts = hosts;
    this.choice = new HostChoice(settings, hosts);
    this.routing = new Routing(settings);
    this.upgrade = new WebSocketUpgrade(routing);
    this.proxies = new TrustedProxies(settings.trustedProxies());
    this.environment = environment;
  }

  /// Where connections are to be accepted.
  public List<Listener> listeners() {
    AcceptLimits accept = new AcceptLimits(limits.connectionsPerAddress(), limits.connections());
    AcceptedChannel.Setup setup = this::set;
    List<Listener> listeners = new ArrayList<>();
    for (String address : settings.listen()) {
      listeners.add(Listener.parse(Listener.Kind.HTTP, address).withSetup(setup, accept));
    }
    for (String address : settings.listenTls()) {
      listeners.add(Listener.parse(Listener.Kind.HTTPS, address).withSetup(setup, accept));
    }
    return listeners;
  }

  private void set(AcceptedChannel accepted) {
    Channel channel = accepted.channel();
    channel.config().setAutoRead(false);
    ChannelPipeline pipeline = channel.pipeline();
    if (accepted.isDirectTls()) {
      pipeline.addLast(accepted.newTls(TLS));
    }
    pipeline.addLast(
        new RequestDecoder(limits), new HttpResponseEncoder(), new HttpConnection(this, accepted));
  }

  // ---- for connections

  HttpLimits limits() {
    return limits;
  }

  HostChoice hosts() {
    return choice;
  }

  Executor workers() {
    return environment.workers();
  }

  WebSocketUpgrade upgrade() {
    return upgrade;
  }

  TrustedProxies proxies() {
    return proxies;
  }

  ResponseWriter writer(Channel channel) {
    return new ResponseWriter(channel, environment.clock(), limits.bodyTime());
  }

  /// A request of a connection is handled from now on; returns the connection to close for it.
  @Nullable AcceptedChannel entered(AcceptedChannel connection) {
    return handled.enter(connection.remoteAddress(), connection);
  }

  /// No request of the connection is handled any more.
  void left(AcceptedChannel connection) {
    handled.leave(connection.remoteAddress(), connection);
  }

  /// The answer to a request. Blocks.
  HttpResponse answer(ReceivedRequest request) throws IOException {
    return routing.answer(request, hosts.routes(request.domain()));
  }

  /// The response to a request that has failed.
  static HttpResponse error(HttpException failure) {
    return HttpResponse.text(failure.status(), failure.getMessage() + ".");
  }
}
