package im.zonda.bench.room;

import java.io.IOException;

/// Connections of many clients to a server.
public interface Connector extends AutoCloseable {
  /// Connects a client. Success or failure is reported to the client on the thread that reads for
  /// it.
  ///
  /// @throws IOException if the machine has no free port or file descriptor
  public void connect(RoomClient client) throws IOException;

  @Override
  public void close();
}
