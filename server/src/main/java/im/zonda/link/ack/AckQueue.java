package im.zonda.link.ack;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Queue of what was sent and is not acknowledged, oldest first, numbered without a gap. Bounded by
/// its owner. Not thread-safe.
///
/// A chain of the entries themselves: while nothing waits, as for most streams most of the time, it
/// takes no memory.
///
/// @param <E> the entries; each is in one queue at most
public final class AckQueue<E extends AckQueue.Entry<E>> implements Iterable<E> {
  /// An entry of a queue.
  ///
  /// @param <E> its own type
  public abstract static class Entry<E extends Entry<E>> {
    /// The next newer one.
    @Nullable E next;
  }

  private @Nullable E oldest;
  private @Nullable E newest;
  private int size;
  private long acknowledged;

  /// Nothing yet, after `acknowledged` entries.
  public AckQueue(long acknowledged) {
    this.acknowledged = acknowledged;
  }

  /// Adds the next one.
  public void add(E entry) {
    if (newest == null) {
      oldest = entry;
    } else {
      newest.next = entry;
    }
    newest = entry;
    size++;
  }

  /// Removes the oldest, which is acknowledged; null if there is none.
  public @Nullable E poll() {
    E first = oldest;
    if (first != null) {
      oldest = first.next;
      first.next = null;
      newest = oldest == null ? null : newest;
      size--;
      acknowledged++;
    }
    return first;
  }

  /// The same, if its number is not above `number`; null otherwise.
  public @Nullable E poll(long number) {
    return acknowledged < number ? poll() : null;
  }

  /// Removes all, as if they had not been sent: their numbers are used again.
  public List<E> drain() {
    long before = acknowledged;
    List<E> all = new ArrayList<>(size);
    for (E each = poll(); each != null; each = poll()) {
      all.add(each);
    }
    acknowledged = before;
    return all;
  }

  /// How many have been acknowledged.
  public long acknowledged() {
    return acknowledged;
  }

  /// How many were sent, acknowledged or not.
  public long sent() {
    return acknowledged + size;
  }

  /// How many are not acknowledged.
  public int size() {
    return size;
  }

  /// The oldest; null if there is none.
  public @Nullable E oldest() {
    return oldest;
  }

  /// The newest; null if there is none.
  public @Nullable E newest() {
    return newest;
  }

  /// All, oldest first.
  public List<E> list() {
    List<E> all = new ArrayList<>(size);
    forEach(all::add);
    return all;
  }

  @Override
  public Iterator<E> iterator() {
    return new Iterator<>() {
      private @Nullable E next = oldest;

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public E next() {
        E current = next;
        if (current == null) {
          throw new NoSuchElementException();
        }
        next = current.next;
        return current;
      }
    };
  }
}
