package im.zonda.app.load.client;

import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// A session with the counters of XEP-0198, kept over resumptions.
public final class ManagedLoadClient implements AutoCloseable {
  /// The counters are modulo 2^32.
  private static final long COUNTS = 0xFFFF_FFFFL;

  /// Listener for latencies. A stanza that is not measured has the time 0.
  public interface Times {
    /// A message with that stamp has come.
    void arrived(long due);

    /// The server's count covers a stanza that was due then.
    void acknowledged(long due);
  }

  private final LoadClient client;
  private final Times times;
  private final ConcurrentLinkedQueue<Long> unacknowledged = new ConcurrentLinkedQueue<>();
  private final AtomicLong received;
  private volatile boolean answering = true;
  private volatile boolean wrong;
  private volatile long covered;

  /// A session on a client that has just bound and enabled stream management, if it does so.
  public ManagedLoadClient(LoadClient client, Times times) {
    this(client, times, 0, 0);
  }

  private ManagedLoadClient(LoadClient client, Times times, long received, long covered) {
    this.client = client;
    this.times = times;
    this.received = new AtomicLong(received);
    this.covered = covered;
  }

  /// The session on a new connection; the old one must have been read to its end.
  ///
  /// @param handled the server's `h` in the resumption; nothing is sent again
  public ManagedLoadClient resumedOn(LoadClient next, long handled) {
    return new ManagedLoadClient(next, times, received.get(), handled);
  }

  /// Starts to read.
  public ManagedLoadClient listen() throws IOException {
    StampScanner stamps = new StampScanner(times::arrived);
    StreamScanner stream = new StreamScanner(new Stream());
    client.listen((bytes, length) -> {
      stamps.take(bytes, length);
      stream.take(bytes, length);
    });
    return this;
  }

  /// Sends one stanza. Requires stream management: otherwise the list of unacknowledged times would
  /// grow without end.
  public void send(byte[] stanza, long due) throws IOException {
    unacknowledged.add(due);
    client.send(stanza);
  }

  /// Sends available presence.
  public ManagedLoadClient available() throws IOException {
    unacknowledged.add(0L);
    client.send("<presence/>");
    return this;
  }

  /// From now on, does not answer the server's requests for acknowledgement.
  public void answerNothing() {
    answering = false;
  }

  /// Number of stanzas received.
  public long received() {
    return received.get();
  }

  /// Whether the server has acknowledged more than was sent.
  public boolean wrong() {
    return wrong;
  }

  /// The connection.
  public LoadClient client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
  }

  private final class Stream implements StreamScanner.Listener {
    @Override
    public void stanza() {
      received.incrementAndGet();
    }

    @Override
    public void request() {
      if (answering) {
        try {
          client.send("<a xmlns='" + LoadClient.SM + "' h='" + (received.get() & COUNTS) + "'/>");
        } catch (IOException e) {
          // The connection has ended; what is missing shows in the report.
        }
      }
    }

    @Override
    public void answer(long handled) {
      long more = (handled - covered) & COUNTS;
      covered = handled;
      for (long i = 0; i < more; i++) {
        Long due = unacknowledged.poll();
        if (due == null) {
          wrong = true;
          return;
        }
        times.acknowledged(due);
      }
    }
  }
}
