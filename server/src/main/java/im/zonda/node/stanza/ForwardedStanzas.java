package im.zonda.node.stanza;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.jid.Jid;
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

/// The stanzas that this node has sent to homes on other nodes and that have not been handled
/// there, with what else must arrive there. Their origins are held. Confined to the node's inbox.
///
/// A stream of which so many stanzas are on their way is not read until half of them have been
/// handled. Stanzas that no stream of this node has sent, such as presence, are not bounded here.
public final class ForwardedStanzas {
  /// How long after the loss of a node clients may be told to send again what a living one still
  /// handles, in ms: their sessions may move for 30 s, and wait for that node then.
  private static final long COUNTED_AGAIN = 60_000;

  /// Stanzas of one stream that may be on their way.
  public static final int WINDOW = 64;

  /// A stanza on its way.
  ///
  /// @param id grows with each
  /// @param home the address of its home
  /// @param value what is sent
  /// @param since when, by the node's clock, in ms
  public record Entry(long id, String home, NodeValue value, Origin origin, long since) {}

  private static final class Window {
    int size;
    boolean paused;
  }

  private final Map<Long, Entry> entries = new LinkedHashMap<>();
  private final Set<Long> onTheWay = new HashSet<>();
  private final Map<InboundFlow, Window> windows = new HashMap<>();
  private long last;
  private long saidOldest;

  /// A member that is gone may have handled the entries up to this one.
  private long doubtful;

  /// When that was, in ms; before all time if none is gone.
  private long lostAt = Long.MIN_VALUE / 2;

  /// Makes the value of a stanza for a home, given its entry.
  ///
  /// @param self this node, which is the source
  public static LongFunction<NodeValue> route(
      Member self, String home, Origin origin, StanzaBytes bytes) {
    boolean acknowledges = origin.acknowledges();
    long identity = origin.identity();
    long age = origin.age();
    String source = self.toString();
    return entry ->
        new NodeValue.Route(
            entry,
            home,
            new RoutedStanza(new im.zonda.cluster.frame.Origin(source, entry), acknowledges, bytes),
            identity == 0 ? StanzaIdentity.of(source, entry) : identity,
            age);
  }

  /// Adds a value.
  ///
  /// @param now by the node's clock, in ms
  /// @param origin of a stanza, which is held
  /// @param value makes the value with that id
  public Entry add(String home, Origin origin, long now, LongFunction<NodeValue> value) {
    last++;
    Entry entry = new Entry(last, home, value.apply(last), origin, now);
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

  /// A member is gone, which may have handled what it was sent.
  ///
  /// @param now by the node's clock, in ms
  public void memberLost(long now) {
    doubtful = last;
    lostAt = now;
  }

  /// What is to be sent to the home of an entry.
  ///
  /// @param isHere whether the home of a sender is on this node
  public NodeValue value(Entry entry, long now, Predicate<Jid> isHere) {
    return entry.value() instanceof NodeValue.Route route
            && (entry.id() <= doubtful || route.age() > 0 || maySendAgain(entry, now, isHere))
        ? route.again(Math.max(1, route.age() + now - entry.since()))
        : entry.value();
  }

  /// Whether the client may have been told to send it again to another home, because this node did
  /// not say soon that it has been handled.
  private boolean maySendAgain(Entry entry, long now, Predicate<Jid> isHere) {
    Jid sender = entry.origin().session();
    return now - lostAt < COUNTED_AGAIN && sender != null && !isHere.test(sender.bare());
  }

  /// The stanza has come to a home of this node.
  ///
  /// @return whether that was not known
  public boolean taken(long id) {
    return onTheWay.remove(id);
  }

  /// The stanza has been handled.
  ///
  /// @return null if that was known
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
    boolean grown = now > saidOldest;
    saidOldest = now;
    return grown;
  }

  public int size() {
    return entries.size();
  }

  /// The id below which all have been handled.
  public long oldest() {
    return entries.isEmpty() ? last + 1 : entries.keySet().iterator().next();
  }
}
