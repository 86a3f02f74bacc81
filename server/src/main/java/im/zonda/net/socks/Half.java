package im.zonda.net.socks;

import im.zonda.session.ClientNetwork;
import java.io.IOException;
import java.net.Socket;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One connection to the proxy. Guarded by its [Halves], but for the socket.
final class Half {
  final Socket socket;
  final ClientNetwork network;

  /// When it is closed unless it is activated.
  final Instant deadline;

  /// What it has asked for; null before the request.
  @Nullable String address;

  Half(Socket socket, Instant deadline) {
    this.socket = socket;
    this.network = ClientNetwork.of(socket.getInetAddress());
    this.deadline = deadline;
  }

  /// Closes the connection; ends what reads from it or writes to it.
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // There is nothing more to release.
    }
  }
}
