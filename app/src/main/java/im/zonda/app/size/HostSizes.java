package im.zonda.app.size;

import im.zonda.jid.Jid;
import im.zonda.size.SizeStore;
import im.zonda.size.SizeStore.Measured;
import im.zonda.size.SizeStore.Size;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sizes of the hosts, measured once an hour at one node of a cluster, and kept in the store.
/// Any thread may call; all calls block.
final class HostSizes {
  /// The key-value store.
  static final String STORE = "sizes";

  /// The time from one measurement to the next.
  static final Duration PERIOD = Duration.ofHours(1);

  /// How many messages are read at a time, about.
  static final int ROWS = 200_000;

  /// The most hosts that are kept: the largest ones.
  static final int MOST = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(HostSizes.class);
  private static final String KEY = "hosts";
  private static final int FIELDS = 7;

  /// To whom the values belong: the server as a whole.
  private static final Jid OWNER = Jid.of(null, "zonda.invalid", null);

  private final Stored stored;
  private final UnaryOperator<String> hosts;
  private final BooleanSupplier isHere;
  private final InstantSource clock;
  private final RandomGenerator random;

  /// Where sizes come from and are kept.
  record Stored(SizeStore sizes, KeyValueStore kept) {}

  /// What is known.
  ///
  /// @param hosts in the order of their names
  record Known(Instant time, boolean estimated, List<Size> hosts) {}

  /// @param hosts the host of a domain; the domain itself if it is of none
  /// @param isHere whether this node measures at present
  HostSizes(
      Stored stored,
      UnaryOperator<String> hosts,
      BooleanSupplier isHere,
      InstantSource clock,
      RandomGenerator random) {
    this.stored = stored;
    this.hosts = hosts;
    this.isHere = isHere;
    this.clock = clock;
    this.random = random;
  }

  /// What was measured last; null before the first time.
  @Nullable Known known() {
    byte[] value = stored.kept().all(OWNER).get(KEY);
    if (value == null) {
      return null;
    }
    try {
      return read(new String(value, StandardCharsets.UTF_8));
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("sizes_damaged");
      return null; // is measured again
    }
  }

  /// Measures if it is time.
  void run() {
    if (!isHere.getAsBoolean()) {
      return;
    }
    Known known = known();
    Instant now = clock.instant();
    if (known != null && known.time().plus(PERIOD).isAfter(now)) {
      return;
    }
    Measured measured = stored.sizes().measure(ROWS, random);
    Map<String, Size> sizes = new TreeMap<>();
    for (Size each : measured.sizes()) {
      String host = hosts.apply(each.domain());
      sizes.merge(host, Size.of(host).plus(each), Size::plus);
    }
    List<Size> largest =
        sizes.values().stream()
            .sorted(
                Comparator.comparingLong((Size each) -> each.bytes() + each.fileBytes()).reversed())
            .limit(MOST)
            .sorted(Comparator.comparing(Size::domain))
            .toList();
    stored.kept().put(OWNER, KEY, text(new Known(now, measured.estimated(), largest)));
  }

  private static byte[] text(Known known) {
    List<String> lines = new ArrayList<>();
    lines.add(known.time().toEpochMilli() + "\t" + known.estimated());
    for (Size each : known.hosts()) {
      lines.add(
          String.join(
              "\t",
              each.domain(),
              String.valueOf(each.messages()),
              String.valueOf(each.bytes()),
              String.valueOf(each.accounts()),
              String.valueOf(each.rooms()),
              String.valueOf(each.files()),
              String.valueOf(each.fileBytes())));
    }
    return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
  }

  private static Known read(String text) {
    String[] lines = text.split("\n", -1);
    String[] first = lines[0].split("\t", 2);
    List<Size> hosts = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      String[] fields = lines[i].split("\t", FIELDS);
      hosts.add(
          new Size(
              fields[0],
              Long.parseLong(fields[1]),
              Long.parseLong(fields[2]),
              Long.parseLong(fields[3]),
              Long.parseLong(fields[4]),
              Long.parseLong(fields[5]),
              Long.parseLong(fields[6])));
    }
    return new Known(
        Instant.ofEpochMilli(Long.parseLong(first[0])), Boolean.parseBoolean(first[1]), hosts);
  }
}
