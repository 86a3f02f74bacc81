package im.zonda.edge.core;

import im.zonda.edge.ToCore;
import im.zonda.edge.ToEdge;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.link.ToStream;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.InputLimits;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamInput;
import im.zonda.stream.StreamOpening;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.TlsStart;
import im.zonda.stream.client.StreamContext;
import im.zonda.stream.client.StreamMove;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlParser;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// A client's stream at the core while it negotiates: the transport of a [Stream] whose connection
/// an edge has. Headers and elements come one at a time, each after [ToEdge.Continue] for the one
/// before. Confined to the connection's thread, where the methods of [StreamTransport] do not say
/// otherwise.
final class RemoteStream implements StreamTransport, StreamInput, StreamMove {
  private final EdgeConnection edge;
  private final long number;
  private final Stream stream;
  private ToCore.Facts facts;
  private @Nullable RemoteSession session;

  /// Whether [ToEdge.Continue] is due for a header or element.
  private boolean owing;

  private boolean suspended;
  private boolean over;

  RemoteStream(EdgeConnection edge, long number, StreamContext context, ToCore.Facts facts) {
    this.edge = edge;
    this.number = number;
    this.facts = facts;
    this.stream = new Stream(context.profile(this), this, this);
  }

  Stream stream() {
    return stream;
  }

  // ---- from the edge

  void header(ToCore.Header header) {
    facts = header.facts();
    begin();
    stream.onStreamOpen(header.header());
    handled();
  }

  void element(Element element) {
    begin();
    ByteArraySink sink = new ByteArraySink(256);
    XmlWriter.write(element, Namespaces.CLIENT, sink);
    try {
      stream.onFrame(
          XmlParser.frame(
              new String(sink.toByteArray(), StandardCharsets.UTF_8), Namespaces.CLIENT));
    } catch (XmlException e) {
      throw new IllegalStateException("an element that cannot be read again", e);
    }
    handled();
  }

  /// Whether the edge has to wait for [ToEdge.Continue].
  boolean isBusy() {
    return owing;
  }

  private void begin() {
    owing = true;
    stream.noteInput();
  }

  private void handled() {
    if (owing && !suspended && !over) {
      owing = false;
      edge.send(new ToEdge.Continue(number));
    }
  }

  /// The edge has lost the stream.
  void gone() {
    over = true;
    stream.disconnected();
  }

  // ---- the input

  @Override
  public void suspend() {
    suspended = true;
  }

  @Override
  public void resume() {
    suspended = false;
    handled();
  }

  @Override
  public void restart() {
    edge.send(new ToEdge.Restart(number));
  }

  @Override
  public void setLimits(InputLimits limits) {
    edge.send(new ToEdge.Authenticated(number, limits.xml()));
  }

  @Override
  public void prepareTls(Runnable startTls) {
    startTls.run(); // the edge looks at what follows
  }

  // ---- the move

  @Override
  public SessionGate gate(SessionGate direct) {
    return local -> {
      RemoteSession opened = new RemoteSession(edge, number, this::execute);
      session = opened;
      return opened.open(direct, local);
    };
  }

  @Override
  public void bound(Jid domain) {
    RemoteSession bound = session;
    if (bound != null) {
      edge.moved(number, bound, domain);
    }
  }

  // ---- the transport

  @Override
  public void open(StreamOpening opening) {
    edge.send(new ToEdge.Header(number, opening));
  }

  @Override
  public void write(Element element) {
    edge.send(new ToEdge.Write(number, element));
  }

  @Override
  public void write(Stanza stanza) {
    edge.send(new ToEdge.WriteStanza(number, stanza));
  }

  @Override
  public void closeStream() {
    // With #close.
  }

  @Override
  public void deliver(ToStream.Deliver deliver) {
    throw new IllegalStateException("the session's stanzas go to the edge");
  }

  @Override
  public void enqueue(Runnable task) {
    execute(task);
  }

  @Override
  public void execute(Runnable task) {
    edge.execute(() -> {
      if (!over) {
        task.run();
      }
    });
  }

  @Override
  public void startTls(TlsStart start) {
    edge.send(new ToEdge.StartTls(number));
  }

  @Override
  public void close() {
    if (!over) {
      over = true;
      edge.send(new ToEdge.Finish(number));
      edge.forget(number, this);
      stream.outputEnded();
    }
  }

  @Override
  public void reading(boolean on) {
    // The edge waits for ToEdge.Continue.
  }

  @Override
  public void received() {
    // Counted by the edge.
  }

  @Override
  public long now() {
    return edge.now();
  }

  @Override
  public boolean secure() {
    return facts.secure();
  }

  /// The client may be on the edge's machine, never on this one.
  @Override
  public boolean loopback() {
    return false;
  }

  @Override
  public InetAddress remoteAddress() {
    return facts.address();
  }

  @Override
  public @Nullable String tlsVersion() {
    return facts.secure() ? facts.tlsVersion() : null;
  }

  @Override
  public byte @Nullable [] channelBinding(ChannelBinding kind) {
    String data =
        switch (kind) {
          case TLS_EXPORTER -> facts.exporter();
          case TLS_SERVER_END_POINT -> facts.endPoint();
        };
    return data == null || !facts.secure() ? null : HexFormat.of().parseHex(data);
  }
}
