package im.zonda.cluster.link;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Stamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/// Both directions between this node and another one, in one placement. Values arrive in order and
/// once: they are numbered and kept until the other node has received them, and are sent again when
/// a gap shows that one was lost. With a new placement both nodes begin again at 1.
final class Link {
  private final Member self;
  private final Stamp stamp;
  private final Consumer<Frame> out;
  private final Deque<NodeValue> unreceived = new ArrayDeque<>();
  private long sent;
  private long received;
  private long reported;
  private boolean asked;

  Link(Member self, Stamp stamp, Consumer<Frame> out) {
    this.self = self;
    this.stamp = stamp;
    this.out = out;
  }

  /// Values that the other node has not received, as far as this one knows.
  int unreceived() {
    return unreceived.size();
  }

  /// Whether the other node has all values but the last ones, and says so by a count of this
  /// placement: then nothing of an earlier one is under way either.
  boolean hasAllBut(int last) {
    return sent > last && unreceived.size() == last;
  }

  /// Those values, the oldest first.
  List<NodeValue> unreceivedValues() {
    return List.copyOf(unreceived);
  }

  void send(NodeValue value) {
    unreceived.add(value);
    sent++;
    reported = received;
    out.accept(new Frame.Data(Frame.VERSION, stamp, self, received, sent, value));
  }

  /// The values that a frame of this placement brings.
  List<NodeValue> receive(Frame frame) {
    while (sent - unreceived.size() < frame.received() && !unreceived.isEmpty()) {
      unreceived.remove();
    }
    return switch (frame) {
      case Frame.Data data -> receive(data);
      case Frame.Status status -> {
        if (status.again()) {
          sendAgain();
        }
        askAgain(status.sent() > received);
        yield List.of();
      }
    };
  }

  private List<NodeValue> receive(Frame.Data data) {
    if (data.number() != received + 1) {
      askAgain(data.number() > received && !asked);
      return List.of();
    }
    received++;
    asked = false;
    return List.of(data.value());
  }

  private void askAgain(boolean lost) {
    if (lost) {
      asked = true;
      status(true);
    }
  }

  private void sendAgain() {
    long number = sent - unreceived.size();
    for (NodeValue value : new ArrayList<>(unreceived)) {
      number++;
      out.accept(new Frame.Data(Frame.VERSION, stamp, self, received, number, value));
    }
  }

  /// Tells the other node what was sent and received, if it may not know.
  void tick() {
    if (!unreceived.isEmpty() || reported < received) {
      status(false);
    }
  }

  private void status(boolean again) {
    reported = received;
    out.accept(new Frame.Status(Frame.VERSION, stamp, self, received, sent, again));
  }
}
