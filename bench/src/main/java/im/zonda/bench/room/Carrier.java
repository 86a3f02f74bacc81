package im.zonda.bench.room;

import java.io.IOException;

/// Carries what many clients and a server say to each other.
public interface Carrier extends AutoCloseable {
  /// Connects a client; it is told when that is done, or has failed, by the thread that feeds it.
  ///
  /// @throws IOException if this machine has nothing left to connect with
  public void connect(RoomClient client) throws IOException;

  @Override
  public void close();
}
