package im.zonda.module.blocking;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The block list of an account, in memory while its home is loaded.
final class BlockList {
  private static final Logger LOG = LoggerFactory.getLogger(BlockList.class);

  private Set<Jid> addresses;

  private BlockList(Set<Jid> addresses) {
    this.addresses = addresses;
  }

  /// Reads a stored list; null is an empty one. An address that is damaged is skipped: no one can
  /// send from it.
  static BlockList of(Jid account, byte @Nullable [] stored) {
    if (stored == null) {
      return new BlockList(Set.of());
    }
    Set<Jid> addresses = new LinkedHashSet<>();
    for (String line : new String(stored, StandardCharsets.UTF_8).lines().toList()) {
      try {
        addresses.add(Jid.stored(line));
      } catch (JidFormatException e) {
        LOG.atError().addKeyValue("account", account).setCause(e).log("blocked_address_damaged");
      }
    }
    return new BlockList(addresses);
  }

  /// Writes a list for the store: one address per line.
  static byte[] stored(Set<Jid> addresses) {
    return addresses.stream()
        .map(Jid::toString)
        .collect(Collectors.joining("\n"))
        .getBytes(StandardCharsets.UTF_8);
  }

  /// The total length of the addresses.
  static int length(Set<Jid> addresses) {
    return addresses.stream().mapToInt(each -> each.toString().length()).sum();
  }

  /// The addresses, oldest first. Immutable.
  Set<Jid> addresses() {
    return addresses;
  }

  void replace(Set<Jid> newAddresses) {
    addresses = newAddresses.isEmpty() ? Set.of() : newAddresses;
  }

  /// Whether that address is blocked.
  boolean matches(Jid other) {
    return matches(addresses, other);
  }

  /// Whether one of the addresses matches (XEP-0191, section 5): the address itself, its bare JID
  /// or its domain.
  static boolean matches(Set<Jid> addresses, Jid other) {
    return !addresses.isEmpty()
        && (addresses.contains(other)
            || addresses.contains(other.bare())
            || addresses.contains(other.domainJid()));
  }
}
