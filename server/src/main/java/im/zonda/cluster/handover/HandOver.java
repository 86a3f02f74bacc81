package im.zonda.cluster.handover;

import im.zonda.cluster.Member;
import im.zonda.cluster.channel.LocalMember;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Stamp;
import im.zonda.cluster.port.LocalHomes;
import im.zonda.cluster.replica.CopyStatus;
import im.zonda.cluster.replica.HomePart;
import im.zonda.cluster.replica.Replica;
import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replicas;
import im.zonda.cluster.replica.Replicator;
import im.zonda.jid.Jid;
import im.zonda.route.ErrorReplies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Transfer of a segment's state between nodes. As the home, this node replicates the state to the
/// standby; as the standby, it stores the replica; as the former home, it unloads its homes and
/// keeps their state until the new home has it. Confined to the node's inbox, except for [#change].
public final class HandOver implements Replicator.Output {
  private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);

  /// The share of the heap that the replicated state of this node's homes may take.
  private static final int HEAP_PART = 64;

  private final LocalMember node;
  private final Segments segments;
  private final IntFunction<List<NodeValue.AlreadyHandled>> taken;
  private final Executor workers;
  private final Consumer<Runnable> inbox;
  private final Replicas mirrors = new Replicas();
  private final Replicator copies;

  /// Segments whose homes are being unloaded, with those who wait for that.
  private final Map<Integer, Set<Member>> leaving = new HashMap<>();

  /// Whether this node was evicted from the cluster.
  private volatile boolean closed;

  /// Whether a confirmation to the home is scheduled.
  private boolean confirming;

  /// @param workers runs what blocks
  /// @param inbox takes tasks from other threads
  /// @param taken the stanzas that this node has accepted for the homes of a segment
  /// @param maxBytes the most bytes of one value
  public HandOver(
      LocalMember node,
      Segments segments,
      IntFunction<List<NodeValue.AlreadyHandled>> taken,
      Executor workers,
      Consumer<Runnable> inbox,
      int maxBytes) {
    this.node = node;
    this.segments = segments;
    this.taken = taken;
    this.workers = workers;
    this.inbox = inbox;
    this.copies = new Replicator(this, Runtime.getRuntime().maxMemory() / HEAP_PART, maxBytes / 2);
  }

  // ---- as the home

  /// Parts of a home's state have changed. Any thread may call.
  public void change(
      String home, Map<String, @Nullable StanzaBytes> parts, @Nullable ReplicaListener listener) {
    if (copies.change(home, parts, listener)) {
      inbox.accept(() -> copies.takeChanges(segments.count()));
    }
  }

  /// The parts in the form in which they are sent.
  public static Map<String, @Nullable StanzaBytes> bytes(Map<String, byte @Nullable []> parts) {
    Map<String, @Nullable StanzaBytes> bytes = new LinkedHashMap<>();
    parts.forEach((key, state) -> bytes.put(key, state == null ? null : new StanzaBytes(state)));
    return bytes;
  }

  /// Gives homes the state that they had on other nodes, before they open. A home that fails costs
  /// itself alone: the others of the segment open.
  public void restore(Map<Replica.Key, StanzaBytes> state, LocalHomes homes) {
    Map<String, Map<String, StanzaBytes>> byHome = new LinkedHashMap<>();
    state.forEach((part, bytes) ->
        byHome.computeIfAbsent(part.home(), _ -> new LinkedHashMap<>()).put(part.key(), bytes));
    byHome.forEach((home, parts) -> {
      try {
        homes.restore(Jid.of(home), parts);
      } catch (RuntimeException e) {
        LOG.atError().addKeyValue("home", home).setCause(e).log("state_not_restored");
      }
    });
  }

  /// Opens a segment here with that state.
  public void open(int segment, Map<Replica.Key, StanzaBytes> state) {
    copies.open(segment, placement(), state);
    copies.send();
  }

  @Override
  public void send(Member to, NodeValue value) {
    node.send(to, value);
  }

  @Override
  public void mirrored(int segment) {
    placement().members().forEach(member -> node.send(member, new NodeValue.Opened(segment)));
  }

  /// The standby of a segment has confirmed versions.
  public void confirmed(Member from, NodeValue.Copied copied) {
    copies.confirmed(from, copied);
    copies.send();
  }

  /// The state of the replication.
  public CopyStatus status() {
    return copies.status();
  }

  /// Whether this node is the home of a segment, open or not.
  public boolean isHome(int segment) {
    return node.self().equals(placement().home(segment));
  }

  // ---- as the standby

  /// The home of a segment sends a part of its state.
  public void add(Member from, NodeValue.Copy copy) {
    if (from.equals(placement().home(copy.segment()))) {
      mirrors.add(copy);
      confirmSoon();
    }
  }

  /// The home of a segment begins or ends a full transfer.
  public void add(Member from, NodeValue.Copies sent) {
    if (from.equals(placement().home(sent.segment()))) {
      mirrors.add(sent);
      confirmSoon();
    }
  }

  private void confirm(NodeValue.Copied copied) {
    node.send(placement().home(copied.segment()), copied);
  }

  /// Schedules a confirmation, as acknowledgements to clients may wait for it. Parts that have
  /// arrived by then are confirmed together.
  private void confirmSoon() {
    if (!confirming) {
      confirming = true;
      inbox.accept(this::confirm);
    }
  }

  /// Confirms all unconfirmed parts.
  private void confirm() {
    confirming = false;
    if (node.placement() != null) {
      mirrors.confirm().forEach(this::confirm);
    }
  }

  /// The home of a segment has a complete standby: other replicas are obsolete.
  public void opened(Member from, int segment) {
    Placement current = placement();
    if (from.equals(current.home(segment)) && !node.self().equals(current.standby(segment))) {
      mirrors.drop(segment);
    }
  }

  // ---- as the former home

  private Placement placement() {
    return Objects.requireNonNull(node.placement());
  }

  /// Installs a placement, in which new homes ask again for state.
  ///
  /// @param left the segments that have left this node
  public void install(Placement next, Set<Integer> left, LocalHomes homes) {
    Map<Integer, Stamp> terms = copies.install(next, left);
    copies.send();
    left.forEach(segment -> leaving.putIfAbsent(segment, new HashSet<>()));
    leaving.values().forEach(Set::clear);
    if (!left.isEmpty()) {
      workers.execute(() -> unload(left, terms, homes));
    }
  }

  private void unload(Set<Integer> left, Map<Integer, Stamp> terms, LocalHomes homes) {
    Map<Integer, List<HomePart>> states = new HashMap<>();
    long begin = System.nanoTime();
    try {
      for (HomePart each : homes.unload(home -> left.contains(segmentOf(home)))) {
        states.computeIfAbsent(segmentOf(each.home()), _ -> new ArrayList<>()).add(each);
      }
      RetryingFlush.flush(homes::flush, () -> closed);
      im.zonda.jfr.HandOver.record(
          left.size(),
          states.values().stream().mapToInt(List::size).sum(),
          System.nanoTime() - begin);
      inbox.accept(() ->
          terms.forEach((segment, term) ->
              mirrors.left(segment, term, states.getOrDefault(segment, List.of()))));
    } catch (RuntimeException | Error e) {
      // The standby may still have replicas.
      LoggingEventBuilder event = ErrorReplies.isOver(e) ? LOG.atWarn() : LOG.atError();
      event.setCause(e).log("homes_not_unloaded");
    }
    inbox.accept(() -> left.forEach(this::hasLeft));
  }

  private int segmentOf(Jid home) {
    return segments.of(home.toString());
  }

  private void hasLeft(int segment) {
    Set<Member> waiting = leaving.remove(segment);
    if (waiting != null) {
      waiting.forEach(member -> collect(member, segment));
    }
  }

  /// Asks all other members for the state of segments whose home this node becomes.
  public void askAll(Set<Integer> coming, Placement current) {
    for (int segment : coming) {
      for (Member member : current.members()) {
        if (!member.equals(node.self())) {
          node.send(member, new NodeValue.Collect(segment));
        }
      }
    }
  }

  /// Answers the new home of a segment with all state that this node has of it.
  public void collect(Member home, int segment) {
    Set<Member> waiting = leaving.get(segment);
    if (waiting != null) {
      waiting.add(home);
      return;
    }
    if (!home.equals(node.self())) {
      taken.apply(segment).forEach(value -> node.send(home, value));
    }
    mirrors.values(segment).forEach(value -> node.send(home, value));
    node.send(home, new NodeValue.HeldEnd(segment));
  }

  /// Segments that have left this node and whose homes are still being unloaded.
  public int leaving() {
    return leaving.size();
  }

  /// Segments of which this node keeps state until their home has a standby.
  public int kept() {
    Placement current = node.placement();
    return current == null
        ? 0
        : (int)
            mirrors.segments().stream()
                .filter(segment -> !node.self().equals(current.standby(segment)))
                .count();
  }

  /// Whether this node was evicted from the cluster.
  public void close() {
    closed = true;
    copies.close();
  }
}
