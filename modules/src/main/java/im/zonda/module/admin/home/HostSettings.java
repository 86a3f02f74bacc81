package im.zonda.module.admin.home;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ModuleContext;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The settings of administrators for the host, in memory and in the store. Other nodes of a
/// cluster are notified of changes. Any thread may read.
public final class HostSettings {
  /// The key-value store of accounts, and of the host itself.
  public static final String STORE = "administration";

  /// The most addresses in each list.
  public static final int MOST_ADDRESSES = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(HostSettings.class);
  private static final Duration READ_AGAIN = Duration.ofMinutes(1);
  private static final String ADMINS = "admins";
  private static final String BLACKLIST = "blacklist";
  private static final String WHITELIST = "whitelist";
  private static final String MOTD = "motd";
  private static final String WELCOME = "welcome";

  /// All settings.
  ///
  /// @param admins administrators beside those of the configuration, and when they were added
  /// @param blacklist with whom nothing is exchanged
  /// @param whitelist with whom alone something is exchanged, unless it is empty
  /// @param motd the message of the day, or null
  /// @param welcome the welcome message, or null
  public record Values(
      Map<Jid, Instant> admins,
      Set<Jid> blacklist,
      Set<Jid> whitelist,
      @Nullable Notice motd,
      @Nullable Notice welcome) {}

  private final ModuleContext context;
  private final KeyValueStore store;
  private final Jid host;
  private volatile Values values;

  /// Reads the settings. Blocks.
  public HostSettings(ModuleContext context) {
    store = context.keyValues(STORE);
    host = context.domain();
    values = read();
    this.context = context;
    context.onNotice(() -> values = read());
    if (context.config().cluster().name() != null) {
      // For a node that was cut off when the others were notified.
      context.every(READ_AGAIN, READ_AGAIN, () -> values = read());
    }
  }

  public Values values() {
    return values;
  }

  private Values read() {
    Map<String, byte[]> stored = store.all(host);
    return new Values(
        times(stored.get(ADMINS)),
        addresses(stored.get(BLACKLIST)),
        addresses(stored.get(WHITELIST)),
        notice(stored.get(MOTD)),
        notice(stored.get(WELCOME)));
  }

  private Set<Jid> addresses(byte @Nullable [] lines) {
    Set<Jid> addresses = new LinkedHashSet<>();
    for (String line : lines(lines)) {
      try {
        addresses.add(Jid.stored(line));
      } catch (JidFormatException e) {
        reportDamage(e);
      }
    }
    return addresses;
  }

  /// Reads addresses, each with a time.
  private Map<Jid, Instant> times(byte @Nullable [] stored) {
    Map<Jid, Instant> times = new LinkedHashMap<>();
    for (String line : lines(stored)) {
      try {
        int space = line.indexOf(' ');
        times.put(Jid.stored(line.substring(space + 1)), Instant.parse(line.substring(0, space)));
      } catch (JidFormatException | IndexOutOfBoundsException | DateTimeParseException e) {
        reportDamage(e);
      }
    }
    return times;
  }

  private static List<String> lines(byte @Nullable [] stored) {
    return stored == null ? List.of() : new String(stored, StandardCharsets.UTF_8).lines().toList();
  }

  private @Nullable Notice notice(byte @Nullable [] stored) {
    try {
      return stored == null ? null : Notice.read(new String(stored, StandardCharsets.UTF_8));
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      reportDamage(e);
      return null;
    }
  }

  /// A line that cannot be read is skipped: the host works without it.
  private void reportDamage(Exception cause) {
    LOG.atError().addKeyValue("host", host).setCause(cause).log("host_setting_damaged");
  }

  // ---- changes, which block

  /// Those who were added before keep the time of that.
  public void admins(Collection<Jid> addresses) {
    Instant now = context.clock().instant();
    String text =
        addresses.stream()
            .map(each -> values.admins().getOrDefault(each, now) + " " + each)
            .collect(Collectors.joining("\n"));
    put(ADMINS, text.isEmpty() ? null : text);
  }

  public void blacklist(Collection<Jid> addresses) {
    put(BLACKLIST, lines(addresses));
  }

  public void whitelist(Collection<Jid> addresses) {
    put(WHITELIST, lines(addresses));
  }

  public void motd(@Nullable Notice notice) {
    put(MOTD, notice == null ? null : notice.stored());
  }

  public void welcome(@Nullable Notice notice) {
    put(WELCOME, notice == null ? null : notice.stored());
  }

  private static @Nullable String lines(Collection<Jid> addresses) {
    return addresses.isEmpty()
        ? null
        : addresses.stream().map(Jid::toString).collect(Collectors.joining("\n"));
  }

  private synchronized void put(String key, @Nullable String value) {
    if (value == null) {
      store.remove(host, key);
    } else {
      store.put(host, key, value.getBytes(StandardCharsets.UTF_8));
    }
    values = read();
    context.notifyNodes();
  }
}
