package im.zonda.net;

import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.ClientStream;
import im.zonda.stream.StreamOpening;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.StreamXml;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A TCP connection that carries a client's stream: the only handler of its channel, besides TLS.
///
/// Output of one turn of the event loop is collected in one buffer and leaves in one write. What
/// other threads send waits in the [OutboundQueue] until the loop comes by.
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel, which is told
final class Connection extends OutboundQueue implements StreamTransport, ChannelInboundHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /// How long what was written may take to leave once the stream has ended.
  private static final long FLUSH_MILLIS = 5_000;

  /// How long the peer may take to close its side after that.
  private static final long LINGER_MILLIS = 2_000;

  /// What a peer may still send after the stream has ended before the connection is cut.
  private static final int LINGER_BYTES = 262_144;

  /// Stanzas that other threads may have sent before the loop comes by.
  private static final int QUEUE_CAPACITY = 16_384;

  private static final int BUFFER_BYTES = 512;
  private final NetServer server;
  private final Loop loop;
  private final Channel channel;
  private final ClientStream stream;
  final UnfinishedInput unfinished;
  private @Nullable ByteBuf pending;
  private @Nullable List<Runnable> leaving;
  private @Nullable Connection nextReady;
  private int place = -1;
  private int lingered;
  private long closeAt;
  private boolean secure;
  private boolean gone;
  private boolean dropped;
  private volatile boolean closing;

  Connection(NetServer server, Loop loop, Channel channel) {
    this.server = server;
    this.loop = loop;
    this.channel = channel;
    this.stream = new ClientStream(server.streams(), this);
    this.unfinished = new UnfinishedInput(loop, channel, stream, remoteAddress());
  }

  ClientStream stream() {
    return stream;
  }

  int place() {
    return place;
  }

  void place(int newPlace) {
    place = newPlace;
  }

  @Nullable Connection nextReady() {
    return nextReady;
  }

  void nextReady(@Nullable Connection next) {
    nextReady = next;
  }

  // ---- output, on the loop

  @Override
  public void open(StreamOpening opening) {
    if (writable()) {
      StreamXml.writeOpen(opening, sink());
    }
  }

  @Override
  public void write(Element element) {
    drain();
    if (writable()) {
      StreamXml.writeElement(element, sink());
      checkBudget();
    }
  }

  @Override
  public void closeStream() {
    drain();
    if (writable()) {
      StreamXml.writeClose(sink());
    }
  }

  private boolean writable() {
    return !closing && !gone;
  }

  /// Where output goes: the buffer of this turn.
  private ByteSink sink() {
    ByteBuf buffer = pending;
    if (buffer == null) {
      // The TLS engine of Java works on arrays.
      buffer =
          secure
              ? channel.alloc().heapBuffer(BUFFER_BYTES)
              : channel.alloc().directBuffer(BUFFER_BYTES);
      pending = buffer;
      loop.dirty(this);
    }
    return loop.sink().to(buffer);
  }

  private void encode(Stanza stanza, @Nullable Runnable left) {
    if (!writable() || dropped) {
      return;
    }
    ByteSink sink = sink();
    ByteBuf buffer = pending;
    int before = buffer == null ? 0 : buffer.writerIndex();
    try {
      stanza.writeTo(sink);
    } catch (RuntimeException e) {
      // Half a stanza must not go out; the others are not to blame.
      if (buffer != null) {
        buffer.writerIndex(before);
      }
      LOG.atError().setCause(e).log("stanza_not_encoded");
      return;
    }
    loop.counters().stanzasOut.add(1);
    if (left != null) {
      List<Runnable> waiting = leaving;
      if (waiting == null) {
        waiting = new ArrayList<>();
        leaving = waiting;
      }
      waiting.add(left);
    }
    checkBudget();
  }

  private void checkBudget() {
    ByteBuf buffer = pending;
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    long waiting =
        (buffer == null ? 0 : buffer.readableBytes())
            + (unsent == null ? 0 : unsent.totalPendingWriteBytes());
    if (waiting > server.limits().outboundBytes()) {
      overflow();
    }
  }

  /// Drops what waits and ends the stream.
  private void overflow() {
    if (dropped || !writable()) {
      return;
    }
    dropped = true;
    releasePending();
    takeAll();
    loop.counters().overflows.add(1);
    LOG.atInfo().addKeyValue("address", remoteAddress().getHostAddress()).log("outbound_overflow");
    // Later: whoever sends may hold a lock that the end of the stream needs too.
    loop.execute(stream::overflowed);
  }

  /// Writes what this turn has collected.
  void flush() {
    if (pending != null) {
      stream.flushing();
    }
    ByteBuf buffer = pending;
    List<Runnable> left = leaving;
    pending = null;
    leaving = null;
    if (buffer == null) {
      return;
    }
    loop.counters().flushes.add(1);
    loop.counters().bytesOut.add(buffer.readableBytes());
    if (left == null) {
      channel.writeAndFlush(buffer, channel.voidPromise());
    } else {
      channel.writeAndFlush(buffer).addListener(written -> left(written.isSuccess(), left));
    }
  }

  private void left(boolean success, List<Runnable> left) {
    if (!success || dropped) {
      return;
    }
    for (Runnable action : left) {
      try {
        action.run();
      } catch (RuntimeException e) {
        LOG.atError().setCause(e).log("left_callback_failed");
      }
    }
  }

  private void releasePending() {
    ByteBuf buffer = pending;
    if (buffer != null) {
      pending = null;
      buffer.release();
    }
    leaving = null;
  }

  // ---- output, by any thread

  @Override
  public void send(Stanza stanza, @Nullable Runnable left) {
    if (closing) {
      return;
    }
    if (nothingQueued() && loop.isHere()) {
      encode(stanza, left);
      return;
    }
    if (!push(stanza, left, QUEUE_CAPACITY)) {
      loop.execute(this::overflow);
    } else if (schedule()) {
      loop.ready(this);
    }
  }

  /// Writes what other threads have sent.
  void drain() {
    for (Entry entry = takeAll(); entry != null; entry = entry.next) {
      encode(entry.stanza, entry.left);
    }
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  // ---- the end

  @Override
  public void close() {
    if (closing) {
      return;
    }
    closing = true;
    takeAll();
    if (gone) {
      return;
    }
    closeAt = loop.now() + FLUSH_MILLIS;
    channel.config().setAutoRead(true);
    ByteBuf last = pending;
    List<Runnable> left = leaving;
    pending = null;
    leaving = null;
    if (last == null) {
      last = Unpooled.EMPTY_BUFFER;
    }
    loop.counters().flushes.add(1);
    loop.counters().bytesOut.add(last.readableBytes());
    channel
        .writeAndFlush(last)
        .addListener(written -> {
          if (left != null) {
            left(written.isSuccess(), left);
          }
          endOutput(written.isSuccess());
        });
  }

  /// Everything has left: tells the peer and waits for it to close too. Closing at once could
  /// destroy what is still on its way to the peer.
  private void endOutput(boolean flushed) {
    if (!flushed) {
      channel.close();
      return;
    }
    closeAt = loop.now() + LINGER_MILLIS;
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      shutdownOutput();
    } else {
      tls.closeOutbound().addListener(sent -> shutdownOutput());
    }
  }

  private void shutdownOutput() {
    if (channel.isActive() && channel instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
    }
  }

  /// Closes at once.
  void cut() {
    channel.close();
  }

  /// Done when the connection is closed.
  Future<Void> closed() {
    return channel.closeFuture();
  }

  /// Looks at the time.
  void sweep(long now) {
    if (!closing) {
      stream.tick();
    } else if (now > closeAt) {
      channel.close();
    }
  }

  // ---- TLS and facts

  @Override
  public void startTls() {
    flush();
    channel.pipeline().addFirst(server.newTls(Listener.Kind.STARTTLS));
  }

  @Override
  public boolean secure() {
    return secure;
  }

  @Override
  public boolean canStartTls() {
    return !secure;
  }

  @Override
  public byte @Nullable [] channelBinding(ChannelBinding kind) {
    SslHandler tls = secure ? channel.pipeline().get(SslHandler.class) : null;
    return tls == null ? null : TlsBinding.of(tls.engine().getSession(), kind);
  }

  @Override
  public boolean loopback() {
    return remoteAddress().isLoopbackAddress();
  }

  @Override
  public InetAddress remoteAddress() {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress()
        : InetAddress.getLoopbackAddress();
  }

  @Override
  public void reading(boolean on) {
    channel.config().setAutoRead(on);
  }

  @Override
  public void received() {
    loop.counters().stanzasIn.add(1);
  }

  @Override
  public long now() {
    return loop.now();
  }

  // ---- what the channel tells

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    loop.add(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf buffer)) {
      ReferenceCountUtil.release(message);
      return;
    }
    int length = buffer.readableBytes();
    byte[] bytes = loop.scratch(length);
    buffer.getBytes(buffer.readerIndex(), bytes, 0, length);
    buffer.release();
    loop.counters().bytesIn.add(length);
    if (closing) {
      lingered += length;
      if (lingered > LINGER_BYTES) {
        ctx.close();
      }
      return;
    }
    stream.input(bytes, 0, length);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (gone) {
      return;
    }
    gone = true;
    closing = true;
    releasePending();
    takeAll();
    unfinished.clear();
    if (place >= 0) {
      loop.remove(this);
    }
    server.left(this);
    stream.disconnected();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      secure = handshake.isSuccess();
      record(handshake);
    }
  }

  private void record(SslHandshakeCompletionEvent handshake) {
    HandshakeEvent event = new HandshakeEvent();
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (event.isEnabled() && tls != null) {
      SSLSession session = tls.engine().getSession();
      event.protocol = session.getProtocol();
      event.cipherSuite = session.getCipherSuite();
      event.failure = handshake.isSuccess() ? null : String.valueOf(handshake.cause());
      event.commit();
    }
  }

  @Override
  @SuppressWarnings("deprecation") // only in the interface that this one overrides it from
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable root = cause.getCause() instanceof SSLException tls ? tls : cause;
    if (root instanceof IOException) {
      // The peer is gone, or does not speak TLS as it should: everyday life.
      LOG.atDebug()
          .addKeyValue("address", remoteAddress().getHostAddress())
          .addKeyValue("cause", root.toString())
          .log("connection_failed");
      ctx.close();
      return;
    }
    LOG.atError()
        .addKeyValue("address", remoteAddress().getHostAddress())
        .setCause(cause)
        .log("connection_broken");
    stream.close(StreamErrorCondition.INTERNAL_SERVER_ERROR, null);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    unfinished.count();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {}

  @Override
  public void channelRegistered(ChannelHandlerContext ctx) {}

  @Override
  public void channelUnregistered(ChannelHandlerContext ctx) {}

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {}

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {}
}
