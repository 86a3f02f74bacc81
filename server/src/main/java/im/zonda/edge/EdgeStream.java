package im.zonda.edge;

import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
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

/// The edge's part of the negotiation of a client's stream: passes headers and elements to a core,
/// one at a time, and carries out the core's instructions. Input is suspended until the core has
/// handled the last one. Confined to the stream's thread, where a method does not say otherwise.
final class EdgeStream implements ClientNegotiation {
  private final Edge edge;
  private final ForwardedClient client;
  private final long number;

  /// The core to which the stream was opened; null before that.
  private @Nullable CoreConnection core;

  /// The first header, until a core has answered it. It waits for a connection to a core, and for
  /// another one if that ends before.
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
    StreamTransport transport = client.stream().transport();
    if (!transport.secure() && !transport.canStartTls()) {
      // A WebSocket or BOSH without TLS: the core would let no one log in.
      client.stream()
          .fail(StreamErrorCondition.POLICY_VIOLATION, "the connection must be encrypted");
      return null;
    }
    client.stream().suspendInput();
    ToCore.Header value = new ToCore.Header(number, header, facts());
    CoreConnection opened = core;
    if (opened != null && waiting == null) {
      opened.send(value);
    } else {
      waiting = value;
      edge.add(number, this);
      choose();
    }
    return null;
  }

  private ToCore.Facts facts() {
    StreamTransport transport = client.stream().transport();
    return new ToCore.Facts(
        transport.remoteAddress(),
        transport.secure(),
        binding(transport, ChannelBinding.TLS_EXPORTER),
        binding(transport, ChannelBinding.TLS_SERVER_END_POINT),
        transport.tlsVersion());
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
    CoreConnection opened = core;
    if (opened != null) {
      client.stream().suspendInput();
      if (!opened.send(new ToCore.FirstLevel(number, frame.toElement()))) {
        client.stream().fail(StreamErrorCondition.POLICY_VIOLATION, "the element is too large");
      }
    }
  }

  @Override
  public void ended() {
    EdgeSession live = session;
    if (live != null) {
      // The client has left before its stream had the session, which may be on the way to another
      // core.
      live.receive(new ToSession.Lost());
      live.outputEnded();
      return;
    }
    edge.remove(number);
    CoreConnection opened = core;
    if (opened != null) {
      opened.send(new ToCore.Gone(number));
      opened.left();
    }
  }

  // ---- from cores

  /// Opens the stream at a core, if it waits for one.
  private void choose() {
    ToCore.Header header = waiting;
    CoreConnection chosen = core == null ? edge.choose(null) : null;
    if (header != null && chosen != null) {
      core = chosen;
      chosen.entered();
      chosen.send(header);
    }
  }

  /// The set of available cores has changed. Any thread may call.
  void coresChanged() {
    EdgeSession live = session;
    if (live != null) {
      live.update();
    } else {
      client.stream().transport().execute(this::choose);
    }
  }

  /// The connection to that core was lost. Any thread may call.
  void lost(CoreConnection old) {
    EdgeSession live = session;
    if (live != null) {
      live.lost(old);
    } else {
      client.stream()
          .transport()
          .execute(() -> {
            if (!old.equals(core)) {
              return;
            }
            if (waiting != null) {
              core = null;
              choose(); // the client has got no answer: another core gives one
            } else {
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

  /// Handles a value for this stream. On the thread of the connection to that core.
  void receive(ToEdge value, CoreConnection from) {
    switch (value) {
      case ToEdge.Value _, ToEdge.WindowUpdate _, ToEdge.State _ -> {
        EdgeSession live = session;
        if (live != null) {
          live.receive(value, from);
        } else if (value instanceof ToEdge.Value(var _, ToStream.Close close)) {
          end(close, from);
        }
      }
      case ToEdge.TakeOver takeOver -> {
        EdgeSession live = new EdgeSession(edge, number, takeOver, from);
        session = live;
        live.begin(end -> takeOver(takeOver, end));
      }
      default -> {
        negotiate(value, from);
        EdgeSession live = session;
        if (live != null && value instanceof ToEdge.Continue) {
          live.negotiated();
        }
      }
    }
  }

  /// Carries out an instruction on the stream's thread.
  private void negotiate(ToEdge value, CoreConnection from) {
    client.stream()
        .transport()
        .enqueue(() -> {
          if (from.equals(core)) {
            waiting = null;
            handle(value);
          }
        });
  }

  /// Ends the negotiation.
  private void end(ToStream.Close close, CoreConnection from) {
    client.stream()
        .transport()
        .enqueue(() -> {
          if (from.equals(core)) {
            client.stream().fail(close.condition(), close.text());
          }
        });
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
          ToEdge.Banned _,
          ToEdge.Stopping _,
          ToEdge.Leaving _ ->
          throw new IllegalStateException("not for negotiation: " + value);
    }
  }
}
