package im.zonda.cluster.simulation;

import im.zonda.cluster.edge.EdgeReply;
import im.zonda.cluster.node.NodeInput;
import java.util.ArrayDeque;
import java.util.Deque;

/// A connection of a client with a process; each direction keeps its order. A connection that the
/// client has lost is seen by the process later, and the other way round.
final class Connection {
  final long number;
  final SimulatedProcess process;
  private final SimulatedClient client;
  private final Agenda agenda;
  private final Agenda.Fifo up;
  private final Agenda.Fifo down;
  private final Deque<NodeInput> unread = new ArrayDeque<>();
  private boolean paused;
  private boolean closed;

  Connection(long number, SimulatedProcess process, SimulatedClient client, Agenda agenda) {
    this.number = number;
    this.process = process;
    this.client = client;
    this.agenda = agenda;
    this.up = agenda.fifo();
    this.down = agenda.fifo();
    process.open(this);
  }

  /// The client sends something.
  void send(NodeInput input) {
    up.after(
        agenda.between(1, 5),
        () -> {
          if (!closed) {
            unread.add(input);
            readOn();
          }
        });
  }

  void readOn() {
    while (!closed && !paused && process.readsClients() && !unread.isEmpty()) {
      process.input(unread.remove());
    }
  }

  /// The process sends something.
  void down(EdgeReply reply) {
    switch (reply) {
      case EdgeReply.Pause() -> paused = true;
      case EdgeReply.Unpause() -> {
        paused = false;
        agenda.after(0, this::readOn);
      }
      case EdgeReply.Close() -> {
        closed = true;
        process.close(this);
        cut();
      }
      default -> down.after(agenda.between(1, 5), () -> client.receive(this, reply));
    }
  }

  /// The process is gone, or has closed it.
  void cut() {
    down.after(agenda.between(1, 30), () -> client.lost(this));
  }

  /// The client is gone, without a word.
  void drop() {
    up.after(
        agenda.oneIn(3) ? agenda.between(200, 800) : agenda.between(1, 20),
        () -> {
          if (!closed) {
            closed = true;
            process.input(new NodeInput.Lost(number));
          }
        });
  }
}
