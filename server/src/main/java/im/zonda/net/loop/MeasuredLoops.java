package im.zonda.net.loop;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/// The event loops of a server, each a [MeasuredLoop].
public final class MeasuredLoops extends MultiThreadIoEventLoopGroup {
  /// That many of them.
  public MeasuredLoops(int loops, ThreadFactory threads, IoHandlerFactory io) {
    super(loops, threads, io);
  }

  @Override
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... none) {
    return new MeasuredLoop(this, executor, io);
  }
}
