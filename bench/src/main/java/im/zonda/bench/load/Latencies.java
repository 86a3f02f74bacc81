package im.zonda.bench.load;

/// Records times. Any thread may call.
public interface Latencies {
  /// From when a message was due to its arrival at a receiver.
  String DELIVERY = "delivery";

  /// From when a message was given to the socket to its arrival.
  String SERVICE = "service";

  /// From when something was due to when the generator did it: the generator's own lateness, by
  /// which a run is judged.
  String SEND_DELAY = "send-delay";

  /// From when a login was due to the bound resource.
  String LOGIN = "login";

  /// Records how long something took, from when it was due: a late generator does not make a server
  /// look quick.
  ///
  /// @param tag what, such as `delivery`
  /// @param dueNanos when it was due, by [System#nanoTime]
  /// @param nowNanos when it was done
  void record(String tag, long dueNanos, long nowNanos);

  /// Records a time also if it was due outside of the measured part, such as that of a login before
  /// it.
  default void recordAlways(String tag, long dueNanos, long nowNanos) {
    record(tag, dueNanos, nowNanos);
  }

  /// Records the time of one part of something with parts in several processes, such as the arrival
  /// of a message at one of its receivers: of each key the last part of all processes counts, once.
  ///
  /// @param key which one, the same in all processes
  default void recordLast(String tag, int key, long dueNanos, long nowNanos) {}
}
