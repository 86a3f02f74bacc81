package im.zonda.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// Keeps an event that a peer can cause at will from filling the log: for each event and each peer
/// that a field names, [#BURST] lines in a row and then one every [#INTERVAL]. What was not written
/// is counted, and the count is written after each interval.
///
/// At most [#MOST] pairs of event and peer are counted by themselves; the others of an event share
/// one count. Events without a peer, and those for debugging, are always written.
final class EventLimit {
  /// Lines in a row.
  static final int BURST = 20;

  /// The time for one more line, and between two counts, in milliseconds.
  static final long INTERVAL = 10_000;

  /// The most pairs of event and peer.
  static final int MOST = 10_000;

  /// The fields that name a peer, the best first.
  private static final List<String> PEERS =
      List.of("address", "pair", "peer", "component", "domain", "from", "account", "jid");

  private final Map<Source, Window> windows = new HashMap<>();
  private long nextCheck;

  /// @param now the time, in ms since 1970
  EventLimit(long now) {
    nextCheck = now + INTERVAL;
    // Loads the classes: there may be no file left to open when they are needed.
    windows.put(new Source("", ""), new Window(now));
    windows.clear();
  }

  private record Source(String event, String peer) {}

  /// What was not written.
  record Suppressed(String event, String peer, long count) {}

  private static final class Window {
    private long lines;
    private long since;
    private long suppressed;

    Window(long now) {
      since = now;
    }

    /// Takes one line; false if there is none.
    boolean take(long now) {
      since = Math.min(since, now); // the clock may have been set back
      long gained = (now - since) / INTERVAL;
      lines = Math.max(0, lines - gained);
      since = lines == 0 ? now : since + gained * INTERVAL;
      if (lines >= BURST) {
        suppressed++;
        return false;
      }
      lines++;
      return true;
    }

    boolean isSpent(long now) {
      return suppressed == 0 && now - since >= lines * INTERVAL;
    }
  }

  /// Whether the event is to be written; counts it otherwise.
  boolean admits(ILoggingEvent event) {
    String peer = event.getLevel().isGreaterOrEqual(Level.INFO) ? peer(event) : null;
    return peer == null
        || admits(new Source(event.getMessage(), BoundedEvent.cut(peer)), event.getTimeStamp());
  }

  private synchronized boolean admits(Source source, long now) {
    Window window = windows.get(source);
    if (window == null) {
      Source counted = windows.size() < MOST ? source : new Source(source.event(), "others");
      window = windows.computeIfAbsent(counted, _ -> new Window(now));
    }
    return window.take(now);
  }

  private static @Nullable String peer(ILoggingEvent event) {
    List<KeyValuePair> fields = event.getKeyValuePairs();
    if (fields == null) {
      return null;
    }
    for (String name : PEERS) {
      for (KeyValuePair field : fields) {
        if (field.key.equals(name) && field.value != null) {
          return field.value.toString();
        }
      }
    }
    return null;
  }

  /// What has not been written since the last time, once an interval; forgets what is over.
  ///
  /// @param last whether this is the last call
  synchronized List<Suppressed> takeSuppressed(long now, boolean last) {
    if (!last && now < nextCheck && nextCheck - now <= INTERVAL) {
      return List.of();
    }
    nextCheck = now + INTERVAL;
    List<Suppressed> all = new ArrayList<>();
    for (Iterator<Map.Entry<Source, Window>> each = windows.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<Source, Window> next = each.next();
      Window window = next.getValue();
      if (window.suppressed > 0) {
        all.add(new Suppressed(next.getKey().event(), next.getKey().peer(), window.suppressed));
        window.suppressed = 0;
      } else if (window.isSpent(now)) {
        each.remove();
      }
    }
    return all;
  }
}
