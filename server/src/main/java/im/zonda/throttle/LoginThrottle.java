package im.zonda.throttle;

import im.zonda.config.limits.LoginLimits;
import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Counts failed logins per address and per account, over all connections, and delays the answers
/// to attempts.
///
/// The delay depends on what has failed *before* the attempt and is the same whether the attempt is
/// right, wrong or for an account that does not exist. So the delay reveals nothing, and a right
/// password is accepted once the delay is over:
///
/// - an account at an address that has logged in to it recently is judged by its own failures there
///   alone: whatever others do, at that address or elsewhere, does not delay it;
/// - any other attempt is judged by the failures of the address and by those of the account, with a
///   shorter longest delay for the latter, because the owner may be at a new address.
///
/// One address may have few delayed attempts at a time; more are rejected unchecked. An address
/// that fails far more often than accounts log in from it is blocked. All counts drain with time
/// and have an upper bound, so that each recovers within minutes; the tables have a fixed size
/// ([DrainingCounts]). A failure that a table has lost makes a delay shorter, never longer.
///
/// Safe for use by several threads.
public final class LoginThrottle {
  /// How long a successful login makes an address known to the account.
  private static final int KNOWN_HOURS = 30 * 24;

  /// Accounts that log in from an address for each further failure without a delay.
  private static final int ACCOUNTS_PER_FREE_FAILURE = 4;

  /// The most failures without a delay that other accounts earn an address.
  private static final int MOST_EARNED = 250;

  /// How far counts rise beyond the last value that makes a difference.
  private static final int MARGIN = 10;

  private final LoginLimits limits;
  private final long maxDelay;
  private final InstantSource clock;
  private final DrainingCounts addresses;
  private final DrainingCounts accounts;
  private final DrainingCounts pairs;
  private final DrainingCounts known;
  private final DrainingCounts people;

  private final BannedNetworks banned = new BannedNetworks();

  /// Attempts that wait for their answer.
  private final Map<ClientNetwork, Integer> delayed = new HashMap<>();

  /// @param negotiationTime how long a client has from its connection to its session
  /// @param seed a secret
  public LoginThrottle(
      LoginLimits limits, Duration negotiationTime, InstantSource clock, String seed) {
    this.limits = limits;
    this.maxDelay = Math.min(limits.maxDelay().toMillis(), negotiationTime.toMillis() / 3);
    this.clock = clock;
    int entries = limits.entries();
    this.addresses = new DrainingCounts(entries, limits.forgetAfter(), seed);
    this.accounts = new DrainingCounts(entries, limits.forgetAfter(), seed);
    this.pairs = new DrainingCounts(entries, limits.forgetAfter(), seed);
    this.known = new DrainingCounts(entries, Duration.ofHours(1), seed);
    this.people = new DrainingCounts(entries, Duration.ofHours(1), seed);
  }

  /// An attempt to log in.
  ///
  /// @param account the account's address, or whatever the client has claimed to be
  public Attempt attempt(InetAddress address, String account) {
    return new Attempt(address, account);
  }

  /// The networks from which no connection is accepted.
  public BannedNetworks banned() {
    return banned;
  }

  /// Whether connections from that address are to be closed at once.
  public synchronized boolean blocks(ClientNetwork network) {
    if (limits.blockAfter() == 0) {
      return false;
    }
    long key = addresses.keyOf(network.toString());
    long now = clock.millis();
    double failures = addresses.get(key, now);
    return failures > 0 && failures > limits.blockAfter() + people.get(key, now);
  }

  /// The places of all tables, which never change.
  int places() {
    return Stream.of(addresses, accounts, pairs, known, people)
        .mapToInt(DrainingCounts::places)
        .sum();
  }

  /// The addresses with an attempt that waits for its answer.
  synchronized int waitingAddresses() {
    return delayed.size();
  }

  /// One attempt to log in: [#isRefused] may be asked before the proof is looked at, [#decide] must
  /// be called when it was, and [#answered] or [#abandoned] after that.
  public final class Attempt {
    private final InetAddress from;
    private final ClientNetwork network;
    private final long address;
    private final long account;
    private final long pair;
    private boolean right;
    private boolean waits;

    private Attempt(InetAddress from, String account) {
      this.from = from;
      this.network = ClientNetwork.of(from);
      String addressText = network.toString();
      this.address = addresses.keyOf(addressText);
      this.account = accounts.keyOf(account);
      this.pair = pairs.keyOf(addressText + ' ' + account);
    }

    /// The address of the client.
    public InetAddress from() {
      return from;
    }

    /// The network that the attempt comes from.
    public ClientNetwork network() {
      return network;
    }

    /// Whether the attempt is one too many of its address: it is to be refused without looking at
    /// the proof.
    public boolean isRefused() {
      synchronized (LoginThrottle.this) {
        long now = clock.millis();
        return delay(this, now) > 0 && isFull(this, now);
      }
    }

    /// The proof was checked: how long the answer has to wait, or null if the attempt is rejected.
    public @Nullable Duration decide(boolean proofIsRight) {
      synchronized (LoginThrottle.this) {
        long now = clock.millis();
        long delay = delay(this, now);
        if (delay > 0 && isFull(this, now)) {
          return null;
        }
        right = proofIsRight;
        if (!proofIsRight) {
          count(this, now);
        }
        if (delay > 0) {
          waits = true;
          delayed.merge(network, 1, Integer::sum);
        }
        return Duration.ofMillis(delay);
      }
    }

    /// The client has been answered.
    public void answered() {
      synchronized (LoginThrottle.this) {
        end(this);
        if (right) {
          clear(this, clock.millis());
        }
      }
    }

    /// The client has disconnected before it was answered, and has learned nothing.
    public void abandoned() {
      synchronized (LoginThrottle.this) {
        end(this);
      }
    }
  }

  private long delay(Attempt attempt, long now) {
    if (known.get(attempt.pair, now) > 0) {
      return delay(pairs.get(attempt.pair, now) - limits.freeFailures(), maxDelay);
    }
    long byAddress =
        delay(addresses.get(attempt.address, now) - freeFailures(attempt, now), maxDelay);
    long byAccount =
        delay(
            accounts.get(attempt.account, now) - limits.accountFailures(),
            Math.min(maxDelay, limits.maxAccountDelay().toMillis()));
    return Math.max(byAddress, byAccount);
  }

  private double freeFailures(Attempt attempt, long now) {
    double earned = people.get(attempt.address, now) / ACCOUNTS_PER_FREE_FAILURE;
    return limits.freeFailures() + Math.min(MOST_EARNED, Math.floor(earned));
  }

  /// @param excess failures beyond those that are free; rounded, because counts drain all the time
  private long delay(double excess, long most) {
    long doublings = Math.round(excess);
    if (doublings < 0) {
      return 0;
    }
    return doublings > 32 ? most : Math.min(most, limits.firstDelay().toMillis() << doublings);
  }

  private boolean isFull(Attempt attempt, long now) {
    boolean full = delayed.getOrDefault(attempt.network, 0) >= limits.delayedLogins();
    if (full) {
      addresses.add(attempt.address, 1, mostOf(attempt, now), now);
    }
    return full;
  }

  private void count(Attempt attempt, long now) {
    addresses.add(attempt.address, 1, mostOf(attempt, now), now);
    accounts.add(attempt.account, 1, limits.accountFailures() + MARGIN, now);
    pairs.add(attempt.pair, 1, limits.freeFailures() + MARGIN, now);
  }

  /// A little more than what blocks an address, so that it is free again soon after it has stopped.
  private double mostOf(Attempt attempt, long now) {
    return Math.max(
            freeFailures(attempt, now), limits.blockAfter() + people.get(attempt.address, now))
        + MARGIN;
  }

  /// Forgets the user's own failures at this address; those of others at this address, and at this
  /// account from elsewhere, still count.
  private void clear(Attempt attempt, long now) {
    double own = pairs.get(attempt.pair, now);
    if (own > 0) {
      addresses.add(attempt.address, -own, 0, now);
      accounts.add(attempt.account, -own, 0, now);
      pairs.add(attempt.pair, -own, 0, now);
    }
    if (known.get(attempt.pair, now) == 0) {
      people.add(attempt.address, 1, Integer.MAX_VALUE, now);
    }
    known.add(attempt.pair, KNOWN_HOURS, KNOWN_HOURS, now);
  }

  private void end(Attempt attempt) {
    if (attempt.waits) {
      attempt.waits = false;
      delayed.computeIfPresent(attempt.network, (key, count) -> count <= 1 ? null : count - 1);
    }
  }
}
