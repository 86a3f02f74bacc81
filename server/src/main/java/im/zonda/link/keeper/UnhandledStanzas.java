package im.zonda.link.keeper;

import im.zonda.link.ToSession;
import im.zonda.link.ack.AckQueue;
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

  private static final class Entry extends AckQueue.Entry<Entry> {
    private final ToSession value;
    private final int bytes;

    private Entry(ToSession value, int bytes) {
      this.value = value;
      this.bytes = bytes;
    }
  }

  private final AckQueue<Entry> queue;
  private final KeptBytes all;
  private long bytes;

  /// @param handled how many have been handled already
  UnhandledStanzas(long handled, KeptBytes all) {
    this.queue = new AckQueue<>(handled);
    this.all = all;
  }

  /// Adds the next one.
  void add(ToSession value, long number, int size) {
    if (number != queue.sent() + 1) {
      throw new IllegalStateException("a gap before number " + number);
    }
    queue.add(new Entry(value, size + OVERHEAD));
    count(size + OVERHEAD);
  }

  private void count(long more) {
    bytes += more;
    all.add(more);
  }

  /// Removes those up to that number.
  void remove(long number) {
    for (Entry first = queue.poll(number); first != null; first = queue.poll(number)) {
      count(-first.bytes);
    }
  }

  /// Whether `number` is a possible count of the session that these were sent to.
  boolean isPossible(long number) {
    return number >= queue.acknowledged() && number <= queue.sent();
  }

  /// The last known count of handled stanzas.
  long handled() {
    return queue.acknowledged();
  }

  /// Gives all of them, in order.
  void forEach(Consumer<ToSession> consumer) {
    queue.forEach(entry -> consumer.accept(entry.value));
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
    queue.drain();
    count(-bytes);
  }
}
