package im.zonda.app.doctor;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Outcomes of the last check of DNS for each host, in the store: all nodes know them, also after a
/// restart.
///
/// @param store the key-value store [#STORE]
public record DnsOutcomes(KeyValueStore store) {
  /// The name of the store.
  public static final String STORE = "dns-checks";

  private static final Logger LOG = LoggerFactory.getLogger(DnsOutcomes.class);
  private static final String KEY = "last";

  /// What was found.
  ///
  /// @param wrong how many records were missing or led elsewhere
  /// @param local whether the host needs none
  public record Last(Instant time, int wrong, boolean local) {}

  private static Jid owner(String host) {
    return Jid.of(null, host, null);
  }

  /// Notes what was found. If the store does not take it, the former outcome stays.
  void note(String host, Last found) {
    String text = found.time() + " " + found.wrong() + " " + found.local();
    try {
      store.put(owner(host), KEY, text.getBytes(StandardCharsets.UTF_8));
    } catch (StoreException e) {
      LOG.atWarn().addKeyValue("host", host).setCause(e).log("dns_check_not_kept");
    }
  }

  /// What was found last; null if nothing is known.
  public @Nullable Last find(String host) {
    byte[] value = store.get(owner(host), KEY);
    if (value == null) {
      return null;
    }
    String[] parts = new String(value, StandardCharsets.UTF_8).split(" ", -1);
    try {
      return new Last(
          Instant.parse(parts[0]), Integer.parseInt(parts[1]), Boolean.parseBoolean(parts[2]));
    } catch (DateTimeException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      LOG.atDebug().addKeyValue("host", host).setCause(e).log("dns_check_not_read");
      return null; // of another version
    }
  }
}
