package im.zonda.jid;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An XMPP address (RFC 7622), prepared: two equal addresses are equal character for character.
///
/// `domain`, `local@domain`, `domain/resource` or `local@domain/resource`. Each part is at most
/// 1023 bytes of UTF-8. Immutable.
public final class Jid implements Comparable<Jid> {
  private final @Nullable String local;
  private final String domain;
  private final @Nullable String resource;
  private final int hash;

  // Created lazily. A race creates equal objects; the array is volatile because its content, unlike
  // that of the others, is not protected by final fields. The text form is not cached: output uses
  // the bytes, and there are many addresses.
  private @Nullable Jid bare;
  private volatile byte @Nullable [] utf8;

  /// Creates an address from prepared parts.
  Jid(@Nullable String local, String domain, @Nullable String resource) {
    this.local = local;
    this.domain = domain;
    this.resource = resource;
    this.hash =
        31 * (31 * domain.hashCode() + (local == null ? 0 : local.hashCode()))
            + (resource == null ? 0 : resource.hashCode());
  }

  /// Parses and prepares an address.
  ///
  /// @throws JidFormatException if it is not a valid address
  public static Jid of(String address) {
    return parse(address, Jid::of);
  }

  /// Parses an address that this server has stored, even if the rules for its parts, or the version
  /// of Unicode, have changed since.
  ///
  /// @throws JidFormatException if it cannot have been an address
  public static Jid stored(String address) {
    try {
      return of(address);
    } catch (JidFormatException e) {
      return parse(address, Jid::stored);
    }
  }

  private static Jid stored(@Nullable String local, String domain, @Nullable String resource) {
    return new Jid(
        local == null ? null : Parts.storedLocal(local),
        Parts.domain(domain),
        resource == null ? null : Parts.storedResource(resource));
  }

  private interface Maker {
    Jid make(@Nullable String local, String domain, @Nullable String resource);
  }

  private static Jid parse(String address, Maker maker) {
    int slash = address.indexOf('/');
    int bareEnd = slash < 0 ? address.length() : slash;
    int at = address.indexOf('@');
    boolean hasLocal = at >= 0 && at < bareEnd;
    return maker.make(
        hasLocal ? address.substring(0, at) : null,
        address.substring(hasLocal ? at + 1 : 0, bareEnd),
        slash < 0 ? null : address.substring(slash + 1));
  }

  /// Prepares an address from its parts.
  ///
  /// @throws JidFormatException if a part is not valid
  public static Jid of(@Nullable String local, String domain, @Nullable String resource) {
    return new Jid(
        local == null ? null : Parts.local(local),
        Parts.domain(domain),
        resource == null ? null : Parts.resource(resource));
  }

  /// The part before `@`, or null.
  public @Nullable String local() {
    return local;
  }

  /// The domain, as a U-label in lower case.
  public String domain() {
    return domain;
  }

  /// The domain as A-labels in lower case (RFC 5890), the form in which DNS has it.
  public String asciiDomain() {
    for (int i = 0; i < domain.length(); i++) {
      if (domain.charAt(i) >= 0x80) {
        return Idna.toAscii(domain);
      }
    }
    return domain;
  }

  /// The part after `/`, or null.
  public @Nullable String resource() {
    return resource;
  }

  /// Whether it has a resource.
  public boolean isFull() {
    return resource != null;
  }

  /// Whether it has no resource.
  public boolean isBare() {
    return resource == null;
  }

  /// Whether it is a domain alone.
  public boolean isDomain() {
    return local == null && resource == null;
  }

  /// The bare JID; this object if it has no resource. Returns the same object each time.
  public Jid bare() {
    if (resource == null) {
      return this;
    }
    Jid made = bare;
    if (made == null) {
      made = new Jid(local, domain, null);
      bare = made;
    }
    return made;
  }

  /// The domainpart as an address.
  public Jid domainJid() {
    return isDomain() ? this : new Jid(null, domain, null);
  }

  /// The full JID with this resource.
  ///
  /// @throws JidFormatException if the resource is not valid
  public Jid withResource(String resourcePart) {
    Jid full = new Jid(local, domain, Parts.resource(resourcePart));
    full.bare = bare();
    return full;
  }

  /// The address as UTF-8. Shared: do not change it.
  public byte[] utf8() {
    byte[] made = utf8;
    if (made == null) {
      made = toString().getBytes(UTF_8);
      utf8 = made;
    }
    return made;
  }

  /// Compares by the text form.
  @Override
  public int compareTo(Jid other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Jid that
            && hash == that.hash
            && domain.equals(that.domain)
            && Objects.equals(local, that.local)
            && Objects.equals(resource, that.resource));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /// The address as text; a new string on each call.
  @Override
  public String toString() {
    return (local == null ? "" : local + "@") + domain + (resource == null ? "" : "/" + resource);
  }
}
