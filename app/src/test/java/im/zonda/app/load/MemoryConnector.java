package im.zonda.app.load;

import im.zonda.bench.room.Connector;
import im.zonda.bench.room.RoomClient;
import im.zonda.stream.client.StreamContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Connections to a server in this process, without sockets: as many as there is memory for.
final class MemoryConnector implements Connector {
  private final LongAdder messages = new LongAdder();
  private final List<MemoryLoop> loops = new ArrayList<>();
  private final List<MemoryConnection> connections =
      Collections.synchronizedList(new ArrayList<>());

  /// @param loops threads that the connections share
  MemoryConnector(StreamContext streams, int loops) {
    for (int i = 0; i < loops; i++) {
      this.loops.add(new MemoryLoop(streams, messages, i));
    }
  }

  @Override
  public void connect(RoomClient client) {
    MemoryLoop loop = loops.get(connections.size() % loops.size());
    MemoryConnection connection = new MemoryConnection(loop, client);
    connections.add(connection);
    loop.execute(connection::begin);
  }

  /// Only one client of `number` reads from now on.
  void readOneOf(int number) {
    for (int i = 0; i < connections.size(); i++) {
      connections.get(i).read(i % number == 0);
    }
  }

  /// Releases buffers before memory is measured.
  void rest() {
    loops.forEach(MemoryLoop::rest);
  }

  /// The processor time of the loops so far.
  long cpuMicros() {
    return loops.stream().mapToLong(MemoryLoop::cpuMicros).sum();
  }

  /// Messages that the server has written so far.
  long messages() {
    return messages.sum();
  }

  @Override
  public void close() {
    loops.forEach(MemoryLoop::close);
  }
}
