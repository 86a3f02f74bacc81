package im.zonda.edge;

import im.zonda.link.StreamEnd;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.HeaderReply;
import im.zonda.stream.InputLimits;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.TlsStart;
import im.zonda.stream.client.ClientNegotiation;
import im.zonda.stream.client.ForwardedClient;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The negotiation of a client's stream, as the edge sees it: passes headers and elements to the
/// core, one at a time, and does what the core says. Input is suspended until the core has handled
/// what it was sent. Confined to the stream's thread, where a method does not say otherwise.
final class EdgeStream implements ClientNegotiation {
  private final Edge edge;
  private final ForwardedClient client;
  private final long number;

  /// The connection to the core to which the stream was opened; null before that.
  private @Nullable EdgeWire core;

  /// The first header, until the core has answered it. It waits for a connection to the core, and
  /// for the next one if that ends before.
  private ToCore.@Nullable Header waiting;

  private volatile @Nullable EdgeSession session;

  EdgeStream(Edge edge, ForwardedClient client, long number) {
    this.edge = edge;
    this.client = client;
    this.number = number;
  }

  /// The link to the session; null before the stream has one. Any thread may call.
  @Nullable EdgeSession session() {
    return session;
  }

  // ---- from the client

  @Override
  public @Nullable HeaderReply answer(StreamHeader header) {
    client.stream().suspendInput();
    ToCore.Header value = new ToCore.Header(number, header, facts());
    EdgeWire opened = core;
    if (opened != null && waiting == null) {
      opened.send(EdgeForm.write(value));
    } else {
      waiting = value;
      edge.add(number, this);
      connected();
    }
    return null;
  }

  private ToCore.Facts facts() {
    StreamTransport transport = client.stream().transport();
    return new ToCore.Facts(
        transport.remoteAddress(),
        transport.secure(),
        binding(transport, ChannelBinding.TLS_EXPORTER),
        binding(transport, ChannelBinding.TLS_SERVER_END_POINT));
  }

  private static @Nullable String binding(StreamTransport transport, ChannelBinding kind) {
    byte[] data = transport.channelBinding(kind);
    return data == null ? null : HexFormat.of().formatHex(data);
  }

  @Override
  public void opened() {
    // The core answers headers.
  }

  @Override
  public void receive(Frame frame) {
    EdgeWire opened = core;
    if (opened != null) {
      client.stream().suspendInput();
      opened.send(EdgeForm.write(new ToCore.FirstLevel(number, frame.toElement())));
    }
  }

  @Override
  public void ended() {
    edge.remove(number);
    EdgeWire opened = core;
    if (opened != null) {
      opened.send(EdgeForm.write(new ToCore.Gone(number)));
    }
  }

  // ---- from the core

  /// There is a connection to the core.
  private void connected() {
    ToCore.Header header = waiting;
    EdgeWire wire = edge.wire();
    if (header != null && wire != null && !wire.equals(core)) {
      core = wire;
      wire.send(EdgeForm.write(header));
    }
  }

  /// There is a connection to the core again. Any thread may call.
  void reconnected(EdgeWire wire) {
    EdgeSession live = session;
    if (live != null) {
      live.attach(wire);
    } else {
      client.stream().transport().execute(this::connected);
    }
  }

  /// The connection to the core is gone. Any thread may call.
  void disconnected(EdgeWire wire) {
    EdgeSession live = session;
    if (live != null) {
      live.detach(wire);
    } else {
      client.stream()
          .transport()
          .execute(() -> {
            if (waiting != null) {
              connected(); // the client has had no answer: the next core gives one
            } else if (wire.equals(core)) {
              client.stream().fail(StreamErrorCondition.SYSTEM_SHUTDOWN, "the server restarts");
            }
          });
    }
  }

  /// About once a second. Any thread may call.
  void tick() {
    EdgeSession live = session;
    if (live != null) {
      live.tick();
    }
  }

  /// Handles a value for this stream. On the thread of the connection to the core.
  void receive(ToEdge value, EdgeWire wire) {
    switch (value) {
      case ToEdge.Value _, ToEdge.WindowUpdate _, ToEdge.State _ -> {
        EdgeSession live = session;
        if (live != null) {
          live.receive(value, wire);
        }
      }
      case ToEdge.TakeOver takeOver -> {
        EdgeSession live = new EdgeSession(edge, number, takeOver, wire);
        session = live;
        live.begin(end -> takeOver(takeOver, end));
      }
      default ->
          client.stream()
              .transport()
              .enqueue(() -> {
                if (wire.equals(core)) {
                  waiting = null;
                  handle(value);
                }
              });
    }
  }

  private StreamEnd takeOver(ToEdge.TakeOver value, EdgeSession live) {
    return client.takeOver(value.domain(), live, value.answer());
  }

  private void handle(ToEdge value) {
    Stream stream = client.stream();
    if (stream.closed()) {
      return;
    }
    switch (value) {
      case ToEdge.Header(var _, var opening) -> stream.open(opening);
      case ToEdge.Write(var _, var element) -> stream.write(element);
      case ToEdge.WriteStanza(var _, var stanza) -> stream.transport().write(stanza);
      case ToEdge.StartTls _ -> stream.startTls(TlsStart.SERVER, null);
      case ToEdge.Restart _ -> stream.restart();
      case ToEdge.Authenticated(var _, var limits) ->
          stream.authenticated(InputLimits.ofElements(limits));
      case ToEdge.Continue _ -> stream.resumeInput();
      case ToEdge.Finish _ -> stream.finish();
      case ToEdge.TakeOver _,
          ToEdge.Value _,
          ToEdge.WindowUpdate _,
          ToEdge.State _,
          ToEdge.Alive _,
          ToEdge.Stopping _ ->
          throw new IllegalStateException("not for negotiation: " + value);
    }
  }
}
