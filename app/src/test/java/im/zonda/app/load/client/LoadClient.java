package im.zonda.app.load.client;

import im.zonda.app.load.options.LoadOptions;
import im.zonda.testkit.client.BoshNetwork;
import im.zonda.testkit.client.BoshWire;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.Scram;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.WebSocketWire;
import im.zonda.testkit.client.Wire;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A cheap client: searches the server's XML for marks instead of parsing it. Used by one thread
/// until [#listen]; after that any thread may send.
public final class LoadClient implements AutoCloseable {
  /// The namespace of stream management.
  public static final String SM = "urn:xmpp:sm:3";

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int READ = 4_096;

  /// Receives bytes from the server.
  public interface Tap {
    void take(byte[] bytes, int length);
  }

  private final Wire wire;

  /// The socket, for its options; null with BOSH, which has several.
  private final @Nullable Socket socket;

  private final LoadOptions options;
  private final StringBuilder heard = new StringBuilder();
  private final Object sending = new Object();
  private volatile boolean ended;
  private volatile @Nullable Thread reader;

  private LoadClient(Wire wire, @Nullable Socket socket, LoadOptions options) throws IOException {
    this.wire = wire;
    this.socket = socket;
    this.options = options;
    limitReads(PATIENCE);
  }

  /// Connects as the options say.
  ///
  /// @throws IOException if the connection or a handshake fails
  public static LoadClient connect(LoadOptions options) throws IOException {
    InetSocketAddress address = options.address();
    String domain = options.domain();
    boolean tls = options.security() == Login.Security.DIRECT_TLS;
    return switch (options.transport()) {
      case TCP -> {
        SocketWire wire =
            tls ? SocketWire.connectTls(address, domain) : SocketWire.connect(address);
        yield new LoadClient(wire, wire.socket(), options);
      }
      case WEBSOCKET -> {
        WebSocketWire wire =
            tls
                ? WebSocketWire.connect(address, domain)
                : WebSocketWire.connectPlain(address, domain);
        yield new LoadClient(wire, wire.socket(), options);
      }
      case BOSH -> {
        BoshNetwork network =
            tls ? BoshNetwork.https(address, domain) : BoshNetwork.http(address, domain);
        yield new LoadClient(BoshWire.over(network), null, options);
      }
    };
  }

  /// Connects with a receive buffer of about `bytes`, if there is one socket.
  public static LoadClient connectNarrow(LoadOptions options, int bytes) throws IOException {
    LoadClient client = connect(options);
    if (client.socket != null) {
      client.socket.setReceiveBufferSize(bytes);
    }
    return client;
  }

  /// Sets how long a read waits; zero is no limit.
  private void limitReads(Duration patience) throws IOException {
    if (socket != null) {
      socket.setSoTimeout((int) patience.toMillis());
    }
  }

  /// Opens the stream, starts TLS, authenticates with SCRAM-SHA-1 and restarts the stream.
  ///
  /// @throws IOException if the login fails
  public LoadClient authenticate(String user, Map<String, byte[]> passwords) throws IOException {
    open();
    if (options.security() == Login.Security.STARTTLS) {
      send("<starttls xmlns='" + ScriptedClient.TLS + "'/>");
      until("<proceed");
      wire.startTls(options.domain());
      limitReads(PATIENCE);
      open();
    }
    String nonce = UUID.randomUUID().toString();
    Scram scram = new Scram("SHA-1", "n,,", new byte[0], user, nonce).keeping(passwords);
    send(
        "<auth xmlns='"
            + ScriptedClient.SASL
            + "' mechanism='SCRAM-SHA-1'>"
            + encoded(scram.first())
            + "</auth>");
    String challenge = decoded(until("</challenge", "</failure"));
    send(
        "<response xmlns='"
            + ScriptedClient.SASL
            + "'>"
            + encoded(scram.last(challenge, options.password()))
            + "</response>");
    until("</success", "</failure");
    open();
    return this;
  }

  /// Binds that resource.
  public LoadClient bind(String resource) throws IOException {
    send(
        "<iq type='set' id='bind'><bind xmlns='"
            + ScriptedClient.BIND
            + "'><resource>"
            + resource
            + "</resource></bind></iq>");
    if (!until("</iq").contains("</jid>")) {
      throw new IOException("the resource is not bound");
    }
    return this;
  }

  /// Enables stream management; returns the resumption id, empty without resumption.
  public String enable(boolean resumable) throws IOException {
    send("<enable xmlns='" + SM + "'" + (resumable ? " resume='true'" : "") + "/>");
    String id = Attributes.of(until("<enabled", "</failed"), "id");
    if (resumable && id == null) {
      throw new IOException("the server does not promise to resume");
    }
    return id == null ? "" : id;
  }

  /// Resumes a session; returns the server's `h`.
  public long resume(String id, long handled) throws IOException {
    send("<resume xmlns='" + SM + "' previd='" + id + "' h='" + handled + "'/>");
    String count = Attributes.of(until("<resumed", "</failed"), "h");
    if (count == null) {
      throw new IOException("resumed without a count");
    }
    return Long.parseLong(count);
  }

  /// Passes everything received from now on to `tap`, on a thread of its own.
  public void listen(Tap tap) throws IOException {
    limitReads(Duration.ZERO);
    reader = Thread.ofVirtual().name("load-client").start(() -> read(tap));
  }

  /// Waits until the reader of a cut connection has ended.
  public void awaitEnd() {
    Thread running = reader;
    try {
      if (running != null && !running.join(PATIENCE)) {
        throw new IllegalStateException("a connection that was cut is still read");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(Tap tap) {
    byte[] waiting = heard.toString().getBytes(StandardCharsets.ISO_8859_1);
    heard.setLength(0);
    heard.trimToSize();
    tap.take(waiting, waiting.length);
    byte[] bytes = new byte[READ];
    try {
      InputStream in = wire.in();
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        tap.take(bytes, n);
      }
    } catch (IOException | UncheckedIOException e) {
      // The connection has ended; the counters will show what is missing.
    }
  }

  /// Sends XML as it is.
  public void send(String xml) throws IOException {
    send(xml.getBytes(StandardCharsets.UTF_8));
  }

  /// Sends bytes as they are.
  public void send(byte[] bytes) throws IOException {
    synchronized (sending) {
      wire.out().write(bytes);
      wire.out().flush();
    }
  }

  /// Reads and discards for that long; returns whether the server has closed the connection.
  public boolean drainedToItsEnd(Duration patience) {
    byte[] bytes = new byte[READ];
    try {
      limitReads(patience);
      while (wire.in().read(bytes) >= 0) {
        // The content is ignored.
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /// Resets the connection without closing the stream.
  public void cut() {
    if (!ended) {
      ended = true;
      wire.abort();
    }
  }

  /// Closes the stream and the connection without waiting.
  @Override
  public void close() {
    if (!ended) {
      try {
        send("</stream:stream>");
        ended = true;
        wire.close();
      } catch (IOException e) {
        cut();
      }
    }
  }

  private void open() throws IOException {
    send(
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='"
            + ScriptedClient.STREAMS
            + "' version='1.0' to='"
            + options.domain()
            + "'>");
    until("</stream:features");
  }

  /// Reads up to and including the tag that starts with one of the marks; returns what was read.
  private String until(String... marks) throws IOException {
    byte[] bytes = new byte[READ];
    while (true) {
      for (String mark : marks) {
        int at = heard.indexOf(mark);
        int end = at < 0 ? -1 : heard.indexOf(">", at);
        if (end >= 0) {
          String text = heard.substring(0, end + 1);
          heard.delete(0, end + 1);
          return judged(mark, text);
        }
      }
      int n = heard.indexOf("</stream:stream") < 0 ? wire.in().read(bytes) : -1;
      if (n < 0) {
        throw new EOFException("the server closes the stream: " + heard);
      }
      heard.append(new String(bytes, 0, n, StandardCharsets.ISO_8859_1));
    }
  }

  private static String judged(String mark, String text) throws SocketException {
    if (mark.startsWith("</fail")) {
      throw new SocketException("refused: " + text);
    }
    // From the mark's own tag on, so that attributes are those of this element.
    return mark.startsWith("</") ? text : text.substring(text.lastIndexOf(mark));
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String element) {
    int end = element.lastIndexOf("</");
    String data = element.substring(element.lastIndexOf('>', end) + 1, end);
    return new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
  }
}
