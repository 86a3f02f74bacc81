package im.zonda.cluster.simulation;

import im.zonda.cluster.Member;
import im.zonda.cluster.node.ClusterNode;
import im.zonda.cluster.node.NodeInput;
import im.zonda.cluster.node.NodeOutput;
import im.zonda.cluster.node.Replay;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One incarnation of a node, which may be killed, or stand still for a while.
final class SimulatedProcess {
  private static final int TICK = 100;

  final Member member;
  final ClusterNode node;
  private final ClusterSimulation simulation;
  private final Agenda agenda;
  private final Agenda.Fifo tables;
  private final Map<Long, Connection> connections = new LinkedHashMap<>();
  private final Deque<NodeInput> missed = new ArrayDeque<>();
  private boolean alive = true;
  private boolean paused;
  private long pausedSince;
  private boolean suspended;
  boolean draining;

  SimulatedProcess(
      Member member, ClusterNode.Setup setup, List<Replay> replays, ClusterSimulation simulation) {
    this.member = member;
    this.simulation = simulation;
    this.agenda = simulation.agenda();
    this.tables = agenda.fifo();
    this.node = new ClusterNode(member, setup, replays, this::put);
    tick();
  }

  private void tick() {
    if (alive) {
      input(new NodeInput.Ticked());
      agenda.after(agenda.between(TICK / 2, TICK), this::tick);
    }
  }

  void input(NodeInput input) {
    if (!alive) {
      return;
    }
    if (paused) {
      if (!(input instanceof NodeInput.Ticked)) {
        missed.add(input);
      }
      return;
    }
    if (!(input instanceof NodeInput.Ticked || input instanceof NodeInput.RowRead)) {
      simulation.ledger().note(member, input);
    }
    node.handle(input, agenda.now());
    simulation.invariants().check(this);
  }

  void topologyChanged(Topology topology) {
    tables.after(agenda.between(1, 40), () -> input(new NodeInput.TopologyChanged(topology)));
  }

  private void put(NodeOutput output) {
    switch (output) {
      case NodeOutput.Send(var to, var frame) -> simulation.network().send(member, to, frame);
      case NodeOutput.ToStream(var number, var reply) -> {
        Connection connection = connections.get(number);
        if (connection != null) {
          connection.down(reply);
        }
      }
      case NodeOutput.Store(var request) -> simulation.database().request(this, request);
      case NodeOutput.ReadRow() -> simulation.database().readRow(this);
      case NodeOutput.CompareAndSet(var expected, var next) ->
          simulation.database().compareAndSet(this, expected, next);
      case NodeOutput.Renew(var epoch) -> simulation.database().renew(epoch);
      case NodeOutput.Suspend(var next) -> {
        suspended = next;
        if (!next) {
          List.copyOf(connections.values()).forEach(Connection::readOn);
        }
      }
      case NodeOutput.Restart(var replays) -> {
        List<Replay> copy = new ArrayList<>(replays);
        agenda.after(0, () -> simulation.restart(this, copy));
      }
      case NodeOutput.HasLeft() -> agenda.after(0, () -> simulation.stopped(this));
    }
  }

  // ---- clients

  void open(Connection connection) {
    connections.put(connection.number, connection);
  }

  void close(Connection connection) {
    connections.remove(connection.number);
  }

  boolean readsClients() {
    return alive && !suspended && !paused;
  }

  // ---- faults

  void kill() {
    alive = false;
    List.copyOf(connections.values()).forEach(Connection::cut);
    connections.clear();
  }

  void pause() {
    paused = true;
    pausedSince = agenda.now();
  }

  void wake() {
    paused = false;
    for (NodeInput input = missed.poll(); input != null; input = missed.poll()) {
      if (!alive) {
        return;
      }
      node.handle(input, agenda.now());
      simulation.invariants().check(this);
    }
    List.copyOf(connections.values()).forEach(Connection::readOn);
  }

  boolean isAlive() {
    return alive;
  }

  boolean isPaused() {
    return paused;
  }

  /// Whether the engine believes that it lives.
  boolean isSeen() {
    return alive && !(paused && agenda.now() - pausedSince >= ClusterSimulation.DETECTION);
  }

  boolean actsIn(Placement placement) {
    Placement own = node.placement();
    return own != null && own.stamp().equals(placement.stamp());
  }

  @Override
  public String toString() {
    return member.toString();
  }
}
