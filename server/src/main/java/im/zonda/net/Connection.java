package im.zonda.net;

import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
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
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A TCP connection that carries a client's stream: the only handler of its channel, besides TLS.
///
/// Output of one turn of the event loop is collected in one buffer and leaves in one write. What
/// other threads send waits in the [OutboundQueue] until the loop comes by. Output that fails, for
/// want of memory or by a defect, costs this connection and is no business of those who send.
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel, which is told
final class Connection extends OutboundQueue implements StreamTransport, EventHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /// How long what was written may take to leave once the stream has ended.
  private static final long FLUSH_MILLIS = 5_000;

  /// How long the peer may take to close its side after that.
  private static final long LINGER_MILLIS = 2_000;

  /// What a peer may still send after the stream has ended before the connection is cut.
  private static final int LINGER_BYTES = 262_144;

  private final NetServer server;
  private final Loop loop;
  private final Channel channel;
  private final InetAddress address;
  private final ClientStream stream;
  private final TurnOutput output;
  private final WaitingBytes waiting;
  final UnfinishedInput unfinished;

  private @Nullable Connection nextReady;
  private int place = -1;
  private int lingered;
  private long closeAt;
  private boolean secure;
  private boolean gone;
  private boolean dropped;
  private volatile boolean closing;

  Connection(NetServer server, Loop loop, Channel channel, InetAddress address) {
    this.server = server;
    this.loop = loop;
    this.channel = channel;
    this.address = address;
    this.output = new TurnOutput(loop);
    this.waiting = new WaitingBytes(loop);
    this.stream = new ClientStream(server.streams(), this);
    this.unfinished = new UnfinishedInput(loop, channel, stream, address);
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
    put(sink -> StreamXml.writeOpen(opening, sink));
  }

  @Override
  public void write(Stanza stanza) {
    drainStanzas();
    encode(stanza);
  }

  @Override
  public void write(Element element) {
    drainStanzas();
    put(sink -> StreamXml.writeElement(element, sink));
    checkBudget();
  }

  @Override
  public void closeStream() {
    drainStanzas();
    put(StreamXml::writeClose);
  }

  private void put(Consumer<ByteSink> content) {
    if (!writable()) {
      return;
    }
    try {
      content.accept(sink());
      output.count();
    } catch (RuntimeException | Error e) {
      broken(e);
    }
  }

  private boolean writable() {
    return !closing && !gone;
  }

  /// Where output goes: the buffer of this turn.
  private ByteSink sink() {
    boolean first = output.isEmpty();
    ByteBuf buffer = output.buffer(channel, secure);
    if (first) {
      loop.dirty(this);
    }
    return loop.sink().to(buffer);
  }

  @Override
  void encode(ToStream.Deliver deliver) {
    if (encode(deliver.stanza()) && deliver.report()) {
      output.report(deliver.number());
    }
  }

  /// False if it was not written.
  private boolean encode(Stanza stanza) {
    if (!writable() || dropped) {
      return false;
    }
    int before = output.size();
    try {
      stanza.writeTo(sink());
    } catch (RuntimeException e) {
      // Half a stanza must not go out; the others are not to blame.
      output.takeBack(before);
      LOG.atError().setCause(e).log("stanza_not_encoded");
      return false;
    } catch (Error e) {
      // Memory that the network had not (not the heap's, which would end the process).
      broken(e);
      return false;
    }
    output.count();
    loop.counters().stanzasOut.add(1);
    checkBudget();
    return true;
  }

  private long waiting() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return output.size() + (unsent == null ? 0 : unsent.totalPendingWriteBytes());
  }

  private void checkBudget() {
    if (waiting() > server.limits().outboundBytes()) {
      overflow();
    }
  }

  /// Tells the loop what waits for this connection.
  void account() {
    waiting.update(gone ? 0 : waiting(), hasEnded());
  }

  /// What waited for it when it was last looked at.
  long accounted() {
    return waiting.bytes();
  }

  /// Whether nothing more is sent on it.
  boolean hasEnded() {
    return dropped || closing;
  }

  /// Drops what waits and ends the stream.
  void overflow() {
    if (dropped || !writable()) {
      return;
    }
    LOG.atInfo()
        .addKeyValue("address", address.getHostAddress())
        .addKeyValue("waiting", waiting())
        .log("outbound_overflow");
    dropped = true;
    output.release();
    dropAll();
    account();
    loop.counters().overflows.add(1);
    // Later: the sender is in the middle of its own work.
    loop.execute(stream::overflowed);
  }

  /// Its output cannot go on: cuts the connection. What was not sent waits in the log, or for the
  /// session to be resumed.
  void broken(Throwable cause) {
    LOG.atError()
        .addKeyValue("address", remoteAddress().getHostAddress())
        .setCause(cause)
        .log("connection_broken");
    dropped = true;
    closing = true; // the next sweep closes what is not closed by then
    output.release();
    dropAll();
    account();
    // Later: the sender is in the middle of its own work.
    loop.execute(this::cut);
  }

  /// Writes what this turn has collected.
  void flush() {
    if (!output.isEmpty()) {
      stream.flushing();
    }
    long report = output.report();
    ByteBuf buffer = output.take();
    if (buffer == null) {
      return;
    }
    loop.counters().flushes.add(1);
    loop.counters().bytesOut.add(buffer.readableBytes());
    if (report == 0) {
      channel.writeAndFlush(buffer, channel.voidPromise());
    } else {
      channel.writeAndFlush(buffer).addListener(written -> left(written.isSuccess(), report));
    }
    account();
  }

  private void left(boolean success, long report) {
    if (success && report != 0 && !dropped) {
      stream.written(report);
    }
  }

  // ---- output, by any thread

  @Override
  public void deliver(ToStream.Deliver deliver) {
    if (closing) {
      return;
    }
    if (loop.isHere() && isDrained() && !loop.hasCollectedEnough()) {
      encode(deliver);
      return;
    }
    boolean room = push(deliver, server.limits().outboundBytes());
    if (room && schedule()) {
      loop.ready(this);
    }
    if (!room || loop.budget().isTooMuch(queuedBytes())) {
      loop.execute(this::overflow);
    }
  }

  @Override
  public void enqueue(Runnable task) {
    if (!closing && push(task)) {
      loop.ready(this);
    }
  }

  @Override
  void queued(long bytes) {
    loop.budget().queued(bytes);
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
    dropAll();
    if (gone) {
      return;
    }
    closeAt = loop.now() + FLUSH_MILLIS;
    channel.config().setAutoRead(true);
    long report = output.report();
    ByteBuf last = Objects.requireNonNullElse(output.take(), Unpooled.EMPTY_BUFFER);
    loop.counters().flushes.add(1);
    loop.counters().bytesOut.add(last.readableBytes());
    channel
        .writeAndFlush(last)
        .addListener(written -> {
          left(written.isSuccess(), report);
          endOutput(written.isSuccess());
        });
    account();
  }

  /// Everything has left; waits for the peer to close too.
  private void endOutput(boolean flushed) {
    if (flushed) {
      closeAt = loop.now() + LINGER_MILLIS;
      HalfClose.send(channel);
    } else {
      channel.close();
    }
  }

  /// Closes at once, without a word of TLS: its bytes would wait behind all others. On the loop.
  void cut() {
    channel.unsafe().close(channel.newPromise());
  }

  /// Done when the connection is closed.
  Future<Void> closed() {
    return channel.closeFuture();
  }

  /// Looks at the time.
  void sweep(long now) {
    account();
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
    channel
        .pipeline()
        .addFirst(new SpaceBeforeTls(), server.newTls(Listener.Kind.STARTTLS, address));
  }

  @Override
  public boolean secure() {
    return secure;
  }

  @Override
  public byte @Nullable [] channelBinding(ChannelBinding kind) {
    SslHandler tls = secure ? channel.pipeline().get(SslHandler.class) : null;
    return tls == null ? null : TlsBinding.of(tls.engine().getSession(), kind);
  }

  @Override
  public InetAddress remoteAddress() {
    return address;
  }

  @Override
  public void authenticated() {
    server.authenticated(this);
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
    try {
      output.release();
      dropAll();
      account();
      unfinished.clear();
      if (place >= 0) {
        loop.remove(this);
      }
      server.left(this);
    } finally {
      stream.disconnected();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      secure = handshake.isSuccess();
      HandshakeEvent.record(handshake, channel.pipeline().get(SslHandler.class));
    }
  }

  @Override
  @SuppressWarnings("deprecation") // only in the interface that this one overrides it from
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable root = cause.getCause() instanceof SSLException tls ? tls : cause;
    if (root instanceof IOException) {
      // The peer is gone, or does not speak TLS as it should: everyday life.
      LOG.atDebug()
          .addKeyValue("address", address.getHostAddress())
          .addKeyValue("cause", root.toString())
          .log("connection_failed");
      ctx.close();
      return;
    }
    if (cause instanceof VirtualMachineError) {
      // Such as no memory for the network: there may be none for an answer either.
      broken(cause);
      return;
    }
    LOG.atError()
        .addKeyValue("address", address.getHostAddress())
        .setCause(cause)
        .log("connection_broken");
    loop.execute(stream::broken);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    unfinished.count();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    account();
  }
}
