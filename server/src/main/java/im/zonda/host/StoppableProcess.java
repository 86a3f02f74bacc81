package im.zonda.host;

import im.zonda.module.ServerControl;
import org.jspecify.annotations.Nullable;

/// The process that the server runs in, once it is known.
final class StoppableProcess implements ServerControl {
  private volatile @Nullable ServerControl process;

  void set(ServerControl control) {
    process = control;
  }

  @Override
  public boolean isAvailable() {
    ServerControl known = process;
    return known != null && known.isAvailable();
  }

  @Override
  public void stop(boolean restart) {
    ServerControl known = process;
    if (known == null) {
      throw new IllegalStateException("this process cannot be stopped");
    }
    known.stop(restart);
  }
}
