package im.zonda.app.hosts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Facts about the hosts of a server that it knows without asking anyone.
public interface HostFacts {
  /// Of a server that does not run: nothing.
  HostFacts NONE =
      new HostFacts() {
        @Override
        public @Nullable Certificate certificate(String host) {
          return null;
        }

        @Override
        public @Nullable Dns dns(String host) {
          return null;
        }
      };

  /// The certificate of a host.
  record Certificate(Instant ends, boolean selfSigned) {}

  /// What the last check of a host's records in DNS has found.
  ///
  /// @param wrong how many records were missing or led elsewhere
  /// @param local whether its name is for this machine or network, so that DNS is not needed
  record Dns(Instant time, int wrong, boolean local) {}

  /// The certificate that a host has; null if it has none.
  @Nullable Certificate certificate(String host);

  /// What the last check of DNS has found; null if there was none.
  @Nullable Dns dns(String host);
}
