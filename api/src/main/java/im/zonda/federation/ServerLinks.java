package im.zonda.federation;

import java.util.List;

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

  /// The streams of this node whose pair of domains is known. May block for a second.
  List<Link> links();
}
