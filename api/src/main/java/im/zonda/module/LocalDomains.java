package im.zonda.module;

/// The domains that this server answers for: virtual hosts, services and components. Any thread may
/// call.
@FunctionalInterface
public interface LocalDomains {
  /// Whether the domain is one of them.
  boolean isServed(String domain);
}
