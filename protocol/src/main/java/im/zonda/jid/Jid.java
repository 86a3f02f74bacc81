package im.zonda.jid;

import org.jspecify.annotations.Nullable;

/// An XMPP address (RFC 7622), prepared: two equal addresses are equal character for character.
///
/// `domain`, `local@domain`, `domain/resource` or `local@domain/resource`. Each part is at most
/// 1023 bytes of UTF-8. Immutable.
public final class Jid implements Comparable<Jid> {
  private final @Nullable String local;
  private final String domain;
  private final @Nullable String resource;

  private Jid(@Nullable String local, String domain, @Nullable String resource) {
    this.local = local;
    this.domain = domain;
    this.resource = resource;
  }

  /// Parses and prepares an address.
  ///
  /// @throws JidFormatException if it is not a valid address
  public static Jid of(String address) {
    throw new JidFormatException("in progress: " + address);
  }

  /// Prepares an address from its parts.
  ///
  /// @throws JidFormatException if a part is not valid
  public static Jid of(@Nullable String local, String domain, @Nullable String resource) {
    return new Jid(local, domain, resource);
  }

  /// The part before `@`, or null.
  public @Nullable String local() {
    return local;
  }

  /// The domain, as a U-label in lower case.
  public String domain() {
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

  /// The address without its resource; this object if it has none.
  public Jid bare() {
    return resource == null ? this : new Jid(local, domain, null);
  }

  /// The domain part as an address.
  public Jid domainJid() {
    return isDomain() ? this : new Jid(null, domain, null);
  }

  /// The bare address with this resource.
  ///
  /// @throws JidFormatException if the resource is not valid
  public Jid withResource(String resourcePart) {
    return of(local, domain, resourcePart);
  }

  /// The address as UTF-8. Shared: do not change it.
  public byte[] utf8() {
    throw new IllegalStateException("in progress");
  }

  @Override
  public int compareTo(Jid other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return (local == null ? "" : local + "@") + domain + (resource == null ? "" : "/" + resource);
  }
}
