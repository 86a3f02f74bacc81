package im.zonda.cluster.forward;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.frame.StanzaSource;
import im.zonda.jid.Jid;
import im.zonda.metric.Timing;
import im.zonda.metric.TimingCounts;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.store.StanzaIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The stanzas that this node has forwarded to homes on other nodes and that are not handled yet,
/// and other values that must arrive there. Origins of the stanzas are held. Confined to the node's
/// inbox.
///
/// A stream with [#WINDOW] stanzas on their way is not read until half of them have been handled.
/// Stanzas without a stream of this node, such as presence, are not bounded here.
public final class ForwardedStanzas {
  /// How long after the loss of a node clients may send stanzas again that are still in progress at
  /// a living node, in ms: their sessions may move for 30 s, and then wait for that node.
  private static final long ABANDONED_MILLIS = 60_000;

  /// Stanzas of one stream that may be on their way.
  public static final int WINDOW = 64;

  /// A stanza on its way.
  ///
  /// @param id grows with each
  /// @param home the address of its home
  /// @param value what is sent
  /// @param since when, by the node's clock, in ms
  /// @param begun the same by [System#nanoTime]
  public record Entry(
      long id, String home, NodeValue value, Origin origin, long since, long begun) {}

  private static final class Window {
    int size;
    boolean paused;
  }

  private final Map<Long, Entry> entries = new LinkedHashMap<>();
  private final Set<Long> onTheWay = new HashSet<>();
  private final Map<InboundFlow, Window> windows = new HashMap<>();
  private final Timing hops = new Timing();
  private long last;
  private long reportedOldest;

  /// The last entry that a member which is gone may have handled.
  private long possiblyHandledUpTo;

  /// When that member was lost, in ms; long ago if none was.
  private long lostAt = Long.MIN_VALUE / 2;

  /// The value of a stanza for a home, as a function of its entry.
  ///
  /// @param self this node, which is the source
  public static LongFunction<NodeValue> route(
      Member self, String home, Origin origin, StanzaBytes bytes) {
    boolean acknowledges = origin.acknowledges();
    long identity = origin.identity();
    long age = origin.age();
    long trace = origin.trace();
    String source = self.toString();
    return entry ->
        new NodeValue.Route(
            entry,
            home,
            new RoutedStanza(new StanzaSource(source, entry), acknowledges, bytes),
            identity == 0 ? StanzaIdentity.of(source, entry) : identity,
            age,
            trace);
  }

  /// Adds a value.
  ///
  /// @param now by the node's clock, in ms
  /// @param origin of a stanza, which is held
  /// @param value creates the value with that id
  public Entry add(String home, Origin origin, long now, LongFunction<NodeValue> value) {
    last++;
    Entry entry = new Entry(last, home, value.apply(last), origin, now, System.nanoTime());
    entries.put(entry.id(), entry);
    onTheWay.add(entry.id());
    InboundFlow flow = origin.flow();
    if (flow != null) {
      Window window = windows.computeIfAbsent(flow, _ -> new Window());
      window.size++;
      if (window.size >= WINDOW && !window.paused) {
        window.paused = true;
        flow.pauseReading();
      }
    }
    return entry;
  }

  /// A member is gone, which may have handled forwarded stanzas.
  ///
  /// @param now by the node's clock, in ms
  public void memberLost(long now) {
    possiblyHandledUpTo = last;
    lostAt = now;
  }

  /// The value to send to the home of an entry.
  ///
  /// @param isHere whether the home of a sender is on this node
  public NodeValue value(Entry entry, long now, Predicate<Jid> isHere) {
    return entry.value() instanceof NodeValue.Route route
            && (entry.id() <= possiblyHandledUpTo
                || route.age() > 0
                || maySendAgain(entry, now, isHere))
        ? route.again(Math.max(1, route.age() + now - entry.since()))
        : entry.value();
  }

  /// Whether the client may have sent the stanza again to another home, because this node did not
  /// report it as handled soon enough.
  private boolean maySendAgain(Entry entry, long now, Predicate<Jid> isHere) {
    Jid sender = entry.origin().session();
    return now - lostAt < ABANDONED_MILLIS && sender != null && !isHere.test(sender.bare());
  }

  /// A home of this node has accepted the stanza.
  ///
  /// @return whether it was on its way until now
  public boolean taken(long id) {
    return onTheWay.remove(id);
  }

  /// The stanza has been handled.
  ///
  /// @return null if it was handled before
  public @Nullable Entry handled(long id) {
    Entry entry = entries.remove(id);
    if (entry == null) {
      return null;
    }
    InboundFlow flow = entry.origin().flow();
    Window window = flow == null ? null : windows.get(flow);
    if (flow != null && window != null) {
      window.size--;
      if (window.paused && window.size <= WINDOW / 2) {
        window.paused = false;
        flow.resumeReading();
      }
      if (window.size == 0) {
        windows.remove(flow);
      }
    }
    if (entry.value() instanceof NodeValue.Route) {
      hops.record(System.nanoTime() - entry.begun());
    }
    entry.origin().release();
    return entry;
  }

  /// All of them, the oldest first.
  public List<Entry> entries() {
    return new ArrayList<>(entries.values());
  }

  /// Whether [#oldest] has grown since the last call.
  public boolean hasNewOldest() {
    long now = oldest();
    boolean grown = now > reportedOldest;
    reportedOldest = now;
    return grown;
  }

  /// From the forwarding of stanzas until the other node has confirmed that they are handled. Any
  /// thread may call.
  public TimingCounts hops() {
    return hops.counts();
  }

  public int size() {
    return entries.size();
  }

  /// The id below which all have been handled.
  public long oldest() {
    return entries.isEmpty() ? last + 1 : entries.keySet().iterator().next();
  }
}
