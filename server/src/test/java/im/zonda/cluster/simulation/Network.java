package im.zonda.cluster.simulation;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Links between processes: in order, with delays; frames are lost while a direction is cut, and
/// now and then.
final class Network {
  private record Direction(String from, String to) {}

  private final Agenda agenda;
  private final ClusterSimulation simulation;
  private final Map<Direction, Agenda.Fifo> links = new HashMap<>();
  private final Set<Direction> cut = new HashSet<>();
  private final int lossOneIn;
  private final boolean swaps;
  private final Map<Direction, Frame.Data> swapped = new HashMap<>();
  private boolean lossy = true;

  /// @param swaps whether the first two stanzas of a source change places in each placement
  Network(Agenda agenda, ClusterSimulation simulation, boolean swaps) {
    this.swaps = swaps;
    this.agenda = agenda;
    this.simulation = simulation;
    this.lossOneIn = agenda.oneIn(3) ? 200 : 0;
  }

  void send(Member from, Member to, Frame frame) {
    Direction direction = new Direction(from.name(), to.name());
    if (swaps && frame instanceof Frame.Data data && data.value() instanceof NodeValue.Route) {
      swap(direction, to, data);
    } else {
      send(direction, to, frame);
    }
  }

  private void swap(Direction direction, Member to, Frame.Data data) {
    Frame.Data before = swapped.remove(direction);
    if (before != null && before.stamp().equals(data.stamp())) {
      send(direction, to, with(before, data.value()));
      send(direction, to, with(data, before.value()));
    } else if (agenda.oneIn(10)) {
      swapped.put(direction, data);
    } else {
      send(direction, to, data);
    }
  }

  private static Frame with(Frame.Data frame, NodeValue value) {
    return new Frame.Data(
        frame.version(), frame.stamp(), frame.from(), frame.received(), frame.number(), value);
  }

  private void send(Direction direction, Member to, Frame frame) {
    boolean lost = lossy && lossOneIn > 0 && agenda.oneIn(lossOneIn);
    if (cut.contains(direction) || lost) {
      return;
    }
    long delay = agenda.oneIn(50) ? agenda.between(10, 60) : agenda.between(1, 4);
    links
        .computeIfAbsent(direction, _ -> agenda.fifo())
        .after(delay, () -> simulation.arrive(direction.to(), to, frame));
  }

  void cut(String from, String to) {
    cut.add(new Direction(from, to));
  }

  boolean isCut(String a, String b) {
    return cut.contains(new Direction(a, b)) || cut.contains(new Direction(b, a));
  }

  boolean isWhole() {
    return cut.isEmpty();
  }

  void heal() {
    cut.clear();
  }

  void stopLosing() {
    lossy = false;
  }
}
