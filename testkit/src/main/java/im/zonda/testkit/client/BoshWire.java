package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlStreamReading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSession;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/// A session of BOSH (XEP-0124, XEP-0206) that looks like a stream on TCP: what is written between
/// two flushes goes out as one request, and the tags of the stream become requests of their own. A
/// request without a response is sent again.
public final class BoshWire implements Wire {
  private static final String BODY =
      "<body xmlns='http://jabber.org/protocol/httpbind' xmlns:xmpp='urn:xmpp:xbosh'";
  private static final Pattern ATTRIBUTE = Pattern.compile("([\\w:]+)=('[^']*'|\"[^\"]*\")");
  private static final Pattern START = Pattern.compile("(?s)<body([^>]*?)(/?)>(.*)");
  private static final byte[] END = {};

  /// From the oldest one without a response on, which the server must still have. As many as with
  /// `hold='1'`.
  private static final int MAX_OPEN = 2;

  private static final int MAX_ATTEMPTS = 12;

  private final BoshNetwork network;
  private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
  private final Requests out = new Requests();
  private final Elements in = new Elements();

  // Guarded by this object's monitor.
  private final Map<Long, String> responses = new HashMap<>();

  /// The client has opened the stream and not been answered. The answer need not be in the response
  /// to that request.
  private boolean opening;

  private long next = ThreadLocalRandom.current().nextLong(1_000, 1L << 50);
  private long expected = next;
  private String sid = "";
  private boolean ended;
  private volatile boolean closed;

  private BoshWire(BoshNetwork network) {
    this.network = network;
  }

  /// A client that has sent nothing yet.
  public static BoshWire over(BoshNetwork network) {
    return new BoshWire(network);
  }

  // ---- requests

  private synchronized void send(String attributes, String payloads, boolean header)
      throws IOException {
    while (next - expected >= MAX_OPEN && !ended && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    if (ended || closed) {
      throw new IOException("the session has ended");
    }
    begin(attributes, payloads, header);
  }

  private synchronized void begin(String attributes, String payloads, boolean header) {
    long rid = next++;
    opening |= header;
    String known = sid.isEmpty() ? "" : " sid='" + sid + "'";
    String body = BODY + " rid='" + rid + "'" + known + attributes + ">" + payloads + "</body>";
    Thread.ofVirtual().name("bosh").start(() -> exchange(rid, body));
  }

  private void exchange(long rid, String body) {
    String response = null;
    IOException failure = null;
    for (int i = 0; response == null && i < MAX_ATTEMPTS && !closed; i++) {
      try {
        response = network.post(body);
        if (response.substring(0, response.indexOf('>')).contains(" type='error'")) {
          response = null;
        }
      } catch (IOException e) {
        failure = e;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // and once more
      }
    }
    if (response == null && failure != null && !closed) {
      throw new IllegalStateException("no response to " + body, failure);
    }
    handle(rid, response == null ? BODY + " type='terminate' condition='none'/>" : response);
  }

  private synchronized void handle(long rid, String response) {
    responses.put(rid, response);
    for (String now = responses.remove(expected); now != null; now = responses.remove(expected)) {
      accept(now);
      expected++;
    }
    notifyAll();
    if (next == expected && !ended && !closed && !sid.isEmpty()) {
      begin("", "", false);
    }
  }

  private synchronized void accept(String response) {
    Matcher start = START.matcher(response);
    if (!start.matches()) {
      throw new IllegalStateException("no <body/>: " + response);
    }
    try {
      XmlStreamReading.checkDocument(response);
    } catch (XMLStreamException e) {
      throw new IllegalStateException("no document: " + response, e);
    }
    Map<String, String> attributes = attributes(start.group(1));
    sid = attributes.getOrDefault("sid", sid);
    boolean ends = "terminate".equals(attributes.get("type"));
    if (opening && (ends || start.group(3).startsWith("<stream:features"))) {
      opening = false;
      put(
          "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
              + " version='1.0' id='%s' from='%s'>"
                  .formatted(
                      attributes.getOrDefault("authid", "x"),
                      attributes.getOrDefault("from", "example.org")));
    }
    if (start.group(2).isEmpty()) {
      String content = start.group(3);
      put(content.substring(0, content.length() - "</body>".length()));
    }
    if (ends && !ended) {
      ended = true;
      String condition = attributes.getOrDefault("condition", "");
      if (!condition.isEmpty() && !condition.equals("remote-stream-error")) {
        put(
            "<stream:error><%s xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>"
                .formatted(condition));
      }
      put("</stream:stream>");
      received.add(END);
    }
  }

  private static Map<String, String> attributes(String text) {
    Map<String, String> all = new HashMap<>();
    Matcher attribute = ATTRIBUTE.matcher(text);
    while (attribute.find()) {
      String value = attribute.group(2);
      all.put(attribute.group(1), value.substring(1, value.length() - 1));
    }
    return all;
  }

  private void put(String text) {
    if (!text.isEmpty()) {
      received.add(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /// Collects what is written and sends it as requests.
  private final class Requests extends ByteArrayOutputStream {
    @Override
    public void flush() throws IOException {
      List<String> elements = WebSocketWire.messages(toString(StandardCharsets.UTF_8));
      reset();
      StringBuilder payloads = new StringBuilder();
      for (String element : elements) {
        if (element.startsWith("<open ")) {
          open(element);
        } else if (element.startsWith("<close ")) {
          send(" type='terminate'", payloads.toString(), false);
          payloads.setLength(0);
        } else {
          payloads.append(WebSocketWire.declared(element));
        }
      }
      if (!payloads.isEmpty()) {
        send("", payloads.toString(), false);
      }
    }

    private void open(String element) throws IOException {
      StringBuilder attributes = new StringBuilder();
      Matcher attribute = ATTRIBUTE.matcher(element);
      while (attribute.find()) {
        switch (attribute.group(1)) {
          case "xmlns" -> {}
          case "version" -> attributes.append(" xmpp:").append(attribute.group());
          default -> attributes.append(' ').append(attribute.group());
        }
      }
      boolean first = sid.isEmpty();
      attributes.append(first ? " ver='1.11' wait='60' hold='1'" : " xmpp:restart='true'");
      send(attributes.toString(), "", true);
    }
  }

  /// What has come, as bytes of a stream.
  private final class Elements extends InputStream {
    private byte[] current = END;
    private int at;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (at == current.length) {
        try {
          current = received.take();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted", e);
        }
        at = 0;
        if (current.length == 0) {
          received.add(END);
          return -1;
        }
      }
      int count = Math.min(length, current.length - at);
      System.arraycopy(current, at, target, offset, count);
      at += count;
      return count;
    }
  }

  // ---- the wire

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public void startTls(String domain) throws IOException {
    throw new IOException("BOSH has no STARTTLS");
  }

  /// None: its requests come by several connections, and there is no channel binding.
  @Override
  public @Nullable SSLSession tls() {
    return null;
  }

  @Override
  public synchronized boolean ended() {
    return ended;
  }

  @Override
  public synchronized void close() {
    closed = true;
    received.add(END);
    notifyAll();
  }

  @Override
  public void abort() {
    close();
  }
}
