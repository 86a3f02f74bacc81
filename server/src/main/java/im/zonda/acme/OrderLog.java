package im.zonda.acme;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The steps of the last order of each host, in memory. Any thread may call.
public final class OrderLog {
  /// The most steps of an order that are kept.
  private static final int MOST = 200;

  private final InstantSource clock;

  // Guarded by this object's monitor.
  private final Map<String, List<OrderStep>> steps = new HashMap<>();
  private final Set<String> running = new HashSet<>();

  public OrderLog(InstantSource clock) {
    this.clock = clock;
  }

  /// Begins an order of a host; those of earlier ones are forgotten.
  public synchronized AcmeClient.Progress begin(String host) {
    steps.put(host, new ArrayList<>());
    running.add(host);
    return (kind, detail) -> add(host, kind, detail);
  }

  private synchronized void add(String host, OrderStep.Kind kind, String detail) {
    List<OrderStep> all = steps.get(host);
    if (all != null && all.size() < MOST) {
      all.add(new OrderStep(kind, detail, clock.instant()));
    }
  }

  /// The order has ended, for better or worse.
  public synchronized void end(String host) {
    running.remove(host);
  }

  /// Whether an order of the host goes on.
  public synchronized boolean isRunning(String host) {
    return running.contains(host);
  }

  /// The steps of the last order.
  public synchronized List<OrderStep> steps(String host) {
    return List.copyOf(steps.getOrDefault(host, List.of()));
  }
}
