package im.zonda.net;

import im.zonda.net.tls.TlsHandler;
import im.zonda.stream.TlsStart;
import io.netty.channel.Channel;
import java.net.InetAddress;

/// One that came over the network, and counts as a connection of its address.
final class NetworkChannel implements AcceptedChannel, Admission.Member {
  private final ConnectionContext context;
  private final Channel channel;
  private InetAddress address;
  private final Listener.Kind kind;
  private final Admission admission;
  private boolean isStream;

  NetworkChannel(
      ConnectionContext context,
      Channel channel,
      InetAddress address,
      Listener.Kind kind,
      Admission admission) {
    this.context = context;
    this.channel = channel;
    this.address = address;
    this.kind = kind;
    this.admission = admission;
  }

  /// Adds the handlers, and counts the connection until it is closed.
  @SuppressWarnings("FutureReturnValueIgnored") // the listener is added to the close future
  void open(Setup setup, Loop loop) {
    setup.set(this);
    channel
        .closeFuture()
        .addListener(closed -> {
          if (!isStream) {
            admission.leave(this);
          }
        });
    admission.enter(this, loop);
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public InetAddress remoteAddress() {
    return address;
  }

  @Override
  public boolean isFor(InetAddress client) {
    if (client.equals(address)) {
      return true;
    }
    if (!admission.move(this, client, context.loopOf(channel))) {
      return false;
    }
    address = client;
    return true;
  }

  @Override
  public boolean accepts(InetAddress client) {
    return !admission.isBanned(client);
  }

  @Override
  public boolean isOtherProtocolOn(Loop loop) {
    return context.loopOf(channel).equals(loop);
  }

  @Override
  public boolean isDirectTls() {
    return kind.isDirectTls();
  }

  @Override
  public TlsHandler newTls(TlsStart start) {
    return context.newTls(start, address);
  }

  @Override
  public boolean mayBecomeStream() {
    return context.isAccepting();
  }

  @Override
  public void becomeStream(Framing framing, boolean secure) {
    isStream = true;
    Loop loop = context.loopOf(channel);
    Connection connection =
        new Connection(context, loop, channel, address, admission.profile(), admission);
    connection.frame(framing, secure);
    channel.pipeline().addLast(connection);
    admission.replace(this, connection, loop);
    connection.channelActive(channel.pipeline().context(connection));
    channel.config().setAutoRead(true);
  }

  @Override
  public void execute(Runnable task) {
    channel.eventLoop().execute(task);
  }

  @Override
  public void cut() {
    channel.unsafe().close(channel.newPromise());
  }
}
