package im.zonda.link.keeper;

import im.zonda.link.ToSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// The numbered stanzas of a client that its session has not handled, oldest first, without a gap.
/// Not thread-safe.
final class UnhandledStanzas {
  /// The bytes above which a client is not read from.
  private static final long MOST = 262_144;

  /// The same while all together have too much.
  private static final long MOST_OF_MANY = 16_384;

  /// What a value costs beside its stanza.
  private static final int OVERHEAD = 128;

  private record Entry(ToSession value, int bytes) {}

  private final Deque<Entry> entries = new ArrayDeque<>(4);
  private final KeptBytes all;
  private long handled;
  private long bytes;

  /// @param handled how many have been handled already
  UnhandledStanzas(long handled, KeptBytes all) {
    this.handled = handled;
    this.all = all;
  }

  /// Adds the next one.
  void add(ToSession value, long number, int size) {
    if (number != handled + entries.size() + 1) {
      throw new IllegalStateException("a gap before number " + number);
    }
    entries.add(new Entry(value, size + OVERHEAD));
    count(size + OVERHEAD);
  }

  private void count(long more) {
    bytes += more;
    all.add(more);
  }

  /// Removes those up to that number.
  void remove(long number) {
    while (handled < number && !entries.isEmpty()) {
      handled++;
      count(-entries.remove().bytes());
    }
  }

  /// Whether `number` is a possible count of the session that these were sent to.
  boolean isPossible(long number) {
    return number >= handled && number <= handled + entries.size();
  }

  /// The last known count of handled stanzas.
  long handled() {
    return handled;
  }

  /// Gives all of them, in order.
  void forEach(Consumer<ToSession> consumer) {
    entries.forEach(entry -> consumer.accept(entry.value()));
  }

  /// Whether the client must not be read from.
  boolean isTooMuch() {
    return bytes > (all.isTooMuch() ? MOST_OF_MANY : MOST);
  }

  /// Whether the client may be read from again.
  boolean isFew() {
    return bytes <= (all.isTooMuch() ? MOST_OF_MANY / 2 : MOST / 2);
  }

  /// Forgets all.
  void clear() {
    entries.clear();
    count(-bytes);
  }
}
