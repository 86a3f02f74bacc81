package im.zonda.net.edge;

import im.zonda.edge.EdgeWire;
import im.zonda.net.tls.MutualTls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A TLS connection that carries frames: the length in four bytes, then the bytes. The first frame
/// after a pause leaves at once; those that follow within a millisecond leave together, because a
/// write to the network costs far more than a frame. A connection on which nothing comes for some
/// seconds, or for which too much waits, is closed.
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel
final class FrameChannel extends ChannelInboundHandlerAdapter implements EdgeWire {
  private static final Logger LOG = LoggerFactory.getLogger(FrameChannel.class);

  /// Silence after which the other side counts as dead, in ms; it sends once a second.
  private static final long SILENCE_MILLIS = 15_000;

  private static final int LENGTH_BYTES = 4;

  /// What one write takes, in bytes.
  private static final int BATCH_BYTES = 65_536;

  /// The time between two writes, in ns.
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Channel channel;
  private final String peer;
  private final SslHandler tls;
  private final Acceptor acceptor;
  private final Bounds bounds;
  private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Runnable flushTask = this::flush;
  private final Runnable flushSoonTask = this::flushSoon;

  private volatile boolean over;

  // ---- confined to the event loop

  private @Nullable Handler handler;
  private @Nullable ScheduledFuture<?> ticking;
  private long lastInput;
  private long lastFlush = System.nanoTime() - PAUSE_NANOS;
  private boolean wasFull;
  private boolean finishing;

  /// Bounds of a connection.
  ///
  /// @param frameBytes the most bytes of one frame
  /// @param fullBytes bytes that wait above which senders should pause
  /// @param mostBytes bytes that wait above which the connection is closed
  record Bounds(int frameBytes, long fullBytes, long mostBytes) {}

  /// A frame that has not left.
  ///
  /// @param since when its cause came to this process, or 0
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  private record Waiting(byte[] frame, long since) {}

  private FrameChannel(
      Channel channel, String peer, SslHandler tls, Acceptor acceptor, Bounds bounds) {
    this.channel = channel;
    this.peer = peer;
    this.tls = tls;
    this.acceptor = acceptor;
    this.bounds = bounds;
  }

  /// Sets up a new channel.
  ///
  /// @param peer the other side, for the log
  static void on(Channel channel, String peer, SslHandler tls, Acceptor acceptor, Bounds bounds) {
    channel
        .pipeline()
        .addLast(
            tls,
            new LengthFieldBasedFrameDecoder(bounds.frameBytes(), 0, LENGTH_BYTES, 0, LENGTH_BYTES),
            new FrameChannel(channel, peer, tls, acceptor, bounds));
  }

  // ---- output, by any thread

  @Override
  public void send(byte[] frame) {
    send(frame, 0);
  }

  @Override
  public void send(byte[] frame, long since) {
    if (over) {
      return;
    }
    queue.add(new Waiting(frame, since));
    long bytes = waiting.addAndGet(frame.length + LENGTH_BYTES);
    if (scheduled.compareAndSet(false, true)) {
      execute(flushSoonTask);
    }
    if (bytes - frame.length - LENGTH_BYTES > bounds.mostBytes()) { // a large one may be alone
      close("too much waits to be sent");
    }
  }

  @Override
  public boolean isFull() {
    return waiting.get() > bounds.fullBytes();
  }

  @Override
  public void execute(Runnable task) {
    try {
      channel.eventLoop().execute(task);
    } catch (RejectedExecutionException e) {
      task.run(); // the loop has ended: nothing runs beside the task
    }
  }

  @Override
  public long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public void close(String reason) {
    if (!over) {
      over = true;
      LOG.atWarn().addKeyValue("peer", peer).addKeyValue("reason", reason).log("edge_wire_closed");
      execute(channel::close);
    }
  }

  @Override
  public void finish() {
    execute(() -> {
      finishing = true;
      flush();
    });
  }

  private void flushSoon() {
    long pause = lastFlush + PAUSE_NANOS - System.nanoTime();
    if (pause > 0) {
      channel.eventLoop().schedule(flushTask, pause, TimeUnit.NANOSECONDS);
    } else {
      flush();
    }
  }

  private void flush() {
    lastFlush = System.nanoTime();
    scheduled.set(false);
    for (Waiting next = queue.poll(); next != null; next = queue.poll()) {
      ByteBuf batch =
          channel
              .alloc()
              .heapBuffer(Math.max(next.frame().length + LENGTH_BYTES, BATCH_BYTES / 16));
      write(next, batch);
      while (batch.readableBytes() < BATCH_BYTES && (next = queue.poll()) != null) {
        write(next, batch);
      }
      int bytes = batch.readableBytes();
      channel.write(batch).addListener(written -> left(bytes));
    }
    channel.flush();
    wasFull |= isFull();
    if (finishing) {
      over = true;
      tls.closeOutbound().addListener(sent -> channel.close());
    }
  }

  private void write(Waiting next, ByteBuf batch) {
    batch.writeInt(next.frame().length).writeBytes(next.frame());
    Handler own = handler;
    if (next.since() != 0 && own != null) {
      own.written(System.nanoTime() - next.since());
    }
  }

  private void left(long bytes) {
    waiting.addAndGet(-bytes);
    Handler own = handler;
    if (wasFull && own != null && waiting.get() <= bounds.fullBytes() / 2) {
      wasFull = false;
      own.drained();
    }
  }

  // ---- events of the channel

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      String name = handshake.isSuccess() ? MutualTls.peer(tls) : null;
      if (name == null) {
        LOG.atWarn()
            .addKeyValue("peer", peer)
            .addKeyValue("reason", String.valueOf(handshake.cause()))
            .log("edge_wire_refused");
        ctx.close();
        return;
      }
      lastInput = now();
      handler = acceptor.accept(this, name);
      ticking = channel.eventLoop().scheduleWithFixedDelay(this::tick, 1, 1, TimeUnit.SECONDS);
    }
  }

  private void tick() {
    Handler own = handler;
    if (own == null) {
      return;
    }
    if (now() - lastInput > SILENCE_MILLIS) {
      close("nothing has come for too long");
      return;
    }
    try {
      own.tick();
    } catch (RuntimeException | Error e) {
      fail(e); // it would end the timer
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    Handler own = handler;
    if (!(message instanceof ByteBuf buffer) || own == null || over) {
      ReferenceCountUtil.release(message);
      return;
    }
    lastInput = now();
    byte[] frame = new byte[buffer.readableBytes()];
    buffer.readBytes(frame).release();
    own.received(frame);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    over = true;
    queue.clear();
    Handler own = handler;
    handler = null;
    ScheduledFuture<?> timer = ticking;
    if (timer != null) {
      timer.cancel(false);
    }
    if (own != null) {
      own.ended();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      close(String.valueOf(cause.getMessage())); // the other side, or the network
    } else {
      fail(cause);
    }
  }

  private void fail(Throwable cause) {
    LOG.atWarn().addKeyValue("peer", peer).setCause(cause).log("edge_wire_failed");
    close("a failure");
  }
}
