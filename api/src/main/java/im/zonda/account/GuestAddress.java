package im.zonda.account;

import im.zonda.jid.Jid;
import java.util.UUID;
import java.util.regex.Pattern;

/// Addresses of guests, who log in without an account (XEP-0175).
///
/// The localpart is a UUID of version 8 (RFC 9562, section 5.8) in lower case. No account can be
/// created with such a localpart, whether or not its host lets guests in, so a guest never has an
/// address that is an account's.
public final class GuestAddress {
  private static final Pattern LOCALPART =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

  private static final long VERSION_MASK = 0xf000;
  private static final long VERSION = 0x8000;
  private static final long VARIANT_MASK = 0xc000_0000_0000_0000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private GuestAddress() {}

  /// The bare address of a guest.
  ///
  /// @param high random bits, of which four are replaced
  /// @param low random bits, of which two are replaced
  public static Jid of(Jid host, long high, long low) {
    UUID name = new UUID((high & ~VERSION_MASK) | VERSION, (low & ~VARIANT_MASK) | VARIANT);
    return Jid.of(name.toString(), host.domain(), null);
  }

  /// Whether a localpart is one of guests.
  public static boolean isGuest(String localpart) {
    return LOCALPART.matcher(localpart).matches();
  }

  /// Whether the address, bare or full, is one of guests.
  public static boolean isGuest(Jid address) {
    String local = address.local();
    return local != null && isGuest(local);
  }
}
