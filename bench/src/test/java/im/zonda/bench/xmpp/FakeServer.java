package im.zonda.bench.xmpp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A server of the simplest kind, whose delay is known: it lets everybody in by PLAIN, binds what
/// is asked for, and delivers each message after a time.
public final class FakeServer implements AutoCloseable {
  private static final String HEADER =
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client'"
          + " xmlns:stream='http://etherx.jabber.org/streams' id='1' from='fake' version='1.0'>";

  private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final long delayNanos;
  private final Map<String, Connection> sessions = new ConcurrentHashMap<>();
  private final Set<Connection> all = ConcurrentHashMap.newKeySet();
  private final DelayQueue<Held> held = new DelayQueue<>();
  private final AtomicInteger messages = new AtomicInteger();
  private volatile int stopAt = -1;
  private volatile long stopNanos;
  private volatile int loseAt = Integer.MAX_VALUE;
  private volatile int loseOnly = -1;
  private volatile int doubleOnly = -1;

  /// The addresses of the occupants by the address of their room.
  private final Map<String, Set<String>> rooms = new ConcurrentHashMap<>();

  private record Held(long dueNanos, String to, String text) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(dueNanos, ((Held) other).dueNanos);
    }
  }

  /// A server that holds each message for that long.
  public FakeServer(long delayMillis) throws IOException {
    delayNanos = TimeUnit.MILLISECONDS.toNanos(delayMillis);
    var _ = Thread.ofPlatform().name("fake-accept").daemon().start(this::accept);
    var _ = Thread.ofPlatform().name("fake-deliver").daemon().start(this::deliver);
  }

  /// Does nothing at all for that long, once, after `count` messages.
  public void stopAfter(int count, long millis) {
    stopNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    stopAt = count;
  }

  /// Delivers no message after `count` of them.
  public void loseAfter(int count) {
    loseAt = count;
  }

  /// Loses one message, by its number from 1.
  public void lose(int count) {
    loseOnly = count;
  }

  /// Delivers one message twice, by its number from 1.
  public void deliverTwice(int count) {
    doubleOnly = count;
  }

  /// How a client connects.
  public Endpoint endpoint() {
    return new Endpoint(
        new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()),
        "fake",
        Endpoint.Transport.TCP,
        Endpoint.Security.NONE);
  }

  private void accept() {
    try {
      while (true) {
        Connection connection = new Connection(listener.accept());
        all.add(connection);
        var _ = Thread.ofVirtual().start(connection::read);
      }
    } catch (IOException e) {
      // The test has closed the server.
    }
  }

  private void deliver() {
    try {
      while (true) {
        Held next = held.take();
        int count = messages.incrementAndGet();
        if (count == stopAt) {
          long end = System.nanoTime() + stopNanos;
          while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
          }
        }
        Connection to = sessions.get(next.to);
        if (to != null && count <= loseAt && count != loseOnly) {
          to.write(next.text + (count == doubleOnly ? next.text : ""));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (UncheckedIOException e) {
      // The test has closed the client.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Connection each : all) {
      each.socket.close();
    }
  }

  private final class Connection {
    private final Socket socket;
    private final StringBuilder text = new StringBuilder();
    private String user = "";
    private boolean authenticated;

    Connection(Socket socket) {
      this.socket = socket;
    }

    synchronized void write(String xml) {
      try {
        OutputStream out = socket.getOutputStream();
        out.write(xml.getBytes(StandardCharsets.UTF_8));
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void read() {
      byte[] bytes = new byte[8192];
      try (socket) {
        InputStream in = socket.getInputStream();
        for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
          text.append(new String(bytes, 0, n, StandardCharsets.UTF_8));
          String next = element();
          while (!next.isEmpty()) {
            handle(next);
            next = element();
          }
        }
      } catch (IOException | UncheckedIOException e) {
        // The client is gone.
      }
    }

    /// The next tag of the stream or element; empty if there is none yet.
    private String element() {
      if (text.indexOf("<?xml") == 0) {
        text.delete(0, text.indexOf("?>") + 2);
      }
      int tag = text.indexOf(">") + 1;
      if (tag == 0) {
        return "";
      }
      int end = tag;
      if (text.indexOf("<stream") != 0 && text.indexOf("</") != 0 && text.charAt(tag - 2) != '/') {
        String name = text.substring(1, tag).split("[ >]", 2)[0];
        int close = text.indexOf("</" + name + ">");
        if (close < 0) {
          return "";
        }
        end = close + name.length() + 3;
      }
      String element = text.substring(0, end);
      text.delete(0, end);
      return element;
    }

    /// Lets an occupant in or out (XEP-0045); the first one makes the room.
    private void presence(String element) {
      String to = String.valueOf(Markup.attribute(element, "to"));
      String room = to.substring(0, to.indexOf('/'));
      Set<String> occupants = rooms.computeIfAbsent(room, _ -> ConcurrentHashMap.newKeySet());
      String address = user + "@fake/bench";
      if (element.startsWith("<presence type=")) {
        occupants.remove(address);
        return;
      }
      boolean isNew = occupants.isEmpty();
      occupants.add(address);
      write(
          "<presence from='"
              + to
              + "'><x xmlns='http://jabber.org/protocol/muc#user'><status code='110'/>"
              + (isNew ? "<status code='201'/>" : "")
              + "</x></presence>");
    }

    private void handle(String element) throws IOException {
      if (element.startsWith("<stream:stream")) {
        write(
            HEADER
                + (authenticated
                    ? "<stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></stream:features>"
                    : "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms></stream:features>"));
      } else if (element.startsWith("<auth")) {
        authenticated = true;
        user = ScramLogin.decode(Markup.text(element, "auth")).split("\0", -1)[1];
        write("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>");
      } else if (element.contains("xmpp-bind")) {
        String address = user + "@fake/" + Markup.text(element, "resource");
        sessions.put(address, this);
        write(
            "<iq type='result' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>"
                + address
                + "</jid></bind></iq>");
      } else if (element.startsWith("<message")) {
        String to = String.valueOf(Markup.attribute(element, "to"));
        long due = System.nanoTime() + delayNanos;
        rooms
            .getOrDefault(to, Set.of(to.contains("/") ? to : to + "/bench"))
            .forEach(receiver -> held.add(new Held(due, receiver, element)));
      } else if (element.startsWith("<presence to=") || element.startsWith("<presence type=")) {
        presence(element);
      } else if (element.startsWith("<iq") && element.contains("muc#owner")) {
        write("<iq type='result' id='" + Markup.attribute(element, "id") + "'/>");
      } else if (element.startsWith("</")) {
        socket.close();
      }
    }
  }
}
