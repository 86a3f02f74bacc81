package im.zonda.testkit.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Records which messages clients sent, which the server acknowledged and which clients received,
/// and checks that they agree. Thread-safe.
///
/// A message is identified by sender, receiver and a number that the sender increments for each
/// receiver; the delivered message must contain all three.
public final class History {
  /// One message.
  ///
  /// @param from the sender
  /// @param to the receiver
  /// @param number the sender's count for that receiver, growing
  public record Key(String from, String to, long number) {
    /// Parses the form of [#toString]; null if the text has another form.
    public static @Nullable Key parse(String text) {
      int last = text.lastIndexOf('-');
      int first = text.indexOf('-');
      if (first <= 0 || last <= first + 1) {
        return null;
      }
      try {
        long number = Long.parseLong(text.substring(last + 1));
        return new Key(text.substring(0, first), text.substring(first + 1, last), number);
      } catch (NumberFormatException e) {
        return null;
      }
    }

    /// Returns `from-to-number`, usable as a message's id.
    @Override
    public String toString() {
      return from + "-" + to + "-" + number;
    }
  }

  /// One delivery.
  ///
  /// @param message the message
  /// @param stanzaId the id that the server assigned (XEP-0359); empty if there is none
  public record Delivery(Key message, String stanzaId) {}

  /// The differences between the records. All lists are empty if there are none.
  ///
  /// @param lost acknowledged and never delivered
  /// @param invented delivered and never sent
  /// @param repeated delivered again with the same stanza-id; allowed only after a crash
  /// @param doubled delivered again with another stanza-id
  /// @param reordered delivered after a later message of the same sender and receiver
  public record Findings(
      List<Key> lost,
      List<Key> invented,
      List<Key> repeated,
      List<Key> doubled,
      List<Key> reordered) {
    /// Whether nothing was lost, invented, doubled or reordered.
    public boolean clean() {
      return lost.isEmpty() && invented.isEmpty() && doubled.isEmpty() && reordered.isEmpty();
    }
  }

  private final Set<Key> sent = new HashSet<>();
  private final Set<Key> promised = new HashSet<>();
  private final List<Delivery> delivered = new ArrayList<>();

  /// Records that a client has written this message.
  public synchronized void sent(Key message) {
    sent.add(message);
  }

  /// Records that the server has acknowledged the message or reported it as durable.
  public synchronized void promised(Key message) {
    promised.add(message);
  }

  /// Records that the receiver has read the message; called in reading order.
  public synchronized void delivered(Key message, String stanzaId) {
    delivered.add(new Delivery(message, stanzaId));
  }

  /// The number of acknowledged messages.
  public synchronized int promisedCount() {
    return promised.size();
  }

  /// Whether every acknowledged message has been delivered.
  public synchronized boolean complete() {
    Set<Key> missing = new HashSet<>(promised);
    delivered.forEach(d -> missing.remove(d.message()));
    return missing.isEmpty();
  }

  /// Whether every acknowledged message to this receiver has been delivered.
  public synchronized boolean complete(String receiver) {
    Set<Key> missing = new HashSet<>(promised);
    missing.removeIf(key -> !key.to().equals(receiver));
    delivered.forEach(d -> missing.remove(d.message()));
    return missing.isEmpty();
  }

  /// Compares the records.
  public synchronized Findings check() {
    List<Key> invented = new ArrayList<>();
    List<Key> repeated = new ArrayList<>();
    List<Key> doubled = new ArrayList<>();
    List<Key> reordered = new ArrayList<>();
    Map<Key, String> firstIds = new HashMap<>();
    Map<Key, Long> latest = new HashMap<>();
    for (Delivery delivery : delivered) {
      Key key = delivery.message();
      if (!sent.contains(key)) {
        invented.add(key);
      }
      String id = firstIds.putIfAbsent(key, delivery.stanzaId());
      if (id != null) {
        (id.equals(delivery.stanzaId()) && !id.isEmpty() ? repeated : doubled).add(key);
        continue;
      }
      Key pair = new Key(key.from(), key.to(), 0);
      long before = latest.merge(pair, key.number(), Math::max);
      if (before > key.number()) {
        reordered.add(key);
      }
    }
    List<Key> lost = promised.stream().filter(key -> !firstIds.containsKey(key)).toList();
    return new Findings(lost, invented, repeated, doubled, reordered);
  }
}
