package im.zonda.testkit.relay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/// One connection through a [TcpRelay]. Any thread may break it.
public final class RelayedConnection {
  private static final int CHUNK = 16 * 1024;

  private enum State {
    FLOWING,
    FROZEN,
    ENDED
  }

  private final Socket client;
  private final InetAddress origin;
  private final Socket server;
  private final Tap tap;
  private State state = State.FLOWING;
  private boolean clientGone;

  RelayedConnection(Socket client, Socket server, Tap tap) {
    this.client = client;
    this.origin = client.getInetAddress();
    this.server = server;
    this.tap = tap;
  }

  /// The address from which the client has connected.
  public InetAddress clientAddress() {
    return origin;
  }

  void start() {
    Thread.ofVirtual().name("relay-up").start(() -> pump(true));
    Thread.ofVirtual().name("relay-down").start(() -> pump(false));
  }

  /// Stops forwarding in both directions without closing anything, like an unplugged cable. Bytes
  /// in flight wait, as they would for a TCP retransmission.
  public synchronized void freeze() {
    if (state == State.FLOWING) {
      state = State.FROZEN;
    }
  }

  /// Resumes forwarding.
  public synchronized void thaw() {
    if (state == State.FROZEN) {
      state = State.FLOWING;
      notifyAll();
    }
  }

  /// Resets the client's side only. The server's side stays open and its bytes are discarded: a
  /// half-open connection, as after a restart of the client's machine.
  public synchronized void cutClientSide() {
    clientGone = true;
    reset(client);
  }

  /// Resets both sides.
  public synchronized void cut() {
    state = State.ENDED;
    notifyAll();
    reset(client);
    reset(server);
  }

  /// Whether both sides are closed.
  public synchronized boolean ended() {
    return state == State.ENDED;
  }

  private void pump(boolean up) {
    try {
      copy(up);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cut();
    }
  }

  private void copy(boolean up) throws InterruptedException {
    Socket from = up ? client : server;
    Socket to = up ? server : client;
    byte[] buffer = new byte[CHUNK];
    boolean broken = false;
    try {
      InputStream in = from.getInputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        tap.forwarding(this, up, buffer, count);
        if (!awaitFlow()) {
          return;
        }
        forward(up, to, buffer, count);
      }
    } catch (IOException e) {
      broken = true;
    }
    // The end of stream is forwarded like bytes: not while the connection is frozen.
    if (awaitFlow() && !(up && isClientGone())) {
      end(to, broken);
    }
  }

  private void forward(boolean up, Socket to, byte[] bytes, int count) throws IOException {
    if (!up && isClientGone()) {
      return;
    }
    try {
      OutputStream out = to.getOutputStream();
      out.write(bytes, 0, count);
      out.flush();
    } catch (IOException e) {
      if (up || !isClientGone()) {
        throw e;
      }
    }
  }

  private synchronized void end(Socket to, boolean broken) {
    if (broken || clientGone || to.isOutputShutdown() || to.isClosed()) {
      cut();
      return;
    }
    try {
      to.shutdownOutput();
      if (client.isOutputShutdown() && server.isOutputShutdown()) {
        cut();
      }
    } catch (IOException e) {
      cut();
    }
  }

  private synchronized boolean awaitFlow() throws InterruptedException {
    while (state == State.FROZEN) {
      wait();
    }
    return state == State.FLOWING;
  }

  private synchronized boolean isClientGone() {
    return clientGone;
  }

  static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // Closed already, as intended.
    }
  }
}
