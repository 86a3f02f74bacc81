package im.zonda.stream.server;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamGate;
import im.zonda.link.ServerStreamLink;
import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.Stream;
import im.zonda.xml.Element;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The link of a stream with another server: its domain pairs, what was sent and not acknowledged,
/// and how much of what was received has been handled.
///
/// The methods of [ServerStreamLink] may be called by any thread; the others are called on the
/// stream's thread. The gate is never called with the lock held.
final class ServerLink implements ServerStreamLink {
  /// In place of a count: nothing is waited for.
  static final long NONE = Long.MAX_VALUE;

  /// Received stanzas that have not been handled, above which nothing more is read.
  static final int MAX_UNHANDLED = 4_096;

  private final ServerStreamGate gate;
  private final Stream stream;
  private final boolean incoming;

  // ---- by the lock

  private final Set<DomainPair> accepted = new LinkedHashSet<>();
  private final Set<DomainPair> ready = new LinkedHashSet<>();
  private final Queue<Sent> unacknowledged = new ArrayDeque<>();
  private final HandledNumbers handled = new HandledNumbers();
  private long received;
  private long sent;
  private long acknowledged;

  /// What had been sent before stanzas were acknowledged (XEP-0198); -1 while they are not.
  private long managedFrom = -1;

  private long awaited = NONE;
  private boolean ended;

  /// Whether reading is paused because too much has not been handled.
  private boolean full;

  // ---- for [#status], written on the stream's thread

  private volatile boolean bidirectional;
  private volatile String trust = "";
  private volatile int maxStanzaBytes = Integer.MAX_VALUE;

  // ---- the stream's thread

  /// Wakes the stream when so much has been handled that it waits for.
  private Runnable awaitedReached = () -> {};

  private record Sent(DomainPair pair, long number) {}

  ServerLink(ServerStreamGate gate, Stream stream, boolean incoming) {
    this.gate = gate;
    this.stream = stream;
    this.incoming = incoming;
  }

  // ---- by any thread

  @Override
  public void deliver(DomainPair pair, Stanza stanza, long number) {
    synchronized (this) {
      if (ended) {
        return;
      }
      if (!ready.contains(pair)) {
        throw new IllegalArgumentException("the link does not carry " + pair);
      }
      sent++;
      unacknowledged.add(new Sent(pair, number));
      stream.transport().deliver(new ToStream.Deliver(stanza, sent, managedFrom < 0));
    }
  }

  @Override
  public void handled(long number) {
    Runnable wake = null;
    boolean drained;
    synchronized (this) {
      handled.add(number);
      drained = full && received - handled.count() <= MAX_UNHANDLED / 2;
      full &= !drained;
      if (handled.count() >= awaited) {
        awaited = NONE;
        wake = awaitedReached;
      }
    }
    if (drained) {
      resumeReading();
    }
    if (wake != null) {
      stream.transport().execute(wake);
    }
  }

  @Override
  public void pauseReading() {
    stream.transport().execute(stream::pauseReading);
  }

  @Override
  public void resumeReading() {
    stream.transport().execute(stream::resumeReading);
  }

  @Override
  public void close(StreamErrorCondition condition, @Nullable String text) {
    stream.transport().enqueue(() -> stream.fail(condition, text));
  }

  @Override
  public void close() {
    stream.transport().enqueue(stream::finish);
  }

  @Override
  public int maxStanzaBytes() {
    return maxStanzaBytes;
  }

  @Override
  public Status status() {
    boolean managed;
    boolean connected;
    synchronized (this) {
      managed = managedFrom >= 0;
      connected = !ended;
    }
    return new Status(
        incoming,
        bidirectional,
        stream.transport().remoteAddress().getHostAddress(),
        stream.transport().secure(),
        trust,
        managed,
        connected);
  }

  // ---- pairs, on the stream's thread

  /// The other server has proved that it speaks for the remote domain of the pair.
  void accept(DomainPair pair, String by) {
    trust = by;
    synchronized (this) {
      if (!accepted.add(pair)) {
        return;
      }
    }
    gate.accepted(pair, this);
  }

  /// The other server accepts stanzas of the pair.
  void ready(DomainPair pair) {
    synchronized (this) {
      if (!ready.add(pair)) {
        return;
      }
    }
    gate.ready(pair, this);
  }

  boolean isReady(DomainPair pair) {
    return ready.contains(pair);
  }

  boolean accepts(DomainPair pair) {
    return accepted.contains(pair);
  }

  boolean hasPairs() {
    return !accepted.isEmpty() || !ready.isEmpty();
  }

  int acceptedPairs() {
    return accepted.size();
  }

  /// How the other server has proved its domain.
  void setTrust(String by) {
    trust = by;
  }

  void setBidirectional() {
    bidirectional = true;
  }

  void setMaxStanzaBytes(int bytes) {
    maxStanzaBytes = bytes;
  }

  // ---- stanzas, on the stream's thread

  /// A stanza of a pair that is accepted has come in.
  void receive(DomainPair pair, Stanza stanza) {
    long number = count();
    gate.received(pair, stanza, number, this);
  }

  /// A stanza has come in that goes no further.
  void receiveUnreadable() {
    handled(count());
  }

  /// The number of a stanza that has come in.
  private synchronized long count() {
    received++;
    if (!full && received - handled.count() > MAX_UNHANDLED) {
      full = true;
      stream.pauseReading();
    }
    return received;
  }

  synchronized long received() {
    return received;
  }

  synchronized long handled() {
    return handled.count();
  }

  synchronized long sent() {
    return sent;
  }

  synchronized long acknowledged() {
    return acknowledged;
  }

  /// Runs `reached` on the stream's thread once so many stanzas have been handled.
  void await(long count, Runnable reached) {
    synchronized (this) {
      awaitedReached = reached;
      if (handled.count() < count) {
        awaited = count;
        return;
      }
      awaited = NONE;
    }
    reached.run();
  }

  /// What is sent from now on is acknowledged by the other server. Writes `enabled`, which tells it
  /// so, between what is sent before and what is sent after.
  ///
  /// @return what has been sent before
  synchronized long manage(@Nullable Element enabled) {
    managedFrom = sent;
    if (enabled != null) {
      stream
          .transport()
          .enqueue(() -> {
            if (!stream.closed()) {
              stream.write(enabled);
            }
          });
    }
    return sent;
  }

  /// The stanzas up to this one have been acknowledged by the other server, or their bytes have
  /// left.
  void acknowledge(long count) {
    Map<DomainPair, Long> last = new LinkedHashMap<>();
    synchronized (this) {
      if (ended) {
        return;
      }
      for (; acknowledged < count; acknowledged++) {
        Sent first = unacknowledged.remove();
        last.put(first.pair(), first.number());
      }
    }
    last.forEach((pair, number) -> gate.acknowledged(pair, number, this));
  }

  /// The bytes of the stanzas up to this one have left.
  void written(long count) {
    boolean known;
    synchronized (this) {
      known = managedFrom < 0 || count <= managedFrom;
    }
    if (known) {
      acknowledge(count);
    }
  }

  /// The stream has ended.
  void end(ServerStreamFailure why) {
    Set<DomainPair> pairs;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      unacknowledged.clear();
      pairs = new LinkedHashSet<>(accepted);
      pairs.addAll(ready);
    }
    pairs.forEach(pair -> gate.ended(pair, this, why));
  }
}
