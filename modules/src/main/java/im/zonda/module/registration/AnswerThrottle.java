package im.zonda.module.registration;

import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// Limits how often one address may answer a question: after a wrong answer no other is judged for
/// a second, after the next for two, and so on up to an hour. An IPv6 address counts as its /64.
///
/// A right answer, or an hour without a wrong one, starts again. Memory is bounded: when
/// [#MAX_NETWORKS] networks have given wrong answers within an hour, the one whose last wrong
/// answer is the oldest is evicted. Thread-safe.
final class AnswerThrottle {
  /// The maximum number of networks.
  static final int MAX_NETWORKS = 10_000;

  private static final Duration LONGEST = Duration.ofHours(1);

  /// The wrong answers of a network.
  private record Wrong(int answers, Instant last) {
    Instant openAt() {
      // The twelfth doubling is above the longest delay.
      Duration delay = Duration.ofSeconds(1L << Math.min(answers - 1, 12));
      return last.plus(delay.compareTo(LONGEST) < 0 ? delay : LONGEST);
    }
  }

  private final InstantSource clock;

  /// Ordered by the last wrong answer.
  private final LinkedHashMap<ClientNetwork, Wrong> networks = new LinkedHashMap<>();

  AnswerThrottle(InstantSource clock) {
    this.clock = clock;
  }

  /// Counts an answer. Returns how long the address has to wait before an answer is judged; zero if
  /// this one is.
  synchronized Duration judge(InetAddress address, boolean right) {
    Instant now = clock.instant();
    removeExpired(now);
    ClientNetwork network = ClientNetwork.of(address);
    Wrong before = networks.get(network);
    if (before != null && now.isBefore(before.openAt())) {
      return Duration.between(now, before.openAt());
    }
    if (right) {
      networks.remove(network);
    } else {
      add(network, before, now);
    }
    return Duration.ZERO;
  }

  private void add(ClientNetwork network, @Nullable Wrong before, Instant now) {
    if (before == null && networks.size() >= MAX_NETWORKS) {
      networks.pollFirstEntry();
    }
    networks.putLast(network, new Wrong(before == null ? 1 : before.answers() + 1, now));
  }

  /// The number of networks in memory.
  synchronized int networks() {
    return networks.size();
  }

  private void removeExpired(Instant now) {
    Iterator<Wrong> oldest = networks.values().iterator();
    while (oldest.hasNext()) {
      Instant last = oldest.next().last();
      // A time in the future means that the clock was set back: it counts no longer.
      if (!now.isBefore(last) && now.isBefore(last.plus(LONGEST))) {
        return;
      }
      oldest.remove();
    }
  }
}
