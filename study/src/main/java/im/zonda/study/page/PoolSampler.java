package im.zonda.study.page;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/// Looks ten times a second how many connections of HikariCP's pool are in use. The pool shows that
/// by JMX if its configuration says `registerMbeans`.
final class PoolSampler implements AutoCloseable {
  private static final long PERIOD_MILLIS = 100;
  private static final String NAME = "com.zaxxer.hikari:type=Pool (zonda-store)";

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().daemon().name("study-pool").unstarted(task));
  private final ObjectName name;

  // Guarded by this object's monitor.
  private long samples;
  private long activeSum;
  private int activeMost;
  private int waitingMost;
  private int openMost;

  private PoolSampler() {
    try {
      name = new ObjectName(NAME);
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  static PoolSampler start() {
    PoolSampler sampler = new PoolSampler();
    var _ =
        sampler.timer.scheduleAtFixedRate(
            sampler::sample, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return sampler;
  }

  private synchronized void sample() {
    if (!beans.isRegistered(name)) {
      return; // before the first query
    }
    try {
      int active = number("ActiveConnections");
      samples++;
      activeSum += active;
      activeMost = Math.max(activeMost, active);
      waitingMost = Math.max(waitingMost, number("ThreadsAwaitingConnection"));
      openMost = Math.max(openMost, number("TotalConnections"));
    } catch (JMException e) {
      throw new IllegalStateException(e); // ends the samples, which the report shows
    }
  }

  private int number(String attribute) throws JMException {
    return (Integer) beans.getAttribute(name, attribute);
  }

  /// The figures since the last call.
  synchronized Map<String, Object> take() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("samples", samples);
    all.put("active-average", samples == 0 ? 0.0 : (double) activeSum / samples);
    all.put("active-most", activeMost);
    all.put("waiting-most", waitingMost);
    all.put("open-most", openMost);
    samples = 0;
    activeSum = 0;
    activeMost = 0;
    waitingMost = 0;
    openMost = 0;
    return all;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
