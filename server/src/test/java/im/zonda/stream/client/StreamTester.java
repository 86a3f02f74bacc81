package im.zonda.stream.client;

import im.zonda.config.limits.Limits;
import im.zonda.stream.ByteStream;
import im.zonda.stream.MemoryTransport;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.bound.OpenStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;

/// A client's view of one stream in memory: sends text, reads what the server wrote.
public final class StreamTester {
  static final String HEADER = header("to='example.org' version='1.0'");
  static final String STARTTLS = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>";

  final StreamFixture fixture;

  /// What the server writes to.
  public final MemoryTransport transport = new MemoryTransport();

  /// What the stream does elsewhere, until it is run.
  final Queue<Runnable> elsewhere = new ArrayDeque<>();

  final ByteStream bytes;

  /// The stream.
  public final Stream stream;

  /// The role of the stream.
  final ClientStream client;

  StreamTester() {
    this(Limits.defaults(), false);
  }

  StreamTester(Limits limits, boolean plaintext) {
    this(limits, plaintext, new StreamFixture());
  }

  private StreamTester(Limits limits, boolean plaintext, StreamFixture fixture) {
    this.fixture = fixture;
    StreamContext context = fixture.context(limits, plaintext, elsewhere::add);
    List<ClientStream> roles = new ArrayList<>();
    StreamProfile usual = context.profile();
    bytes =
        new ByteStream(
            new StreamProfile(
                usual.headers(),
                usual.limits(),
                usual.times(),
                usual.ids(),
                usual.workers(),
                usual.directTls(),
                opened -> {
                  roles.add(context.newStream(opened, null));
                  return roles.getFirst();
                }),
            transport);
    stream = bytes.stream();
    client = roles.getFirst();
    transport.stream = stream;
  }

  /// A stream that speaks TLS from the start.
  public static StreamTester secure() {
    StreamTester tester = new StreamTester();
    tester.transport.secure = true;
    return tester;
  }

  /// The same to a server that there is.
  static StreamTester secure(StreamFixture fixture) {
    StreamTester tester = new StreamTester(Limits.defaults(), false, fixture);
    tester.transport.secure = true;
    return tester;
  }

  /// The same with limits of its own.
  static StreamTester secure(Limits limits) {
    StreamTester tester = new StreamTester(limits, false);
    tester.transport.secure = true;
    return tester;
  }

  static String header(String attributes) {
    return "<?xml version='1.0'?><stream:stream xmlns='jabber:client'"
        + " xmlns:stream='http://etherx.jabber.org/streams' "
        + attributes
        + ">";
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static String auth(String mechanism, String data) {
    return "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='"
        + mechanism
        + "'>"
        + data
        + "</auth>";
  }

  static String response(String data) {
    return "<response xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>" + data + "</response>";
  }

  static String plain(String authzid, String name, String password) {
    return auth("PLAIN", base64(authzid + "\0" + name + "\0" + password));
  }

  static String bind(String content) {
    return "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
        + content
        + "</bind></iq>";
  }

  /// Sends bytes, lets everything happen, returns what the server wrote.
  String send(String text) {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  String send(byte[] bytes) {
    this.bytes.input(bytes, 0, bytes.length);
    return settle();
  }

  /// Sends bytes one at a time.
  String trickle(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      this.bytes.input(bytes, i, 1);
      run();
    }
    return transport.output();
  }

  /// Lets everything happen, returns what the server wrote.
  String settle() {
    run();
    return transport.output();
  }

  private void run() {
    while (!elsewhere.isEmpty() || !transport.tasks.isEmpty()) {
      Runnable task = elsewhere.isEmpty() ? transport.tasks.remove() : elsewhere.remove();
      task.run();
    }
  }

  /// Opens the stream and authenticates; the second header is still to be sent.
  StreamTester authenticate() {
    send(HEADER);
    String answer = send(plain("", "romeo", "secret"));
    if (!answer.contains("<success")) {
      throw new IllegalStateException(answer);
    }
    return this;
  }

  /// Opens the stream, authenticates and binds `romeo@example.org/r`.
  public StreamTester login() {
    authenticate();
    send(HEADER);
    send(bind("<resource>r</resource>"));
    if (!stream.isEstablished()) {
      throw new IllegalStateException("not bound");
    }
    return this;
  }

  /// The stream, as its bound parts see it.
  public OpenStream client() {
    return client;
  }

  /// Lets time pass.
  String after(long millis) {
    transport.now += millis;
    stream.tick();
    return settle();
  }
}
