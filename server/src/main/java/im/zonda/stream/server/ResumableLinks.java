package im.zonda.stream.server;

import im.zonda.config.limits.S2sLimits;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamFailure.Reason;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The links that can be resumed (XEP-0198, section 5): those that other servers have opened, with
/// and without a connection, and the interrupted ones of this server. Of those that have ended it
/// is remembered for some how many stanzas have been handled. Safe for use by several threads.
///
/// Interrupted links of other servers are bounded in number: those of one remote domain, where the
/// oldest one ends, and all of them, where the oldest one from the address with the most ends.
/// Those of this server are at most one for each pair of domains.
final class ResumableLinks {
  /// The most interrupted links of a remote domain, and the most ended ones that are remembered.
  static final int OF_DOMAIN = 8;

  static final ServerStreamFailure DISPLACED =
      new ServerStreamFailure(Reason.LOST, "the connection broke, and too many others did too");

  private static final ServerStreamFailure EXPIRED =
      new ServerStreamFailure(Reason.LOST, "the connection broke and was not resumed in time");

  private final S2sLimits limits;
  private final InstantSource clock;

  // ---- by the lock

  /// Links that other servers have opened, by identifier.
  private final Map<String, ServerLink> incoming = new HashMap<>();

  /// Interrupted ones of them by remote domain, oldest first.
  private final Map<String, Deque<ServerLink>> ofDomain = new HashMap<>();

  /// Interrupted links of this server.
  private final Map<DomainPair, ServerLink> outgoing = new HashMap<>();

  /// Until when interrupted links wait, in milliseconds since 1970; oldest first.
  private final Map<ServerLink, Long> deadlines = new LinkedHashMap<>();

  /// How many of them other servers have opened.
  private int interrupted;

  /// Links that other servers have opened and that have ended, by remote domain and identifier.
  private final Map<String, Map<String, ServerLink>> ended;

  /// How a link can be resumed.
  ///
  /// @param pair the domains between which the stream was opened
  /// @param id the identifier of the link (an SM-ID)
  /// @param max how long it waits
  /// @param incoming whether the other server resumes it
  record Terms(DomainPair pair, String id, Duration max, boolean incoming) {}

  /// @param limits how long links wait, and how many
  ResumableLinks(S2sLimits limits, InstantSource clock) {
    this.limits = limits;
    this.clock = clock;
    this.ended = new Bounded<>(limits.interruptedStreams());
  }

  /// How long a link waits to be resumed, at most `asked` seconds if that is not negative; zero if
  /// links are not resumed.
  Duration max(long asked) {
    Duration own = limits.resumeTime();
    return asked < 0 || asked >= own.toSeconds() ? own : Duration.ofSeconds(asked);
  }

  /// Adds a link that another server has opened and may resume.
  synchronized void add(ServerLink link, Terms terms) {
    incoming.put(terms.id(), link);
  }

  /// Finds a link of another server; null if there is none. It may have ended.
  ///
  /// @param remote the domain that the other server has proved
  synchronized @Nullable ServerLink find(String id, String remote) {
    ServerLink found = incoming.get(id);
    return found != null ? found : ended.getOrDefault(remote, Map.of()).get(id);
  }

  /// Takes the interrupted link of a pair that this server has opened, so that no other stream
  /// resumes it; null if there is none. It still ends when it has waited too long.
  synchronized @Nullable ServerLink claim(DomainPair pair) {
    return outgoing.remove(pair);
  }

  /// Undoes [#claim]: another stream may resume the link.
  synchronized void putBack(DomainPair pair, ServerLink link) {
    if (deadlines.containsKey(link)) {
      outgoing.putIfAbsent(pair, link);
    }
  }

  /// Keeps an interrupted link for a while. Returns the links that must end instead.
  List<ServerLink> keep(ServerLink link) {
    Terms terms = link.terms();
    if (terms == null) {
      return List.of(link);
    }
    long until = clock.millis() + terms.max().toMillis();
    synchronized (this) {
      return keep(link, terms, until);
    }
  }

  private List<ServerLink> keep(ServerLink link, Terms terms, long until) {
    List<ServerLink> displaced = new ArrayList<>();
    deadlines.put(link, until);
    if (!terms.incoming()) {
      ServerLink other = outgoing.put(terms.pair(), link);
      if (other != null && !other.equals(link)) {
        displaced.add(other);
      }
      return displaced;
    }
    interrupted++;
    Deque<ServerLink> own =
        ofDomain.computeIfAbsent(terms.pair().remote(), key -> new ArrayDeque<>(1));
    own.add(link);
    if (own.size() > OF_DOMAIN) {
      displaced.add(own.getFirst());
    } else if (interrupted > limits.interruptedStreams()) {
      displaced.add(findOldestOfBusiestAddress());
    }
    return displaced;
  }

  private ServerLink findOldestOfBusiestAddress() {
    Map<InetAddress, Integer> counts = new HashMap<>();
    for (Deque<ServerLink> own : ofDomain.values()) {
      own.forEach(link -> counts.merge(link.address(), 1, Integer::sum));
    }
    int most = 0;
    ServerLink found = null;
    for (ServerLink link : deadlines.keySet()) {
      Integer count = counts.get(link.address());
      if (count != null && count > most && link.isIncoming()) {
        most = count;
        found = link;
      }
    }
    if (found == null) {
      throw new IllegalStateException("no interrupted links, but too many");
    }
    return found;
  }

  /// An interrupted link has a connection again.
  void resumed(ServerLink link) {
    Terms terms = link.terms();
    synchronized (this) {
      remove(link, terms);
    }
  }

  private void remove(ServerLink link, @Nullable Terms terms) {
    if (deadlines.remove(link) == null || terms == null) {
      return;
    }
    if (!terms.incoming()) {
      outgoing.remove(terms.pair(), link);
      return;
    }
    interrupted--;
    ofDomain.computeIfPresent(
        terms.pair().remote(),
        (key, own) -> {
          own.remove(link);
          return own.isEmpty() ? null : own;
        });
  }

  /// A link has ended. If another server has opened it, it still learns what has been handled.
  void end(ServerLink link) {
    Terms terms = link.terms();
    if (terms == null) {
      return;
    }
    synchronized (this) {
      remove(link, terms);
      if (terms.incoming() && incoming.remove(terms.id(), link)) {
        ended
            .computeIfAbsent(terms.pair().remote(), key -> new Bounded<>(OF_DOMAIN))
            .put(terms.id(), link);
      }
    }
  }

  /// Ends the links that have waited too long.
  void sweep() {
    long now = clock.millis();
    List<ServerLink> expired = new ArrayList<>();
    synchronized (this) {
      deadlines.forEach((link, until) -> {
        if (now >= until) {
          expired.add(link);
        }
      });
    }
    expired.forEach(link -> link.end(null, EXPIRED));
  }

  /// How many interrupted links are kept.
  synchronized int size() {
    return deadlines.size();
  }

  /// A map that forgets its oldest entries.
  private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;
    private final int most;

    private Bounded(int most) {
      super(4);
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > most;
    }
  }
}
