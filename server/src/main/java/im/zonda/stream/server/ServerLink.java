package im.zonda.stream.server;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamGate;
import im.zonda.link.ServerStreamLink;
import im.zonda.link.ToStream;
import im.zonda.link.ack.HandledCount;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.Stream;
import im.zonda.xml.Element;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The link of a stream with another server: its domain pairs, what was sent and not acknowledged,
/// and how much of what was received has been handled. A link that can be resumed (XEP-0198,
/// section 5) has no stream between the end of a connection and its resumption.
///
/// The methods of [ServerStreamLink] may be called by any thread; the others are called on the
/// stream's thread. The gate is never called with the lock held.
final class ServerLink implements ServerStreamLink {
  /// In place of a count that is waited for: higher than any.
  static final long NOTHING_AWAITED = Long.MAX_VALUE;

  /// Received stanzas that have not been handled, above which nothing more is read.
  static final int MAX_UNHANDLED = 4_096;

  private final ServerStreamGate gate;
  private final ResumableLinks resumable;
  private final boolean incoming;

  // ---- by the lock

  /// Null while it waits to be resumed, and after the end.
  private @Nullable Stream stream;

  private final Set<DomainPair> accepted = new LinkedHashSet<>();
  private final Set<DomainPair> ready = new LinkedHashSet<>();
  private final SentStanzas sent = new SentStanzas();
  private final HandledCount handled = new HandledCount(0);

  /// What had been received before the other server's stanzas were acknowledged.
  private long receivedBefore;

  private long awaited = NOTHING_AWAITED;

  /// Wakes that stream when the stanzas that it waits for have been handled.
  private Runnable awaitedReached = () -> {};

  private @Nullable Stream awaitedBy;

  /// How it can be resumed; null if it cannot.
  private ResumableLinks.@Nullable Terms terms;

  /// Whether it must end with its connection.
  private boolean closing;

  private boolean ended;

  /// Reasons not to read from the other server.
  private int pauses;

  /// Whether reading is paused because too much has not been handled.
  private boolean full;

  // ---- for [#status], written on the stream's thread

  private volatile InetAddress address;
  private volatile boolean secure;
  private volatile boolean bidirectional;
  private volatile String trust = "";
  private volatile int maxStanzaBytes = Integer.MAX_VALUE;

  ServerLink(ServerStreamGate gate, ResumableLinks resumable, Stream stream, boolean incoming) {
    this.gate = gate;
    this.resumable = resumable;
    this.stream = stream;
    this.incoming = incoming;
    this.address = stream.transport().remoteAddress();
  }

  // ---- by any thread

  @Override
  public void deliver(DomainPair pair, Stanza stanza, long number, long since) {
    synchronized (this) {
      if (ended) {
        return;
      }
      if (!ready.contains(pair)) {
        throw new IllegalArgumentException("the link does not carry " + pair);
      }
      ToStream.Deliver deliver = sent.add(pair, stanza, number, since);
      if (stream != null) {
        stream.transport().deliver(deliver);
      }
    }
  }

  @Override
  public void handled(long number) {
    Runnable wake = null;
    Stream woken = null;
    synchronized (this) {
      if (handled.isPending(number)) { // a stanza that is reported twice counts once
        boolean _ = handled.finished(number);
      }
      if (full && unhandled() <= MAX_UNHANDLED / 2) {
        full = false;
        resumeReading();
      }
      if (handled.handled() >= awaited) {
        awaited = NOTHING_AWAITED;
        wake = awaitedReached;
        woken = awaitedBy;
      }
    }
    if (wake != null && woken != null) {
      woken.transport().execute(wake);
    }
  }

  @Override
  public synchronized void pauseReading() {
    if (pauses++ == 0 && stream != null) {
      stream.transport().execute(stream::pauseReading);
    }
  }

  @Override
  public synchronized void resumeReading() {
    if (--pauses == 0 && stream != null) {
      stream.transport().execute(stream::resumeReading);
    }
  }

  @Override
  public void close(StreamErrorCondition condition, @Nullable String text) {
    close(open -> open.fail(condition, text));
  }

  @Override
  public void close() {
    close(Stream::finish);
  }

  private void close(Consumer<Stream> how) {
    synchronized (this) {
      closing = true;
      Stream open = stream;
      if (open != null) {
        open.transport().enqueue(() -> how.accept(open));
        return;
      }
    }
    end(null, new ServerStreamFailure(ServerStreamFailure.Reason.CLOSED, "it was not resumed"));
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
      managed = sent.isManaged();
      connected = stream != null;
    }
    return new Status(
        incoming, bidirectional, address.getHostAddress(), secure, trust, managed, connected);
  }

  // ---- pairs, on the stream's thread

  /// The other server has proved that it speaks for the remote domain of the pair.
  void accept(DomainPair pair, String by) {
    trust = by;
    synchronized (this) {
      noteConnection();
      if (!accepted.add(pair)) {
        return;
      }
    }
    gate.accepted(pair, this);
  }

  /// The other server accepts stanzas of the pair.
  void ready(DomainPair pair) {
    synchronized (this) {
      noteConnection();
      if (!ready.add(pair)) {
        return;
      }
    }
    gate.ready(pair, this);
  }

  private void noteConnection() {
    if (stream != null) {
      address = stream.transport().remoteAddress();
      secure = stream.transport().secure();
    }
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

  /// All its pairs, in either direction.
  synchronized Set<DomainPair> pairs() {
    Set<DomainPair> pairs = new LinkedHashSet<>(accepted);
    pairs.addAll(ready);
    return pairs;
  }

  boolean isIncoming() {
    return incoming;
  }

  boolean isBidirectional() {
    return bidirectional;
  }

  InetAddress address() {
    return address;
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

  /// A stanza has come in that cannot be read.
  ///
  /// @param answer the error for its sender, or null
  void receiveUnreadable(@Nullable DomainPair pair, @Nullable Stanza answer) {
    long number = count();
    if (pair != null && answer != null) {
      gate.answered(pair, answer, this);
    }
    handled(number);
  }

  /// The number of a stanza that has come in.
  private synchronized long count() {
    long number = handled.received() + 1;
    handled.arrived(number);
    if (!full && unhandled() > MAX_UNHANDLED) {
      full = true;
      if (pauses++ == 0 && stream != null) {
        stream.pauseReading();
      }
    }
    return number;
  }

  private long unhandled() {
    return handled.received() - handled.handled();
  }

  synchronized long received() {
    return handled.received();
  }

  synchronized long sent() {
    return sent.count();
  }

  /// How many stanzas have been sent that the other server counts.
  synchronized long sentManaged() {
    return sent.countManaged();
  }

  synchronized boolean hasUnacknowledged() {
    return sent.hasUnacknowledged();
  }

  /// Whether no stanza has been sent or received.
  synchronized boolean isUnused() {
    return sent.count() == 0 && handled.received() == 0;
  }

  /// Runs `reached` on the thread of `stream` once `count` stanzas have been handled. The last call
  /// counts.
  void await(Stream by, long count, Runnable reached) {
    synchronized (this) {
      if (handled.handled() < count) {
        awaited = count;
        awaitedReached = reached;
        awaitedBy = by;
        return;
      }
      awaited = NOTHING_AWAITED;
    }
    reached.run();
  }

  /// What is sent from now on is acknowledged by the other server. Writes `enabled`, which tells it
  /// so, between what is sent before and what is sent after.
  synchronized void manage(Stream on, @Nullable Element enabled) {
    sent.manage();
    receivedBefore = handled.received();
    if (enabled != null) {
      on.transport()
          .enqueue(() -> {
            if (!on.closed()) {
              on.write(enabled);
            }
          });
    }
  }

  /// What the other server learns about how many of its stanzas have been handled.
  synchronized long handledSinceManaged() {
    return Math.max(0, handled.handled() - receivedBefore);
  }

  /// How many stanzas the other server has, which says `h`; -1 if that is more than were sent.
  synchronized long countAcknowledged(long h) {
    return sent.countAcknowledged(h);
  }

  /// The stanzas up to this one have been acknowledged by the other server, or their bytes have
  /// left.
  void acknowledge(long count) {
    Map<DomainPair, Long> last;
    synchronized (this) {
      if (ended) {
        return;
      }
      last = sent.acknowledge(count);
    }
    last.forEach((pair, number) -> gate.acknowledged(pair, number, this));
  }

  /// Whether there are stanzas that have arrived as far as one knows once their bytes have left,
  /// and that is not known yet.
  synchronized boolean awaitsWritten() {
    return sent.hasUnmanaged();
  }

  /// The bytes of the stanzas up to this one have left.
  void written(long count) {
    boolean arrived;
    synchronized (this) {
      arrived = sent.isUnmanaged(count);
    }
    if (arrived) {
      acknowledge(count);
    }
  }

  // ---- resumption

  /// It can be resumed from now on.
  synchronized void makeResumable(ResumableLinks.Terms by) {
    terms = by;
  }

  /// How it can be resumed; null if it cannot.
  synchronized ResumableLinks.@Nullable Terms terms() {
    return terms;
  }

  /// The connection of that stream is lost. False if the link ends with it.
  boolean interrupt(Stream by) {
    Set<DomainPair> waiting;
    synchronized (this) {
      if (stream != by || terms == null || closing) {
        return false;
      }
      stream = null;
      waiting = new LinkedHashSet<>(ready);
    }
    List<ServerLink> displaced = resumable.keep(this);
    waiting.forEach(pair -> gate.interrupted(pair, this));
    displaced.forEach(link -> link.end(null, ResumableLinks.DISPLACED));
    return true;
  }

  /// Takes it from the stream that it has, if any, and then runs `taken` on the thread of another
  /// one, once all that was received has been handled: what has not been handled would be sent
  /// again.
  void takeOver(Stream by, Runnable taken) {
    Stream old;
    synchronized (this) {
      old = stream;
    }
    if (old == null) {
      await(by, received(), taken);
      return;
    }
    old.transport()
        .execute(() -> {
          if (interrupt(old)) {
            old.fail(StreamErrorCondition.CONFLICT, "the stream goes on over another connection");
          }
          by.transport().execute(() -> await(by, received(), taken));
        });
  }

  /// Goes on with another stream; on its thread. The other server has the stanzas up to `count`,
  /// and gets the others again after `answer`. False if it does not wait to be resumed.
  boolean resume(Stream on, long count, @Nullable Element answer) {
    Map<DomainPair, Long> last;
    Set<DomainPair> pairs;
    synchronized (this) {
      if (stream != null || ended || closing) {
        return false;
      }
      stream = on;
      noteConnection();
      if (answer != null) {
        on.write(answer);
      }
      if (pauses > 0) {
        on.pauseReading();
      }
      last = sent.acknowledge(count);
      sent.sendAgain(on.transport());
      pairs = new LinkedHashSet<>(ready);
    }
    resumable.resumed(this);
    last.forEach((pair, number) -> gate.acknowledged(pair, number, this));
    pairs.forEach(pair -> gate.resumed(pair, this));
    return true;
  }

  /// The stream has ended, or the link that has none is not resumed. Does nothing if the link has
  /// another stream.
  void end(@Nullable Stream by, ServerStreamFailure why) {
    Set<DomainPair> pairs;
    synchronized (this) {
      if (ended || stream != by) {
        return;
      }
      ended = true;
      stream = null;
      sent.clear();
      pairs = pairs();
    }
    resumable.end(this);
    pairs.forEach(pair -> gate.ended(pair, this, why));
  }
}
