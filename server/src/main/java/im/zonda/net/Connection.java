package im.zonda.net;

import im.zonda.link.ToStream;
import im.zonda.net.tls.TlsHandler;
import im.zonda.net.tls.TlsTransport;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.ByteStream;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamOpening;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.TlsStart;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
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

/// A TCP connection that carries a stream: the only handler of its channel, besides TLS.
///
/// Output of one turn of the event loop leaves in one write. What other threads send waits in the
/// [OutboundQueue] until the loop drains it. Output that fails, for want of memory or by a defect,
/// costs this connection and never those who send.
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel
final class Connection extends OutboundQueue
    implements TlsTransport, EventHandler, Admission.Member {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private final ConnectionContext context;
  private final Loop loop;
  private final Channel channel;
  private final InetAddress address;
  private final ByteStream input;
  private final Stream stream;
  private final ConnectionOutput output;
  private AcceptedChannel.@Nullable Framing framing; // null for bare XML

  /// The next one that the loop has to drain; the loop's.
  @Nullable Connection nextReady;

  /// Where it stands in the loop's list; the loop's.
  int place = -1;

  /// The bytes that it holds of a stanza or a TLS record that is not complete; the loop's.
  int unfinished;

  private final @Nullable Admission admission; // null if this server has made the connection
  private @Nullable Linger linger;
  private boolean secure;
  private boolean gone;
  private boolean dropped;
  private volatile boolean closing;

  Connection(
      ConnectionContext context,
      Loop loop,
      Channel channel,
      InetAddress address,
      StreamProfile profile,
      @Nullable Admission admission) {
    this.context = context;
    this.loop = loop;
    this.channel = channel;
    this.address = address;
    this.output = new ConnectionOutput(loop);
    this.input = new ByteStream(profile, this);
    this.stream = input.stream();
    this.admission = admission;
  }

  /// Elements are messages, of a client whose connection may be encrypted already.
  void frame(AcceptedChannel.Framing form, boolean encrypted) {
    framing = form;
    output.frame(form);
    secure = encrypted;
  }

  Stream stream() {
    return stream;
  }

  @Override
  public byte @Nullable [] channelBinding(ChannelBinding kind) {
    return framing == null ? TlsTransport.super.channelBinding(kind) : null; // as a browser has it
  }

  // ---- output, on the loop

  @Override
  public void open(StreamOpening opening) {
    put(sink -> output.open(opening, sink));
  }

  @Override
  public void write(Stanza stanza) {
    drainStanzas();
    encode(stanza);
  }

  @Override
  public void write(Element element) {
    drainStanzas();
    checkBudget(put(sink -> output.write(element, stream.namespace(), sink)));
  }

  @Override
  public void closeStream() {
    drainStanzas();
    put(output::close);
  }

  /// Returns how many bytes were written; 0 if it was not written.
  private int put(Consumer<ByteSink> content) {
    if (closing || gone) {
      return 0;
    }
    int before = output.size();
    try {
      content.accept(sink());
      return output.collected(before);
    } catch (RuntimeException | Error e) {
      output.takeBack(before);
      broken(e);
      return 0;
    }
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
    if (encode(deliver.stanza())) {
      output.added(deliver);
    }
  }

  private boolean encode(Stanza stanza) {
    int bytes = dropped ? 0 : put(sink -> output.write(stanza, sink));
    if (bytes == 0) {
      return false;
    }
    loop.counters().stanzasOut.add(1);
    checkBudget(bytes);
    return true;
  }

  private long waiting() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return output.size() + (unsent == null ? 0 : unsent.totalPendingWriteBytes());
  }

  private void checkBudget(int last) {
    if (output.exceeds(context.limits().outboundBytes(), last, waiting())) {
      overflow();
    }
  }

  /// Updates the loop's count of what waits for this connection.
  void updateWaiting() {
    output.updateWaiting(gone ? 0 : waiting(), hasEnded());
  }

  int countedBytes() { // at the last updateWaiting
    return output.waiting();
  }

  boolean hasEnded() {
    return dropped || closing;
  }

  /// Discards what waits and ends the stream.
  void overflow() {
    if (dropped || closing || gone) {
      return;
    }
    LOG.atInfo()
        .addKeyValue("address", address.getHostAddress())
        .addKeyValue("waiting", waiting())
        .log("outbound_overflow");
    dropped = true;
    output.release();
    dropAll();
    updateWaiting();
    loop.counters().overflows.add(1);
    // Later: the sender is in the middle of its own work.
    loop.execute(stream::overflowed);
  }

  /// Closes the connection at once because output has failed. What was not sent waits in the log,
  /// or for the session to be resumed.
  void broken(Throwable cause) {
    logBroken(cause);
    dropped = true;
    closing = true; // the next sweep closes what is not closed by then
    output.release();
    dropAll();
    updateWaiting();
    loop.execute(this::cut); // later, as in #overflow
  }

  private void logBroken(Throwable cause) {
    String peer = address.getHostAddress();
    LOG.atError().addKeyValue("address", peer).setCause(cause).log("connection_broken");
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
    output.written(stream.namespace());
    updateWaiting();
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
    boolean room = push(deliver, context.limits().outboundBytes());
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

  /// Ends the stream and discards what it holds of a stanza or a TLS record that is not complete.
  void dropUnfinished() {
    if (stream.closed() || TlsHandler.isInHandshake(channel)) {
      channel.close();
    } else {
      input.dropUnfinished();
    }
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
    Linger lingering = new Linger(loop.now());
    linger = lingering;
    channel.config().setAutoRead(true);
    long report = output.report();
    ByteBuf last = Objects.requireNonNullElse(output.take(), Unpooled.EMPTY_BUFFER);
    loop.counters().flushes.add(1);
    loop.counters().bytesOut.add(last.readableBytes());
    channel
        .writeAndFlush(last)
        .addListener(written -> {
          left(written.isSuccess(), report);
          stream.outputEnded();
          lingering.outputEnded(channel, written.isSuccess(), loop.now());
        });
    updateWaiting();
  }

  /// Closes at once, without `close_notify`, which would wait behind all other output. On the loop.
  @Override
  public void cut() {
    channel.unsafe().close(channel.newPromise());
  }

  Future<Void> closed() {
    return channel.closeFuture();
  }

  void sweep(long now) {
    updateWaiting();
    if (!closing) {
      stream.tick();
    } else if (linger == null || linger.isOver(now)) {
      channel.close();
    }
  }

  // ---- TLS and facts

  @Override
  public void startTls(TlsStart start) {
    flush();
    context.newTls(start, address).start(channel);
  }

  @Override
  public boolean canStartTls() {
    return !secure && framing == null;
  }

  @Override
  public boolean secure() {
    return secure;
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
  public void authenticated() {
    if (admission != null) {
      admission.authenticated(this);
    }
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

  // ---- events of the channel

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    loop.add(this);
    if (admission == null) {
      stream.connected();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf buffer)) {
      ReferenceCountUtil.release(message);
      return;
    }
    int length = buffer.readableBytes();
    byte[] bytes = loop.receive(buffer);
    if (closing) {
      Linger lingering = linger;
      if (lingering == null || !lingering.accept(length)) {
        ctx.close();
      }
      return;
    }
    AcceptedChannel.Framing form = framing;
    if (form == null) {
      input.input(bytes, 0, length);
    } else if (!form.input(bytes, length, input, more -> put(sink -> sink.put(more)))) {
      flush();
      ctx.close();
    }
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
      updateWaiting();
      loop.unfinished(this, 0);
      if (place >= 0) {
        loop.remove(this);
      }
      if (admission != null) {
        admission.leave(this);
      }
    } finally {
      stream.disconnected();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      secure = handshake.isSuccess();
      TlsHandler.record(channel, handshake);
      if (secure) {
        stream.secured();
      }
    }
  }

  @Override
  @SuppressWarnings("deprecation") // only in the interface that this one overrides it from
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable root = cause.getCause() instanceof SSLException tls ? tls : cause;
    if (root instanceof IOException) {
      // The peer is gone, or does not speak TLS as it should.
      LOG.atDebug()
          .addKeyValue("address", address.getHostAddress())
          .addKeyValue("cause", root.toString())
          .log("connection_failed");
      ctx.close();
      return;
    }
    if (cause instanceof VirtualMachineError) {
      broken(cause); // no memory for the network, perhaps: there may be none for an answer either
      return;
    }
    logBroken(cause);
    loop.execute(() -> stream.fail(StreamErrorCondition.INTERNAL_SERVER_ERROR, null));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    loop.unfinished(this, input.unfinishedBytes() + TlsHandler.unfinishedBytes(channel));
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    updateWaiting();
  }
}
