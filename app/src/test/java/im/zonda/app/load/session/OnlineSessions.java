package im.zonda.app.load.session;

import im.zonda.app.load.measure.Rate;
import im.zonda.app.load.options.ManagedOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Sessions that log in and then do nothing, until the measured time is over.
public final class OnlineSessions {
  private OnlineSessions() {}

  /// Runs the load; prints how the logins went when all are online.
  public static void run(ManagedOptions options, PrintStream out) throws IOException {
    try (ManagedSessions sessions = new ManagedSessions(options, new ConcurrentHashMap<>())) {
      out.println("online: " + sessions.logIn());
      Rate.pause(TimeUnit.SECONDS.toMillis(options.load().seconds()));
    }
  }
}
