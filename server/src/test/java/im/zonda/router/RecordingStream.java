package im.zonda.router;

import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A stream that keeps what it is told.
class RecordingStream implements Outbound {
  private final List<Stanza> sent = new ArrayList<>();
  private final List<Runnable> left = new ArrayList<>();
  private int allHandled;
  private @Nullable StreamErrorCondition closed;
  private int pauses;

  @Override
  public synchronized void send(Stanza stanza, @Nullable Runnable then) {
    sent.add(stanza);
    if (then != null) {
      left.add(then);
    }
  }

  @Override
  public synchronized void close(StreamErrorCondition condition, @Nullable String text) {
    closed = condition;
  }

  @Override
  public synchronized void allHandled() {
    allHandled++;
  }

  @Override
  public synchronized void pauseReading() {
    pauses++;
  }

  @Override
  public synchronized void resumeReading() {
    pauses--;
  }

  /// What was sent, in order.
  synchronized List<Stanza> stanzas() {
    return List.copyOf(sent);
  }

  /// The texts of what was sent, in order.
  synchronized List<String> texts() {
    return sent.stream().map(TestStanzas::text).toList();
  }

  /// What waits for bytes to leave.
  synchronized List<Runnable> left() {
    return List.copyOf(left);
  }

  /// How often it was told that all has been handled.
  synchronized int timesAllHandled() {
    return allHandled;
  }

  /// With what it was closed, or null.
  synchronized @Nullable StreamErrorCondition closedWith() {
    return closed;
  }

  /// Pauses that have not been undone.
  synchronized int pauses() {
    return pauses;
  }
}
