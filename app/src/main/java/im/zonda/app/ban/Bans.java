package im.zonda.app.ban;

import im.zonda.jid.Jid;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.store.KeyValueStore;
import im.zonda.throttle.BannedNetworks;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The banned networks of a server: in the store, and in memory for each connection. Any thread may
/// call.
final class Bans {
  /// The key-value store.
  static final String STORE = "bans";

  /// The most bans.
  static final int MOST = 1_000;

  /// To whom the values belong: the server as a whole.
  static final Jid OWNER = Jid.of(null, "zonda.invalid", null);

  private static final Logger LOG = LoggerFactory.getLogger(Bans.class);

  /// A ban.
  ///
  /// @param network an address, or a network such as `192.0.2.0/24`
  /// @param until when it ends; null for never
  /// @param by who has made it
  record Ban(
      String network, Instant since, @Nullable Instant until, String by, @Nullable String reason) {
    boolean holds(Instant now) {
      return until == null || now.isBefore(until);
    }
  }

  /// A ban in force.
  private record Active(Ban ban, AddressRanges range, LongAdder refused) {}

  private final KeyValueStore store;
  private final InstantSource clock;
  private final BannedNetworks banned;
  private volatile List<Active> active = List.of();

  /// Reads the bans. Blocks.
  ///
  /// @param banned gets them
  Bans(KeyValueStore store, InstantSource clock, BannedNetworks banned) {
    this.store = store;
    this.clock = clock;
    this.banned = banned;
    read();
  }

  /// Reads what another node of a cluster may have changed, and erases what has ended. Blocks.
  synchronized void read() {
    Instant now = clock.instant();
    List<Active> before = active;
    List<Active> read = new ArrayList<>();
    new TreeMap<>(store.all(OWNER))
        .forEach((network, stored) -> {
          try {
            Ban ban = parse(network, new String(stored, StandardCharsets.UTF_8));
            if (ban.holds(now)) {
              read.add(new Active(ban, new AddressRanges(List.of(network)), count(before, ban)));
            } else {
              store.remove(OWNER, network);
            }
          } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            LOG.atError().addKeyValue("network", network).setCause(e).log("ban_damaged");
          }
        });
    active = List.copyOf(read);
    banned.set(read.stream().map(each -> each.ban.network()).toList(), this::test);
  }

  /// The same at once, after a notice of another node; a failure is logged.
  void readAfterNotice() {
    try {
      read();
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("bans_not_read");
    }
  }

  private static LongAdder count(List<Active> before, Ban ban) {
    for (Active each : before) {
      if (each.ban.equals(ban)) {
        return each.refused;
      }
    }
    return new LongAdder();
  }

  /// Lines: since, until, by; then the reason.
  private static Ban parse(String network, String stored) {
    String[] lines = stored.split("\n", 4);
    return new Ban(
        network,
        Instant.ofEpochMilli(Long.parseLong(lines[0])),
        lines[1].isEmpty() ? null : Instant.ofEpochMilli(Long.parseLong(lines[1])),
        lines[2],
        lines[3].isEmpty() ? null : lines[3]);
  }

  /// Whether the address is banned, which is counted. Does not block.
  boolean test(InetAddress address) {
    Active found = find(address);
    if (found != null) {
      found.refused.increment();
    }
    return found != null;
  }

  /// Whether the address is banned, without counting it.
  boolean covers(InetAddress address) {
    return find(address) != null;
  }

  private @Nullable Active find(InetAddress address) {
    Instant now = clock.instant();
    for (Active each : active) {
      if (each.range.contains(address) && each.ban.holds(now)) {
        return each;
      }
    }
    return null;
  }

  /// The bans in force, in the order of the networks, each with the connections that it has refused
  /// or ended here since the start.
  Map<Ban, Long> all() {
    Instant now = clock.instant();
    Map<Ban, Long> all = new LinkedHashMap<>();
    for (Active each : active) {
      if (each.ban.holds(now)) {
        all.put(each.ban, each.refused.sum());
      }
    }
    return all;
  }

  /// Adds a ban, or changes it. Blocks.
  synchronized void put(Ban ban) {
    Instant until = ban.until();
    String text =
        ban.since().toEpochMilli()
            + "\n"
            + (until == null ? "" : until.toEpochMilli())
            + "\n"
            + ban.by()
            + "\n"
            + (ban.reason() == null ? "" : ban.reason());
    store.put(OWNER, ban.network(), text.getBytes(StandardCharsets.UTF_8));
    read();
  }

  /// Removes a ban; false if there is none. Blocks.
  synchronized boolean remove(String network) {
    boolean removed = store.remove(OWNER, network);
    read();
    return removed;
  }
}
