package im.zonda.throttle;

import im.zonda.module.Scheduler;
import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// The failed logins of the last day, by the network that they came from, for the log and for
/// administrators. What they mean for further attempts is a matter of [LoginThrottle].
///
/// At most [#MOST] networks are known; the one whose last failure is the longest ago is forgotten
/// first. Safe for use by several threads.
public final class FailedLogins {
  /// The most networks.
  public static final int MOST = 1_000;

  /// How long a network is known after its last failure.
  public static final Duration KEPT = Duration.ofDays(1);

  private static final Comparator<Failures> NEWEST_FIRST =
      Comparator.comparing(Failures::last).reversed().thenComparing(Failures::address);

  private final AddressLog log;
  private final InstantSource clock;
  private final SequencedMap<ClientNetwork, Failures> networks = new LinkedHashMap<>();

  /// The failures of a network.
  ///
  /// @param address the last address of the network
  /// @param count how many logins have failed
  /// @param account the account of the last one, as the client claimed; null if it named none
  public record Failures(
      String address, long count, Instant first, Instant last, @Nullable String account) {}

  /// None yet.
  public FailedLogins(InstantSource clock, Scheduler scheduler) {
    this.log = new AddressLog("sasl_failed_repeatedly", scheduler);
    this.clock = clock;
  }

  /// Counts a failure.
  ///
  /// @param account the account, as the client claimed
  /// @return true if it is the first one of its network for some time and to be logged
  public boolean add(InetAddress address, @Nullable String account) {
    synchronized (this) {
      ClientNetwork network = ClientNetwork.of(address);
      Instant now = clock.instant();
      // Put at the end again: the order is that of the last failure.
      Failures before = networks.remove(network);
      if (before == null && networks.size() >= MOST) {
        networks.pollFirstEntry();
      }
      if (before != null && !before.last().isAfter(now.minus(KEPT))) {
        before = null;
      }
      networks.put(
          network,
          new Failures(
              address.getHostAddress(),
              before == null ? 1 : before.count() + 1,
              before == null ? now : before.first(),
              now,
              account));
    }
    return log.isFirst(address);
  }

  /// The failures, the newest first.
  public List<Failures> list() {
    Instant oldest = clock.instant().minus(KEPT);
    List<Failures> found;
    synchronized (this) {
      found = new ArrayList<>(networks.values());
    }
    found.removeIf(each -> !each.last().isAfter(oldest));
    found.sort(NEWEST_FIRST);
    return found;
  }
}
