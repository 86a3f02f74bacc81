package im.zonda.cluster.link;

import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The stanzas that this node has sent to homes and that are not SAFE. All of them are sent again,
/// in order, in each new placement; homes recognise them by their origin. Its size is bounded by
/// those who add: an edge stops reading from a client, and a room's log is bounded itself.
public final class Outbox {
  /// A stanza that is not SAFE.
  ///
  /// @param connection the connection of the client that sent it; 0 if there is none
  public record Entry(long id, String owner, RoutedStanza stanza, long connection) {
    /// The value for the home.
    public NodeValue.Route route() {
      return new NodeValue.Route(id, owner, stanza);
    }
  }

  private final Map<Long, Entry> entries = new LinkedHashMap<>();
  private long last;

  /// Adds a stanza.
  public Entry add(String owner, RoutedStanza stanza, long connection) {
    Entry entry = new Entry(++last, owner, stanza, connection);
    entries.put(entry.id(), entry);
    return entry;
  }

  /// Takes out what is SAFE; null if it was before.
  public @Nullable Entry remove(long id) {
    return entries.remove(id);
  }

  /// Takes out what somebody else sends now.
  public void removeIf(Predicate<Entry> condition) {
    entries.values().removeIf(condition);
  }

  /// All entries, the oldest first.
  public List<Entry> entries() {
    return new ArrayList<>(entries.values());
  }

  /// The number of entries.
  public int size() {
    return entries.size();
  }
}
