package im.zonda.study.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Stands between clients and a server on the loopback address and keeps all bytes for a fixed
/// time, in both directions, as a network would.
public final class DelayProxy implements AutoCloseable {
  private static final int PART = 16_384;

  /// Parts of one direction of one connection; a client of pages never has that many on the way.
  private static final int MOST_PARTS = 1_000;

  private final ServerSocket socket;
  private final int port;
  private final long delayNanos;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /// Bytes on the way; none are the end.
  private record Part(ByteBuffer bytes, long due) {}

  /// Starts one.
  ///
  /// @param port of the server
  /// @param delayMillis the delay in each direction
  /// @throws IOException if there is no free port
  public DelayProxy(int port, int delayMillis) throws IOException {
    this.socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    this.port = port;
    this.delayNanos = TimeUnit.MILLISECONDS.toNanos(delayMillis);
    Thread _ = Thread.startVirtualThread(this::accept);
  }

  /// Where clients connect.
  public int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        open.add(client);
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        open.add(server);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        connect(client, server);
        connect(server, client);
      }
    } catch (IOException e) {
      close(); // closed, or the server is gone: its clients see that
    }
  }

  private void connect(Socket from, Socket to) throws IOException {
    BlockingQueue<Part> parts = new LinkedBlockingQueue<>(MOST_PARTS);
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    Thread _ = Thread.startVirtualThread(() -> read(in, parts));
    Thread _ =
        Thread.startVirtualThread(() -> {
          write(parts, out);
          close(from);
          close(to);
        });
  }

  private void read(InputStream in, BlockingQueue<Part> parts) {
    byte[] buffer = new byte[PART];
    try {
      int count;
      do {
        try {
          count = in.read(buffer);
        } catch (IOException e) {
          count = -1;
        }
        ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(buffer, Math.max(0, count)));
        parts.put(new Part(bytes, System.nanoTime() + delayNanos));
      } while (count > 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(BlockingQueue<Part> parts, OutputStream out) {
    try {
      for (Part part = parts.take(); part.bytes().hasRemaining(); part = parts.take()) {
        for (long left = part.due() - System.nanoTime();
            left > 0;
            left = part.due() - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        out.write(part.bytes().array());
      }
    } catch (IOException e) {
      // the receiver is gone, and so the connection ends
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void close(Socket connection) {
    open.remove(connection);
    try {
      connection.close();
    } catch (IOException e) {
      // nothing more can be done with it
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // nothing more can be done with it
    }
    open.forEach(this::close);
  }
}
