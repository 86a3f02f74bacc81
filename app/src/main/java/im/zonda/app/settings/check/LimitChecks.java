package im.zonda.app.settings.check;

import im.zonda.config.ServerConfig;
import im.zonda.config.limits.Limits;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/// Checks of limits that depend on each other: one stanza of a client must fit into every queue.
public final class LimitChecks {
  private static final String STANZA = "limits.client.max-bytes";
  private static final String OUTBOUND = "limits.outbound-bytes";
  private static final String UNACKNOWLEDGED = "limits.unacknowledged-bytes";

  /// How much longer a stanza may be written than it came in; what is longer is rejected.
  private static final int GROWTH = 2;

  private final Predicate<String> isSet;
  private final BiConsumer<String, String> report;

  /// @param isSet whether the file has that dotted path
  /// @param report gets the dotted path and the text of each problem
  public LimitChecks(Predicate<String> isSet, BiConsumer<String, String> report) {
    this.isSet = isSet;
    this.report = report;
  }

  /// Checks the limits of a server.
  public void run(ServerConfig config) {
    run(config.limits());
    long stanza = config.limits().client().maxBytes();
    atLeastOneStanza("s2s.limits.queue-bytes", config.s2s().limits().queueBytes(), stanza);
    if (!config.component().listen().isEmpty()) {
      atLeastOneStanza("component.queue-bytes", config.component().queueBytes(), stanza);
    }
  }

  /// Checks the limits of a server or of an edge.
  public void run(Limits limits) {
    long stanza = limits.client().maxBytes();
    if (limits.outboundBytes() / GROWTH < stanza) {
      report(
          STANZA,
          OUTBOUND,
          STANZA
              + " ("
              + stanza
              + ") must be at most half of "
              + OUTBOUND
              + " ("
              + limits.outboundBytes()
              + ")");
    }
    if (limits.unacknowledgedBytes() > limits.outboundBytes()) {
      report(
          UNACKNOWLEDGED,
          OUTBOUND,
          UNACKNOWLEDGED
              + " ("
              + limits.unacknowledgedBytes()
              + ") must be at most "
              + OUTBOUND
              + " ("
              + limits.outboundBytes()
              + "); otherwise sessions with more cannot be resumed");
    }
    atLeastOneStanza(UNACKNOWLEDGED, limits.unacknowledgedBytes(), stanza);
    atLeastOneStanza("limits.inbound-bytes", limits.inboundBytes(), stanza);
  }

  private void atLeastOneStanza(String path, long value, long stanza) {
    if (value < stanza) {
      report(
          path, STANZA, path + " (" + value + ") must be at least " + STANZA + " (" + stanza + ")");
    }
  }

  private void report(String path, String other, String text) {
    report.accept(isSet.test(path) ? path : other, text);
  }
}
