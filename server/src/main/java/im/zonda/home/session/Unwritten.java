package im.zonda.home.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The actions for when the bytes of stanzas have left, on a stream without stream management.
/// Stanzas with an action are numbered from 1 on. Confined to the home's mailbox.
final class Unwritten {
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(4);
  private long reported;

  /// Adds what is to be done for a stanza, if anything; returns the number of the last stanza that
  /// has something.
  long add(@Nullable Runnable onWritten) {
    if (onWritten != null) {
      waiting.add(onWritten);
      reported++;
    }
    return reported;
  }

  /// Whether nothing is to be done.
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /// What is still to be done, in order.
  List<Runnable> waiting() {
    return List.copyOf(waiting);
  }

  /// The bytes of the stanzas up to that number have left: takes what is to be done for them, in
  /// order.
  List<Runnable> written(long number) {
    List<Runnable> then = new ArrayList<>();
    long more = number - (reported - waiting.size());
    for (long i = 0; i < more && !waiting.isEmpty(); i++) {
      then.add(waiting.remove());
    }
    return then;
  }
}
