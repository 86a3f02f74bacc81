package im.zonda.app.operation;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.operation.token.ApiTokens;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.AuditStore;
import im.zonda.timer.PeriodicTask;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Erases, once a day at one node of a cluster, what administrators did long ago, and tokens that
/// expired long ago.
///
/// @param config the configuration at present
/// @param isHere whether a home is at this node
record AuditRetention(
    AuditStore store,
    ApiTokens tokens,
    Supplier<ServerConfig> config,
    Predicate<Jid> isHere,
    InstantSource clock) {
  private static final Logger LOG = LoggerFactory.getLogger(AuditRetention.class);
  private static final Duration FIRST = Duration.ofMinutes(10);
  private static final Duration PERIOD = Duration.ofDays(1);
  private static final int PORTION = 1_000;

  /// Begins.
  PeriodicTask start(ServerRuntime runtime) {
    return PeriodicTask.start(runtime.scheduler(), FIRST, PERIOD, runtime.workers(), this::run);
  }

  void run() {
    ServerConfig current = config.get();
    if (!isHere.test(Jid.of(null, current.hosts().getFirst(), "audit"))) {
      return;
    }
    tokens.clean();
    int days = current.audit().keepDays();
    if (days == 0) {
      return;
    }
    int all = 0;
    int some;
    do {
      some = store.erase(clock.instant().minus(Duration.ofDays(days)), PORTION);
      all += some;
    } while (some == PORTION);
    if (all > 0) {
      LOG.atInfo().addKeyValue("events", all).log("audit_erased");
    }
  }
}
