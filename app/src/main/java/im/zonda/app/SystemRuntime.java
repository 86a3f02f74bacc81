package im.zonda.app;

import im.zonda.runtime.ServerRuntime;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/// Makes the [ServerRuntime] of a process.
final class SystemRuntime {
  private SystemRuntime() {}

  /// The time of this machine and randomness of the platform, with these threads.
  static ServerRuntime with(Timers timers, Executor workers) {
    SecureRandom random = new SecureRandom();
    return new ServerRuntime(
        InstantSource.system(), timers, new RandomIds(random), random, workers);
  }
}
