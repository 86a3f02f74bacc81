package im.zonda.net;

import im.zonda.metric.Timing;
import im.zonda.stanza.Namespaces;
import java.util.concurrent.atomic.AtomicLong;

/// The counters of one event loop: one thread counts, any thread reads.
final class LoopCounters {
  final Counter open = new Counter();
  final Counter accepted = new Counter();
  final Counter refused = new Counter();
  final Counter bytesIn = new Counter();
  final Counter bytesOut = new Counter();
  final Counter stanzasIn = new Counter();
  final Counter stanzasOut = new Counter();
  final Counter flushes = new Counter();
  final Counter overflows = new Counter();

  /// Bytes that wait for open streams, and those of streams that have ended, as last looked at.
  final Counter waiting = new Counter();

  final Counter waitingEnded = new Counter();

  /// From the arrival of a message at this process to the write of the stanzas that it caused, on
  /// connections of this loop: to clients, components and other servers.
  final Timing toClients = new Timing();

  final Timing toComponents = new Timing();
  final Timing toServers = new Timing();

  /// The one of these for streams with that content namespace.
  Timing written(String namespace) {
    return switch (namespace) {
      case Namespaces.COMPONENT -> toComponents;
      case Namespaces.SERVER -> toServers;
      default -> toClients;
    };
  }

  /// The name of the stage that ends with a write to such a stream.
  static String stage(String namespace) {
    return switch (namespace) {
      case Namespaces.COMPONENT -> "component";
      case Namespaces.SERVER -> "server";
      default -> "inside";
    };
  }

  NetStats snapshot() {
    return new NetStats(
        open.value(),
        accepted.value(),
        refused.value(),
        bytesIn.value(),
        bytesOut.value(),
        stanzasIn.value(),
        stanzasOut.value(),
        flushes.value(),
        overflows.value(),
        waiting.value() + waitingEnded.value());
  }

  /// A count with a single writer: no locked instruction is needed.
  static final class Counter {
    private final AtomicLong value = new AtomicLong();

    void add(long more) {
      value.setOpaque(value.getPlain() + more);
    }

    long value() {
      return value.getOpaque();
    }
  }
}
