package im.zonda.bench.compare;

import im.zonda.bench.load.Plan;
import im.zonda.bench.target.Target;
import im.zonda.bench.target.WrappedTarget;
import java.io.IOException;

/// A target that is started once and stays over several runs.
public final class StartedTarget extends WrappedTarget {
  private boolean started;
  private boolean closed;

  /// @param target is not started yet
  public StartedTarget(Target target) {
    super(target);
  }

  @Override
  public void start(Plan plan) throws IOException {
    if (!started) {
      started = true;
      super.start(plan);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      super.close();
    }
  }
}
