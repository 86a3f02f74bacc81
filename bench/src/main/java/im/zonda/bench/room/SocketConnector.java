package im.zonda.bench.room;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Connections over TCP without TLS. One thread reads for all of them; writes are made by the
/// calling thread.
public final class SocketConnector implements Connector {
  private static final int READ = 65_536;

  private final InetSocketAddress server;
  private final int sources;
  private final Selector selector;
  private final Thread thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ);
  private final byte[] bytes = new byte[READ];
  private int connected;
  private volatile boolean closed;

  /// @param sources number of local addresses (127.0.0.1 and following) to connect from, because
  ///   each has a limited number of ports; 1 leaves the choice to the system
  public SocketConnector(InetSocketAddress server, int sources) throws IOException {
    this.server = server;
    this.sources = sources;
    this.selector = Selector.open();
    this.thread = Thread.ofPlatform().name("room-clients").daemon().start(this::loop);
  }

  @Override
  public void connect(RoomClient client) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (sources > 1) {
        byte[] address = {127, 0, 0, (byte) (1 + connected++ % sources)};
        channel.bind(new InetSocketAddress(InetAddress.getByAddress(address), 0));
      }
      channel.connect(server);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    tasks.add(() -> new Connection(channel, client).register());
    selector.wakeup();
  }

  private void loop() {
    try {
      while (!closed) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
        selector.select(key -> {
          if (key.attachment() instanceof Connection connection) {
            connection.ready(key);
          }
        });
      }
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new IllegalStateException("the connections cannot be looked at", e);
    }
  }

  /// Closes all connections and ends the thread.
  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Connection implements RoomClient.Line {
    private final SocketChannel channel;
    private final RoomClient client;
    private final List<ByteBuffer> waiting = new ArrayList<>(0);
    private @Nullable SelectionKey key;

    Connection(SocketChannel channel, RoomClient client) {
      this.channel = channel;
      this.client = client;
    }

    void register() {
      try {
        // On this machine the connection may have been made at once.
        boolean made = channel.isConnected();
        key =
            channel.register(selector, made ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
        if (made) {
          client.connected(this);
        }
      } catch (IOException e) {
        gone(e);
      }
    }

    void ready(SelectionKey now) {
      try {
        if (now.isValid() && now.isConnectable() && channel.finishConnect()) {
          now.interestOps(SelectionKey.OP_READ);
          client.connected(this);
        }
        if (now.isValid() && now.isWritable()) {
          writeWaiting();
        }
        if (now.isValid() && now.isReadable()) {
          read();
        }
      } catch (IOException e) {
        gone(e);
      }
    }

    private void read() throws IOException {
      buffer.clear();
      int count = channel.read(buffer);
      if (count < 0) {
        close();
        client.disconnected("the server has closed the connection");
        return;
      }
      buffer.flip().get(bytes, 0, count);
      client.take(bytes, 0, count);
    }

    @Override
    public void write(byte[] text) {
      synchronized (waiting) {
        ByteBuffer out = ByteBuffer.wrap(text);
        try {
          if (waiting.isEmpty()) {
            channel.write(out);
          }
        } catch (IOException e) {
          tasks.add(() -> gone(e));
          selector.wakeup();
          return;
        }
        if (out.hasRemaining()) {
          waiting.add(out);
          tasks.add(() -> interest(SelectionKey.OP_READ | SelectionKey.OP_WRITE));
          selector.wakeup();
        }
      }
    }

    private void writeWaiting() throws IOException {
      synchronized (waiting) {
        while (!waiting.isEmpty() && channel.write(waiting.getFirst()) >= 0) {
          if (waiting.getFirst().hasRemaining()) {
            return;
          }
          waiting.removeFirst();
        }
      }
      interest(SelectionKey.OP_READ);
    }

    private void interest(int operations) {
      SelectionKey current = key;
      if (current != null && current.isValid()) {
        current.interestOps(operations);
      }
    }

    private void gone(IOException e) {
      close();
      client.disconnected(String.valueOf(e.getMessage()));
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        client.disconnected(String.valueOf(e.getMessage()));
      }
    }
  }
}
