package im.zonda.home.remote;

import im.zonda.config.S2s;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamLink;
import im.zonda.module.InboundFlow;
import im.zonda.module.Scheduler;
import im.zonda.route.ErrorReplies;
import im.zonda.route.Pauses;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// The streams with other servers that carry at least one pair of domains, in either direction:
/// when each was last used, and how many stanzas each remote domain sends. Safe for use by several
/// threads.
final class OpenStreams {
  /// A domain that is slowed is recorded once in this time, in ms.
  private static final long RECORD_AGAIN = 60_000;

  private final Scheduler scheduler;
  private final ErrorReplies errors;
  private final Map<ServerStreamLink, OpenStream> streams = new ConcurrentHashMap<>();
  private final Map<String, Rates> rates = new ConcurrentHashMap<>();

  /// @param errors where it is recorded that a domain is slowed
  OpenStreams(Scheduler scheduler, ErrorReplies errors) {
    this.scheduler = scheduler;
    this.errors = errors;
  }

  /// What one remote domain sends, on all its streams.
  private static final class Rates {
    private final StanzaRate stanzas = new StanzaRate();
    private final StanzaRate presence = new StanzaRate();
    private final AtomicLong recorded = new AtomicLong(Long.MIN_VALUE / 2);

    boolean isSpentBefore(long now) {
      return stanzas.isSpentBefore(now) && presence.isSpentBefore(now);
    }
  }

  /// A stream, and the flow of what comes in on it.
  final class OpenStream implements InboundFlow {
    private final ServerStreamLink link;
    private final Set<DomainPair> pairs = new HashSet<>(); // guarded by the stream
    private final AtomicBoolean slowed = new AtomicBoolean();
    private volatile long lastUsed;
    private volatile int count = 1;

    private OpenStream(ServerStreamLink link) {
      this.link = link;
    }

    ServerStreamLink link() {
      return link;
    }

    /// A stanza has been sent or received.
    void used(long now) {
      lastUsed = now;
    }

    /// Counts a stanza that has come in; does not read for a while if there are too many.
    void count(DomainPair pair, Stanza stanza, S2s settings, long now) {
      lastUsed = now;
      String remote = pair.remote();
      Rates counted = rates.get(remote);
      if (counted == null) {
        counted = rates.computeIfAbsent(remote, key -> new Rates());
      }
      long pause = counted.stanzas.count(settings.stanzaRateOf(remote), now);
      if (stanza instanceof Presence) {
        pause = Math.max(pause, counted.presence.count(settings.presenceRateOf(remote), now));
      }
      if (pause > 0 && slowed.compareAndSet(false, true)) {
        link.pauseReading();
        errors.pauses().of(Pauses.Cause.RATE).increment();
        long before = counted.recorded.get();
        if (now - before >= RECORD_AGAIN && counted.recorded.compareAndSet(before, now)) {
          recordSlowed(pair, settings.stanzaRateOf(remote));
        }
        scheduler.schedule(
            Duration.ofMillis(pause),
            () -> {
              slowed.set(false);
              link.resumeReading();
            });
      }
    }

    /// How many pairs it carries.
    int pairCount() {
      return count;
    }

    private synchronized void add(DomainPair pair) {
      pairs.add(pair);
      count = pairs.size();
    }

    private synchronized List<DomainPair> pairs() {
      return List.copyOf(pairs);
    }

    private synchronized boolean removeLast(DomainPair pair) {
      pairs.remove(pair);
      count = Math.max(1, pairs.size());
      return pairs.isEmpty();
    }

    @Override
    public void pauseReading() {
      link.pauseReading();
    }

    @Override
    public void resumeReading() {
      link.resumeReading();
    }
  }

  private void recordSlowed(DomainPair pair, int rate) {
    errors.record(
        new Journal.Entry(
            Place.REMOTE,
            Reason.REMOTE_SLOWED,
            Jid.of(pair.remote()),
            Jid.of(pair.local()),
            "",
            null,
            0,
            String.valueOf(rate)));
  }

  /// The stream carries the pair.
  void add(DomainPair pair, ServerStreamLink link, long now) {
    streams.compute(
        link,
        (key, known) -> {
          OpenStream stream = known == null ? new OpenStream(link) : known;
          stream.add(pair);
          stream.used(now);
          return stream;
        });
  }

  /// The stream no longer carries the pair.
  void remove(DomainPair pair, ServerStreamLink link) {
    streams.computeIfPresent(link, (key, stream) -> stream.removeLast(pair) ? null : stream);
  }

  /// The stream, or null if it carries no pair.
  @Nullable OpenStream of(ServerStreamLink link) {
    return streams.get(link);
  }

  /// Closes the streams that have not been used for that time, and forgets the rates of domains
  /// that have sent nothing recently. Times in milliseconds.
  void sweep(long now, long idle) {
    rates.values().removeIf(each -> each.isSpentBefore(now));
    streams.values().stream()
        .filter(stream -> now - stream.lastUsed >= idle)
        .forEach(stream -> stream.link.close());
  }

  /// What the streams that carry other pairs than these are, by pair: those on which stanzas only
  /// come in.
  Map<DomainPair, ServerStreamLink.Status> statusExcept(Set<DomainPair> known) {
    Map<DomainPair, ServerStreamLink.Status> others = new HashMap<>();
    for (OpenStream stream : streams.values()) {
      for (DomainPair pair : stream.pairs()) {
        if (!known.contains(pair)) {
          others.put(pair, stream.link.status());
        }
      }
    }
    return others;
  }

  /// Ends the streams of which one pair is not permitted.
  ///
  /// @param permits whether a stream with that trust may carry pairs with that remote domain
  void closeUnless(BiPredicate<String, String> permits) {
    for (OpenStream stream : streams.values()) {
      String trust = stream.link.status().trust();
      if (stream.pairs().stream().anyMatch(pair -> !permits.test(pair.remote(), trust))) {
        stream.link.close(
            StreamErrorCondition.POLICY_VIOLATION, "this domain is no longer allowed here");
      }
    }
  }

  /// How many there are.
  int size() {
    return streams.size();
  }
}
