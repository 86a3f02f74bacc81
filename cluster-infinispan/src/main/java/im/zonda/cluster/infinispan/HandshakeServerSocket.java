package im.zonda.cluster.infinispan;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts connections of nodes only: a connection is accepted when its TLS handshake has ended and
/// its certificate is one of a node. The handshakes run at the same time, each for [#HANDSHAKE] at
/// most, because JGroups accepts one connection after the other: a stranger who sends nothing would
/// keep nodes out.
final class HandshakeServerSocket extends NodeSockets.Listening {
  /// Milliseconds that a handshake may take.
  private static final long HANDSHAKE = 5_000;

  /// Connections whose handshake has not ended. More are closed at once.
  private static final int PENDING = 256;

  private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Logger LOG = LoggerFactory.getLogger(HandshakeServerSocket.class);

  private final SSLContext tls;
  private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
  private final Semaphore pending = new Semaphore(PENDING);

  // Guarded by this object's monitor.
  private long logged;
  private long refused;

  HandshakeServerSocket(NodeSockets sockets, SSLContext tls) throws IOException {
    super(sockets);
    this.tls = tls;
  }

  @Override
  public void bind(SocketAddress address, int backlog) throws IOException {
    super.bind(address, backlog);
    Thread.ofVirtual().name("zonda-cluster-accept").start(this::run);
  }

  /// The next connection of a node.
  @Override
  public Socket accept() throws IOException {
    try {
      Socket next = accepted.take();
      if (isClosed()) {
        accepted.add(next); // for others who wait
        throw new SocketException("closed");
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SocketException("interrupted");
    }
  }

  private void run() {
    while (!isClosed()) {
      try {
        Socket socket = super.accept();
        if (pending.tryAcquire()) {
          Thread.ofVirtual().name("zonda-cluster-handshake").start(() -> admit(socket));
        } else {
          refuse(socket, "too many connections without a handshake");
        }
      } catch (IOException e) {
        LOG.atDebug().setCause(e).log("cluster_accept_failed");
      }
    }
  }

  private void admit(Socket socket) {
    CountDownLatch done = new CountDownLatch(1);
    Thread.ofVirtual().start(() -> closeLate(socket, done));
    try {
      SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, true);
      secured.setUseClientMode(false);
      secured.setNeedClientAuth(true);
      secured.setEnabledProtocols(new String[] {"TLSv1.3"});
      secured.startHandshake();
      done.countDown();
      accepted.add(secured);
    } catch (IOException | RuntimeException e) {
      done.countDown();
      refuse(socket, String.valueOf(e.getMessage()));
    } finally {
      pending.release();
    }
  }

  private static void closeLate(Socket socket, CountDownLatch done) {
    try {
      if (!done.await(HANDSHAKE, TimeUnit.MILLISECONDS)) {
        NodeSockets.shut(socket);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuse(Socket socket, String reason) {
    NodeSockets.shut(socket);
    report(socket, reason);
  }

  /// At most one line a second; strangers may be many.
  private synchronized void report(Socket socket, String reason) {
    refused++;
    long now = System.nanoTime();
    if (!isClosed() && (refused == 1 || now - logged > LOG_NANOS)) {
      logged = now;
      LOG.atWarn()
          .addKeyValue("address", socket.getInetAddress())
          .addKeyValue("reason", reason)
          .addKeyValue("refused", refused)
          .log("cluster_connection_refused");
    }
  }

  @Override
  public void close() throws IOException {
    super.close();
    accepted.add(new Socket()); // so that no one waits for it
  }
}
