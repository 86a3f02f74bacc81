package im.zonda.stream.server;

import im.zonda.dns.Target;
import im.zonda.link.ServerStreamFailure;
import im.zonda.stream.StreamProfile;
import java.util.function.Consumer;

/// Connects to the servers of a domain.
@FunctionalInterface
public interface ServerConnector {
  /// Finds the servers of `domain` and connects to one of them; the stream begins once the
  /// connection is there. Returns at once.
  ///
  /// @param domain a prepared domain
  /// @param streams the profile of the stream
  /// @param failed gets why there is no connection; called at most once, by any thread
  void connect(String domain, Profiles streams, Consumer<ServerStreamFailure> failed);

  /// Makes the profile of a stream that this server opens.
  @FunctionalInterface
  interface Profiles {
    /// The profile.
    ///
    /// @param server the server that is connected to
    StreamProfile profile(Target server);
  }
}
