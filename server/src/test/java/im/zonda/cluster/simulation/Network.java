package im.zonda.cluster.simulation;

import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.placement.Member;
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
  private boolean lossy = true;

  Network(Agenda agenda, ClusterSimulation simulation) {
    this.agenda = agenda;
    this.simulation = simulation;
    this.lossOneIn = agenda.oneIn(3) ? 200 : 0;
  }

  void send(Member from, Member to, Frame frame) {
    Direction direction = new Direction(from.name(), to.name());
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
