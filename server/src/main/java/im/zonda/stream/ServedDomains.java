package im.zonda.stream;

import org.jspecify.annotations.Nullable;

/// The domains that are served here: virtual hosts and the services of their modules. Any thread
/// may call.
@FunctionalInterface
public interface ServedDomains {
  /// The virtual host that a prepared domain belongs to: the domain itself, or the host of the
  /// service with that domain; null if the domain is not served.
  @Nullable String findHost(String domain);
}
