package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A blocking XMPP client that sends exactly what a test specifies, valid or not, and checks
/// nothing itself.
///
/// Shares no code with the server: the JDK parses the XML, and SCRAM is implemented separately.
/// Throws [AssertionError] if an expected answer does not arrive in time. Used by one thread.
public final class ScriptedClient implements AutoCloseable {
  /// The namespace of STARTTLS.
  public static final String TLS = "urn:ietf:params:xml:ns:xmpp-tls";

  /// The namespace of SASL.
  public static final String SASL = "urn:ietf:params:xml:ns:xmpp-sasl";

  /// The namespace of streams.
  public static final String STREAMS = "http://etherx.jabber.org/streams";

  /// The content namespace of external components (XEP-0114).
  public static final String COMPONENT = "jabber:component:accept";

  /// The namespace of resource binding.
  public static final String BIND = "urn:ietf:params:xml:ns:xmpp-bind";

  /// How long an answer may take before a test fails. Much longer than any takes, since tests run
  /// beside each other.
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Wire wire;
  private final Inbox inbox;
  private final Deque<XmlElement> setAside = new ArrayDeque<>();
  private @Nullable XmlElement header;
  private @Nullable XmlElement features;
  private String jid = "";
  private boolean ended;

  /// Creates a client on a new connection.
  public ScriptedClient(Wire wire, Inbox inbox) {
    this.wire = wire;
    this.inbox = inbox;
  }

  /// Creates a client on a new connection to a server that runs on other threads.
  public ScriptedClient(Wire wire) {
    this(wire, Inbox.queue());
  }

  /// Negotiates everything before the first stanza: stream, TLS, SASL, stream, bind.
  public ScriptedClient login(Login login) {
    negotiate(login);
    bind(login.resource());
    return this;
  }

  /// Negotiates everything before binding; fails if the login fails.
  public ScriptedClient negotiate(Login login) {
    open(login.domain());
    if (login.security() == Login.Security.STARTTLS) {
      startTls(login.domain());
    }
    XmlElement answer = authenticate(login);
    if (!answer.is(SASL, "success")) {
      throw new AssertionError(login.jid() + " is not let in: " + answer);
    }
    open(login.domain());
    return this;
  }

  /// Opens a stream, or the next one on this connection, and reads the server's header and
  /// features.
  public ScriptedClient open(String domain) {
    send(header(domain));
    readOpening();
    return this;
  }

  private static String header(String domain) {
    return "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='"
        + STREAMS
        + "' version='1.0' to='"
        + XmlElement.escape(domain)
        + "'>";
  }

  private void readOpening() {
    listen();
    header = awaitHeader();
    readFeatures();
  }

  private void readFeatures() {
    features = receive();
    if (!features.is(STREAMS, "features")) {
      throw new AssertionError("features expected, got " + features);
    }
  }

  /// Opens the stream of an external component and authenticates (XEP-0114).
  public ScriptedClient openAsComponent(String domain, String secret) {
    openComponentStream(domain);
    send("<handshake>" + componentDigest(secret) + "</handshake>");
    XmlElement answer = receive();
    if (!answer.is(COMPONENT, "handshake")) {
      throw new AssertionError(domain + " is not let in: " + answer);
    }
    jid = domain;
    return this;
  }

  /// Opens the stream of an external component and reads the server's header.
  public ScriptedClient openComponentStream(String domain) {
    send(
        "<stream:stream xmlns='"
            + COMPONENT
            + "' xmlns:stream='"
            + STREAMS
            + "' to='"
            + XmlElement.escape(domain)
            + "'>");
    listen();
    header = awaitHeader();
    return this;
  }

  /// The credentials of a component on this stream: SHA-1 of stream identifier and secret.
  public String componentDigest(String secret) {
    try {
      String text = Objects.requireNonNull(header).attribute("id") + secret;
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Starts to read a new stream, for tests that send their own header.
  public ScriptedClient listen() {
    StreamReader.start(wire.in(), inbox);
    return this;
  }

  /// Waits for the server's stream header.
  public XmlElement awaitHeader() {
    StreamEvent event = next(PATIENCE);
    if (event instanceof StreamEvent.Opened opened) {
      return opened.header();
    }
    throw new AssertionError("a stream header expected, got " + event);
  }

  /// Negotiates STARTTLS and restarts the stream.
  public ScriptedClient startTls(String domain) {
    send("<starttls xmlns='" + TLS + "'/>");
    XmlElement answer = receive();
    if (!answer.is(TLS, "proceed")) {
      throw new AssertionError("STARTTLS is refused: " + answer);
    }
    try {
      wire.startTls(domain);
    } catch (IOException e) {
      throw new UncheckedIOException("the TLS handshake failed", e);
    }
    return open(domain);
  }

  /// Authenticates and returns the server's final element: `success` or `failure`.
  public XmlElement authenticate(Login login) {
    String mechanism = login.mechanism() == null ? Sasl.strongest(features()) : login.mechanism();
    return new Sasl(this, wire).authenticate(login, mechanism);
  }

  /// Authenticates by XEP-0388 and returns the server's final element: `success`, `failure` or
  /// `continue`. Reads the features that follow a success, if any.
  ///
  /// @param more inline requests, such as a bind request
  public XmlElement authenticate2(Login login, String more) {
    String mechanism = login.mechanism() == null ? Sasl.strongest(features()) : login.mechanism();
    return authenticated2(new Sasl2(this, wire).password(login, mechanism, more));
  }

  /// Authenticates with a token (XEP-0484).
  ///
  /// @param mechanism such as `HT-SHA-256-EXPR`
  public XmlElement authenticate2(Login login, String mechanism, String token, String more) {
    send(new Sasl2(this, wire).byToken(login, mechanism, token, more));
    return proved(mechanism, token);
  }

  /// Sends the stream header and the authentication by a token at once, as a returning client does.
  /// Reads the header, the features and the server's final element.
  public XmlElement comeBack(Login login, String mechanism, String token, String more) {
    send(header(login.domain()) + new Sasl2(this, wire).byToken(login, mechanism, token, more));
    readOpening();
    return proved(mechanism, token);
  }

  private XmlElement proved(String mechanism, String token) {
    XmlElement last = receive();
    if (last.is(Sasl2.NAMESPACE, "success")
        && !new Sasl2(this, wire).proves(last, mechanism, token)) {
      throw new AssertionError("the server does not prove that it knows the token");
    }
    return authenticated2(last);
  }

  private XmlElement authenticated2(XmlElement last) {
    if (!last.is(Sasl2.NAMESPACE, "success")) {
      return last;
    }
    String identity = last.childText("authorization-identifier");
    if (identity.indexOf('/') > 0) {
      jid = identity;
    }
    if (last.child("urn:xmpp:sm:3", "resumed") == null) {
      readFeatures();
    }
    return last;
  }

  /// Binds a resource, or one that the server generates, and returns the full JID.
  public String bind(@Nullable String resource) {
    String wish =
        resource == null ? "" : "<resource>" + XmlElement.escape(resource) + "</resource>";
    send("<iq type='set' id='bind'><bind xmlns='" + BIND + "'>" + wish + "</bind></iq>");
    XmlElement answer = receive();
    XmlElement bound = answer.child(BIND, "bind");
    if (bound == null || !"result".equals(answer.attribute("type"))) {
      throw new AssertionError("the resource is not bound: " + answer);
    }
    jid = bound.childText("jid");
    return jid;
  }

  /// Sends XML as it is. What is sent after the server has closed the connection is discarded, as
  /// the server would discard it.
  public ScriptedClient send(String xml) {
    try {
      wire.out().write(xml.getBytes(StandardCharsets.UTF_8));
      wire.out().flush();
    } catch (IOException e) {
      if (!wire.ended()) {
        throw new UncheckedIOException("the connection does not take " + abbreviated(xml), e);
      }
    }
    return this;
  }

  /// Sends bytes; returns false once the server does not accept them.
  public boolean offer(byte[] bytes) {
    try {
      wire.out().write(bytes);
      wire.out().flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// The next element; fails if the stream ends or after the default timeout.
  public XmlElement receive() {
    return receive(PATIENCE);
  }

  /// The next element; fails if the stream ends or after the timeout.
  public XmlElement receive(Duration patience) {
    XmlElement waiting = setAside.poll();
    return waiting == null ? receiveFromStream(patience) : waiting;
  }

  /// The next element that matches `wanted`; the elements before it are kept for later.
  public XmlElement receiveFirst(Predicate<XmlElement> wanted) {
    for (var kept = setAside.iterator(); kept.hasNext(); ) {
      XmlElement element = kept.next();
      if (wanted.test(element)) {
        kept.remove();
        return element;
      }
    }
    while (true) {
      XmlElement element = receiveFromStream(PATIENCE);
      if (wanted.test(element)) {
        return element;
      }
      setAside.add(element);
    }
  }

  /// Number of received elements that the test has not read yet.
  public int unread() {
    return setAside.size();
  }

  /// Discards received elements that the test has not read yet.
  public void skipUnread() {
    setAside.clear();
  }

  /// Pings the server and waits for the answer, so that it has processed everything that this
  /// client sent before; other elements are kept for later.
  public void fence(String id) {
    fence(id, jid.substring(jid.indexOf('@') + 1, jid.indexOf('/')));
  }

  /// Pings a bare address and waits for the answer, so that its home has processed everything that
  /// this client sent there before, and the replies have been received. The account need not exist.
  public void fence(String id, String to) {
    String from = jid.contains("@") ? "" : " from='" + jid + "'"; // a component must say it
    send(
        "<iq type='get' id='"
            + id
            + "'"
            + from
            + " to='"
            + to
            + "'><ping xmlns='urn:xmpp:ping'/></iq>");
    receiveFirst(e -> e.localName().equals("iq") && id.equals(e.attribute("id")));
  }

  /// Asks how many of this client's stanzas have been handled (XEP-0198).
  public long handled() {
    send("<r xmlns='urn:xmpp:sm:3'/>");
    XmlElement answer = receiveFirst(e -> e.is("urn:xmpp:sm:3", "a"));
    return Long.parseLong(Objects.requireNonNull(answer.attribute("h")));
  }

  /// Asks until `count` stanzas have been handled; the test has a limit of time.
  public void awaitHandled(long count) {
    long handled = handled();
    while (handled != count) {
      handled = handled();
    }
  }

  /// Waits until the server ends the stream with an error, and returns the condition's name.
  public String awaitStreamError() {
    while (true) {
      StreamEvent event = next(PATIENCE);
      if (event instanceof StreamEvent.Received received
          && received.element().is(STREAMS, "error")) {
        return received.element().condition();
      }
      if (event instanceof StreamEvent.Closed || event instanceof StreamEvent.Gone) {
        throw new AssertionError("a stream error expected, got " + event);
      }
    }
  }

  /// Waits until the connection is gone without a stream error and without the end of the stream.
  public void awaitConnectionLoss() {
    StreamEvent event = next(PATIENCE);
    while (!(event instanceof StreamEvent.Gone)) {
      if (event instanceof StreamEvent.Closed
          || (event instanceof StreamEvent.Received received
              && received.element().is(STREAMS, "error"))) {
        throw new AssertionError("the loss of the connection expected, got " + event);
      }
      event = next(PATIENCE);
    }
  }

  /// Waits until the server has closed the connection; discards everything received before.
  public void awaitEnd() {
    awaitEnd(PATIENCE);
  }

  /// Waits like [#awaitEnd()], with this timeout for each event.
  public void awaitEnd(Duration patience) {
    StreamEvent event = next(patience);
    while (!(event instanceof StreamEvent.Gone)) {
      event = next(patience);
    }
  }

  /// Waits for the next event.
  public StreamEvent next(Duration patience) {
    StreamEvent event;
    try {
      event = inbox.take(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
    ended |= event instanceof StreamEvent.Closed || event instanceof StreamEvent.Gone;
    if (event == null) {
      throw new AssertionError("nothing came within " + patience.toMillis() + " ms");
    }
    return event;
  }

  /// Whether the end of the stream or of the connection has been read.
  public boolean ended() {
    return ended;
  }

  /// The features of the current stream.
  public XmlElement features() {
    return Objects.requireNonNull(features, "no stream is open");
  }

  /// The server's header of the current stream.
  public XmlElement header() {
    return Objects.requireNonNull(header, "no stream is open");
  }

  /// The bound full address; empty before.
  public String jid() {
    return jid;
  }

  /// The connection.
  public Wire wire() {
    return wire;
  }

  /// Closes the stream: closing tag, the server's closing tag, connection.
  public void disconnect() {
    send("</stream:stream>");
    awaitEnd();
    wire.close();
  }

  /// Breaks the connection without closing the stream.
  public void drop() {
    wire.abort();
  }

  /// Closes the connection without waiting.
  @Override
  public void close() {
    wire.close();
  }

  private XmlElement receiveFromStream(Duration patience) {
    StreamEvent event = next(patience);
    if (event instanceof StreamEvent.Received received) {
      return received.element();
    }
    throw new AssertionError("an element expected, got " + event);
  }

  private static String abbreviated(String xml) {
    return xml.length() < 200 ? xml : xml.substring(0, 200) + "…";
  }
}
