package im.zonda.storage.memory;

import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Order;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The items of a publish-subscribe node.
final class NodeItems {
  /// In the order of their publication.
  private final Map<String, Item> items = new LinkedHashMap<>();

  /// When the id of each item was new, counted in items.
  private final Map<String, Long> creations = new HashMap<>();

  private long published;

  private static long size(Item item) {
    return item.payload().length + (long) item.id().getBytes(StandardCharsets.UTF_8).length;
  }

  boolean isEmpty() {
    return items.isEmpty();
  }

  int size() {
    return items.size();
  }

  /// The size of all items.
  long bytes() {
    return items.values().stream().mapToLong(NodeItems::size).sum();
  }

  List<Item> all() {
    return List.copyOf(items.values());
  }

  List<Item> all(Order order) {
    return switch (order) {
      case MODIFICATION -> all();
      case CREATION ->
          items.values().stream()
              .sorted(Comparator.comparing(item -> creations.getOrDefault(item.id(), 0L)))
              .toList();
    };
  }

  void put(Item item) {
    items.remove(item.id());
    items.put(item.id(), item);
    creations.putIfAbsent(item.id(), published++);
  }

  boolean remove(String id) {
    creations.remove(id);
    return items.remove(id) != null;
  }

  List<String> trim(int most) {
    List<String> oldest = List.copyOf(items.keySet()).subList(0, Math.max(0, items.size() - most));
    oldest.forEach(this::remove);
    return oldest;
  }

  /// The first items, or the last ones, that are not larger together than a read may be.
  static List<Item> fitting(List<Item> items, boolean last) {
    long bytes = 0;
    int count = 0;
    for (Item item : last ? items.reversed() : items) {
      bytes += size(item);
      if (bytes > PubSubStore.READ_BYTES && count > 0) {
        break;
      }
      count++;
    }
    return List.copyOf(
        last ? items.subList(items.size() - count, items.size()) : items.subList(0, count));
  }
}
