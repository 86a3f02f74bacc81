package im.zonda.module.strangers;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The bare addresses of other servers that an account has written to without having them in its
/// roster, in memory while its home is loaded. When there are too many, the oldest is forgotten.
/// Confined to the home's mailbox.
final class Correspondents {
  private static final Logger LOG = LoggerFactory.getLogger(Correspondents.class);

  /// The most addresses.
  static final int MAX = 500;

  /// The most characters of all addresses.
  static final int MAX_LENGTH = 32_768;

  private final Set<Jid> addresses = new LinkedHashSet<>(2);
  private int length;

  /// Whether a task is scheduled that stores addresses.
  private boolean storing;

  private Correspondents() {}

  /// Reads stored addresses; null is none. One that is damaged is skipped.
  static Correspondents of(Jid account, byte @Nullable [] stored) {
    Correspondents read = new Correspondents();
    if (stored != null) {
      for (String line : new String(stored, StandardCharsets.UTF_8).lines().toList()) {
        try {
          read.add(Jid.stored(line));
        } catch (JidFormatException e) {
          LOG.atError().addKeyValue("account", account).setCause(e).log("correspondent_damaged");
        }
      }
      read.storing = false;
    }
    return read;
  }

  /// The addresses for the store, one per line, oldest first. The next new one is to be stored
  /// again.
  byte[] takeForStore() {
    storing = false;
    return addresses.stream()
        .map(Jid::toString)
        .collect(Collectors.joining("\n"))
        .getBytes(StandardCharsets.UTF_8);
  }

  boolean contains(Jid bare) {
    return addresses.contains(bare);
  }

  /// Adds an address; true if the caller must schedule a task that stores the addresses.
  boolean add(Jid bare) {
    if (!addresses.add(bare)) {
      return false;
    }
    length += bare.toString().length();
    while (addresses.size() > MAX || length > MAX_LENGTH) {
      Jid oldest = addresses.iterator().next();
      addresses.remove(oldest);
      length -= oldest.toString().length();
    }
    boolean needed = !storing;
    storing = true;
    return needed;
  }
}
