package im.zonda.net;

import im.zonda.net.proxy.ProxyHeaders;
import im.zonda.net.tls.DomainBeforeTls;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.TlsStart;
import im.zonda.throttle.ConnectionThrottle;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Sets up the connections of one listener: at once, or when a proxy has named the client.
@SuppressWarnings("FutureReturnValueIgnored") // a refused connection is not waited for
final class Acceptor extends ChannelInitializer<Channel> {
  private final ConnectionContext context;
  private final Listener listener;
  private final Admission admission;

  Acceptor(ConnectionContext context, Listener listener, Admission admission) {
    this.context = context;
    this.listener = listener;
    this.admission = admission;
  }

  @Override
  protected void initChannel(Channel channel) {
    if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
      channel.close(); // gone already
      return;
    }
    ProxyHeaders proxies = listener.proxies();
    if (proxies == null) {
      accept(channel, remote.getAddress());
    } else {
      proxies.await(channel, remote.getAddress(), behind(channel, remote.getAddress()));
    }
  }

  private ProxyHeaders.Receiver behind(Channel channel, InetAddress proxy) {
    return new ProxyHeaders.Receiver() {
      @Override
      public void accept(InetAddress client) {
        Acceptor.this.accept(channel, client);
      }

      @Override
      public void refused(String reason) {
        admission.refuse(
            proxy, ConnectionThrottle.Refusal.PROXY_HEADER, reason, context.loopOf(channel));
      }
    };
  }

  private void accept(Channel channel, InetAddress address) {
    Loop loop = context.loopOf(channel);
    if (!admission.admit(address, loop)) {
      channel.close();
      return;
    }
    boolean set = false;
    try {
      set(loop, channel, address);
      set = true;
    } finally {
      if (!set) {
        admission.withdraw(address); // no connection will
      }
    }
  }

  /// TLS, or what looks at the domain first on which it depends.
  private ChannelHandler firstHandler(TlsStart start, InetAddress address) {
    return start.requestedFor() == null
        ? context.newTls(start, address)
        : new DomainBeforeTls(
            domain -> context.newTls(start.wanting(domain), address),
            context.limits().negotiationTime());
  }

  private void set(Loop loop, Channel channel, InetAddress address) {
    AcceptedChannel.Setup setup = listener.setup();
    if (setup != null) {
      new NetworkChannel(context, channel, address, listener.kind(), admission).open(setup, loop);
      return;
    }
    StreamProfile profile = admission.profile();
    Connection connection = new Connection(context, loop, channel, address, profile, admission);
    if (listener.kind().isDirectTls()) {
      channel.pipeline().addLast(firstHandler(profile.directTls(), address));
    }
    channel.pipeline().addLast(connection);
    admission.enter(connection, loop);
  }
}
