package im.zonda.net.loop;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.SingleThreadIoEventLoop;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// An event loop that notes how long each of its turns takes: a turn has the events of connections
/// and the tasks that are there when it has waited. That costs four looks at the clock a turn.
public final class MeasuredLoop extends SingleThreadIoEventLoop {
  private final Io io;
  private final LoopTimes times = new LoopTimes();

  MeasuredLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory factory) {
    Io[] made = new Io[1];
    super(
        parent,
        executor,
        thread -> {
          made[0] = new Io(factory.newHandler(thread));
          return made[0];
        });
    io = made[0];
  }

  /// The figures of this loop since the start.
  ///
  /// @param loop its number
  /// @param connections how many it has
  public LoopFigures figures(int loop, long connections) {
    return new LoopFigures(
        loop,
        connections,
        times.events(),
        Duration.ofNanos(times.busy()),
        pendingTasks(),
        Duration.ofNanos(times.longest(System.nanoTime())));
  }

  @Override
  protected boolean runAllTasks(long quantum) {
    long begun = System.nanoTime();
    boolean ran = super.runAllTasks(quantum);
    long now = System.nanoTime();
    times.turn(io.handled, io.active + now - begun, now);
    io.handled = 0;
    io.active = 0;
    return ran;
  }

  /// Has the handler say how long it works without its wait.
  private static final class Io implements IoHandler, IoHandlerContext {
    private final IoHandler handler;
    private @Nullable IoHandlerContext context;
    private int handled;
    private long active;

    Io(IoHandler handler) {
      this.handler = handler;
    }

    @Override
    public int run(IoHandlerContext given) {
      context = given;
      int events = handler.run(this);
      handled += events;
      return events;
    }

    @Override
    public void initialize() {
      handler.initialize();
    }

    @Override
    public void prepareToDestroy() {
      handler.prepareToDestroy();
    }

    @Override
    public void destroy() {
      handler.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
      return handler.register(handle);
    }

    @Override
    public void wakeup() {
      handler.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
      return handler.isCompatible(type);
    }

    private IoHandlerContext given() {
      IoHandlerContext now = context;
      if (now == null) {
        throw new IllegalStateException("not within a run");
      }
      return now;
    }

    @Override
    public boolean canBlock() {
      return given().canBlock();
    }

    @Override
    public long delayNanos(long now) {
      return given().delayNanos(now);
    }

    @Override
    public long deadlineNanos() {
      return given().deadlineNanos();
    }

    @Override
    public boolean shouldReportActiveIoTime() {
      return true;
    }

    @Override
    public void reportActiveIoTime(long nanos) {
      active += nanos;
    }
  }
}
