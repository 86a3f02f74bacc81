package im.zonda.cluster.home;

import im.zonda.cluster.frame.RoutedStanza;
import java.util.List;

/// What the database answers.
public sealed interface StoreAnswer {
  /// The segment that asked.
  int segment();

  /// The number of the request.
  long token();

  /// The stanza is committed.
  record Stored(int segment, long token) implements StoreAnswer {}

  /// What is kept.
  record Fetched(int segment, long token, List<RoutedStanza> stanzas) implements StoreAnswer {
    /// Copies the list.
    public Fetched {
      stanzas = List.copyOf(stanzas);
    }
  }
}
