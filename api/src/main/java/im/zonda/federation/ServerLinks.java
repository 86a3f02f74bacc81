package im.zonda.federation;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The streams with other servers. A port; any thread may call.
@FunctionalInterface
public interface ServerLinks {
  /// In which direction a stream carries stanzas.
  enum Direction {
    INCOMING,
    OUTGOING,
    /// In both (XEP-0288).
    BIDI
  }

  /// A stream that carries a pair of domains.
  ///
  /// @param local the domain that is served here
  /// @param remote the domain of the other server
  record Link(String local, String remote, Direction direction) {}

  /// The queue of stanzas from one of our domains to another.
  ///
  /// @param waiting how many stanzas wait for a stream
  /// @param failure why the last attempt to connect has failed, or null
  /// @param retryAt when another attempt is made, or null
  record Waiting(int waiting, @Nullable String failure, @Nullable Instant retryAt) {}

  /// The queue of a pair of domains at this node; null if there is none. May block for a second.
  default @Nullable Waiting waiting(String local, String remote) {
    return null;
  }

  /// The streams of this node whose pair of domains is known. May block for a second.
  List<Link> links();
}
