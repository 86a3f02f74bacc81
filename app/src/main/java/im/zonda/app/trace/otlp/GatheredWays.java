package im.zonda.app.trace.otlp;

import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.journal.ReasonTexts;
import im.zonda.trace.TraceStore.Query;
import im.zonda.trace.TraceStore.Step;
import im.zonda.trace.TraceStore.Traced;
import im.zonda.trace.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The steps of messages until a message is quiet, so that most messages are sent as a whole. Steps
/// that come later are sent alone: they name the same parent. Any thread may call.
final class GatheredWays {
  /// The most steps that wait.
  static final int MOST_STEPS = 8_192;

  /// The most messages that are known; those of which nothing was heard for the longest time go.
  static final int MOST_MESSAGES = 4_096;

  private static final Set<String> FAILURES =
      Set.of(Verdict.REFUSED.word(), Verdict.DROPPED.word(), Verdict.BOUNCED.word());

  private final LongConsumer lost;
  private final ReasonTexts reasons = ReasonTexts.read("en");

  // Guarded by this object's monitor.
  private final LinkedHashMap<Long, Way> ways = new LinkedHashMap<>(16, 0.75f, true);
  private int waiting;

  /// @param lost gets how many steps were dropped
  GatheredWays(LongConsumer lost) {
    this.lost = lost;
  }

  /// What is known of a message.
  private static final class Way {
    private final List<Step> steps = new ArrayList<>();
    private @Nullable Traced message;
    private boolean sent;
    private long last;
    private Instant touched = Instant.MIN;
  }

  private Way way(long trace, Instant now) {
    Way way = ways.computeIfAbsent(trace, _ -> new Way());
    way.touched = now;
    if (ways.size() > MOST_MESSAGES) {
      Iterator<Way> oldest = ways.values().iterator();
      drop(oldest.next());
      oldest.remove();
    }
    return way;
  }

  private void drop(Way way) {
    waiting -= way.steps.size();
    lost.accept(way.steps.size());
  }

  synchronized void begin(Traced message, Instant now) {
    Way way = way(message.trace(), now);
    if (way.message == null) {
      way.message = message;
    }
  }

  synchronized void add(Step step, Instant now) {
    if (waiting >= MOST_STEPS) {
      lost.accept(1);
      return;
    }
    way(step.trace(), now).steps.add(step);
    waiting++;
  }

  /// Forgets what is known of the messages of an address.
  synchronized void forget(Jid address) {
    Query all = new Query(address, null, Long.MIN_VALUE, Long.MAX_VALUE, 1);
    ways.values()
        .removeIf(each -> {
          boolean found = each.message != null && all.finds(each.message);
          waiting -= found ? each.steps.size() : 0;
          return found;
        });
  }

  /// How many steps wait.
  synchronized int waiting() {
    return waiting;
  }

  /// Takes the messages of which nothing was heard since that time.
  synchronized List<Span> takeQuiet(Instant since) {
    List<Span> spans = new ArrayList<>();
    for (Way each : ways.values()) {
      if (!each.steps.isEmpty() && !each.touched.isAfter(since)) {
        take(each, spans);
      }
    }
    return spans;
  }

  private void take(Way way, List<Span> spans) {
    Traced message = way.message;
    if (message != null && !way.sent) {
      spans.add(whole(message, way.steps));
      way.sent = true;
    }
    for (Step each : way.steps) {
      spans.add(step(each, message, way.last == 0 ? each.time() : way.last));
      way.last = each.time();
    }
    waiting -= way.steps.size();
    way.steps.clear();
  }

  private static Span whole(Traced message, List<Step> steps) {
    long start = steps.stream().mapToLong(Step::time).min().orElseThrow();
    long end = steps.stream().mapToLong(Step::time).max().orElseThrow();
    Map<String, Object> attributes = new LinkedHashMap<>();
    put(attributes, message);
    attributes.put("zonda.trace", message.chosen());
    return new Span(
        message.trace(), Span.root(message.trace()), 0, "message", start, end, attributes, null);
  }

  private static void put(Map<String, Object> attributes, Traced message) {
    attributes.put("xmpp.stanza.type", message.kind());
    put(attributes, "xmpp.stanza.from", message.sender());
    put(attributes, "xmpp.stanza.to", message.receiver());
    put(attributes, "xmpp.stanza.id", message.stanza());
  }

  private static void put(Map<String, Object> attributes, String name, @Nullable Object value) {
    if (value != null) {
      attributes.put(name, value.toString());
    }
  }

  /// @param start when the step before was
  private Span step(Step step, @Nullable Traced message, long start) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("zonda.place", step.place());
    attributes.put("zonda.verdict", step.verdict());
    put(attributes, "zonda.reason", step.reason());
    put(attributes, "zonda.detail", step.detail());
    if (message != null) {
      put(attributes, message);
    }
    return new Span(
        step.trace(),
        Span.of(step.node(), step.id()),
        Span.root(step.trace()),
        step.place() + " " + step.verdict(),
        start,
        step.time(),
        attributes,
        FAILURES.contains(step.verdict()) ? failure(step, message) : null);
  }

  private String failure(Step step, @Nullable Traced message) {
    Reason reason = step.reason() == null ? null : Reason.of(step.reason());
    return reason == null
        ? step.verdict()
        : reasons.sentence(
            reason,
            message == null || message.sender() == null ? null : message.sender().toString(),
            message == null || message.receiver() == null ? null : message.receiver().toString(),
            step.detail());
  }
}
