package im.zonda.cluster.channel;

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
/// a gap shows that one was lost. At most [#WINDOW] of them are under way, of at most
/// [#WINDOW_BYTES] unless there is only one; the others follow as the other node receives, which
/// bounds what is sent again too. With a new placement both nodes begin again at 1.
final class NodeChannel {
  /// Values that may be under way. Most are smaller than 2 KiB, so they fit into what the engine
  /// lets wait for a slow process.
  static final int WINDOW = 2_048;

  /// Bytes that may be under way: half of what the engine lets wait. One value may have more.
  static final int WINDOW_BYTES = 4 << 20;

  /// Bytes after which their receipt is confirmed to the other node before the next tick.
  private static final int REPORT_BYTES = WINDOW_BYTES / 4;

  /// Values after which their receipt is confirmed to the other node before the next tick.
  private static final int REPORT = WINDOW / 4;

  /// Ticks after which what was asked for once is asked for again, and ticks without progress after
  /// which what is first is sent again.
  private static final int PATIENCE = 5;

  private final Member self;
  private final Stamp stamp;
  private final Consumer<Frame> out;
  private final Deque<NodeValue> underWay = new ArrayDeque<>();
  private final Deque<NodeValue> unsent = new ArrayDeque<>();
  private long bytesUnderWay;
  private long bytesUnreported;
  private long sent;
  private long received;
  private long reported;
  private boolean asked;
  private int ticksSinceAsked;
  private int ticksWithoutProgress;

  NodeChannel(Member self, Stamp stamp, Consumer<Frame> out) {
    this.self = self;
    this.stamp = stamp;
    this.out = out;
  }

  /// Values that the other node has not received, as far as this one knows.
  int unreceived() {
    return underWay.size() + unsent.size();
  }

  /// Whether the other node has all that was sent but the last ones, and says so by a count of this
  /// placement: then nothing of an earlier one is under way either.
  boolean hasAllBut(int last) {
    return sent > last && underWay.size() == last;
  }

  /// What the other node has not received, the oldest first.
  List<NodeValue> unreceivedValues() {
    List<NodeValue> values = new ArrayList<>(underWay);
    values.addAll(unsent);
    return values;
  }

  void send(NodeValue value) {
    unsent.add(value);
    sendUnsent();
  }

  private void sendUnsent() {
    while (!unsent.isEmpty() && hasRoom(unsent.element())) {
      NodeValue value = unsent.remove();
      underWay.add(value);
      bytesUnderWay += value.size();
      data(++sent, value);
    }
  }

  private boolean hasRoom(NodeValue next) {
    return underWay.isEmpty()
        || (underWay.size() < WINDOW && bytesUnderWay + next.size() <= WINDOW_BYTES);
  }

  private void sendAgain() {
    long number = sent - underWay.size();
    for (NodeValue value : underWay) {
      data(++number, value);
    }
  }

  /// The values that a frame of this placement brings.
  List<NodeValue> receive(Frame frame) {
    while (sent - underWay.size() < frame.received() && !underWay.isEmpty()) {
      bytesUnderWay -= underWay.remove().size();
      ticksWithoutProgress = 0;
    }
    List<NodeValue> values =
        switch (frame) {
          case Frame.Data data -> receive(data.number(), List.of(data.value()));
          case Frame.Unread unread -> receive(unread.number(), List.of());
          case Frame.Status status -> {
            if (status.again()) {
              sendAgain();
            }
            askAgain(status.sent() > received);
            yield List.of();
          }
        };
    sendUnsent();
    return values;
  }

  private List<NodeValue> receive(long number, List<NodeValue> values) {
    if (number <= received) {
      reported = Math.min(reported, received - 1); // the other node does not know that
      return List.of();
    }
    if (number > received + 1) {
      askAgain(true);
      return List.of();
    }
    received++;
    asked = false;
    for (NodeValue value : values) {
      bytesUnreported += value.size();
    }
    if (received - reported >= REPORT || bytesUnreported >= REPORT_BYTES) {
      status(false);
    }
    return values;
  }

  /// Asks once, and once more when that took too long: what was asked for may be behind much else.
  private void askAgain(boolean lost) {
    if (lost && (!asked || ticksSinceAsked >= PATIENCE)) {
      asked = true;
      ticksSinceAsked = 0;
      status(true);
    }
  }

  /// Reports the last sent and received values to the other node, unless it has them.
  void tick() {
    ticksSinceAsked++;
    if (!unsent.isEmpty() && ++ticksWithoutProgress >= PATIENCE) {
      // The count that would let the next ones go may have been lost: who has this value says it.
      ticksWithoutProgress = 0;
      data(sent - underWay.size() + 1, underWay.element());
    }
    if (!underWay.isEmpty() || reported < received) {
      status(false);
    }
  }

  private void data(long number, NodeValue value) {
    reported = received;
    bytesUnreported = 0;
    out.accept(new Frame.Data(Frame.VERSION, stamp, self, received, number, value));
  }

  private void status(boolean again) {
    reported = received;
    bytesUnreported = 0;
    out.accept(new Frame.Status(Frame.VERSION, stamp, self, received, sent, again));
  }
}
