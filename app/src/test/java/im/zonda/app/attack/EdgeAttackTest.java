package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.edge.EdgeCodec;
import im.zonda.edge.EdgeWire;
import im.zonda.edge.ToCore;
import im.zonda.edge.ToEdge;
import im.zonda.jid.Jid;
import im.zonda.link.LinkCodec;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.net.edge.CoreAddress;
import im.zonda.net.edge.CoreConnector;
import im.zonda.net.tls.MutualTls;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestEdge;
import im.zonda.testkit.server.TestServer;
import im.zonda.xml.Element;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Edges that lie, and strangers at the listener for edges.
final class EdgeAttackTest {
  private static final int FRAME_BYTES = 1 << 20;

  /// Kinds of values.
  private static final int FINISH = 10;

  private static final int VALUE = 12;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @TempDir private Path data = Path.of("");
  private TestServer server;
  private int port;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withData(data).startOnSockets();
    port = server.acceptEdges(0);
  }

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    server.close();
  }

  /// The events of an edge's connections: `connected`, `ended`.
  private static final class Events implements EdgeWire.Acceptor {
    private final byte[][] frames;
    private final BlockingQueue<String> events = new ArrayBlockingQueue<>(100);
    private volatile @Nullable EdgeWire used;

    Events(byte[]... frames) {
      this.frames = frames;
    }

    @Override
    public EdgeWire.Handler accept(EdgeWire wire, String peer) {
      used = wire;
      events.add("connected");
      for (byte[] frame : frames) {
        wire.send(frame);
      }
      return new EdgeWire.Handler() {
        @Override
        public void received(byte[] frame) {
          if (frame[1] == FINISH || frame[1] == VALUE) {
            events.add(HexFormat.of().formatHex(frame));
          }
        }

        @Override
        public void tick() {
          wire.send(EdgeCodec.write(new ToCore.Alive()));
        }

        @Override
        public void drained() {}

        @Override
        public void ended() {
          if (events.remainingCapacity() > 1) {
            events.add("ended");
          }
        }
      };
    }

    void send(byte[] frame) {
      Objects.requireNonNull(used).send(frame);
    }

    String next() throws InterruptedException {
      return String.valueOf(events.poll(15, TimeUnit.SECONDS));
    }
  }

  private CoreConnector connect(MutualTls tls, Events events) {
    return CoreConnector.start(
        new CoreConnector.Settings(
            new CoreAddress("localhost", port), tls, FRAME_BYTES, Runnable::run),
        events,
        new Bootstrap().group(loops).channel(NioSocketChannel.class));
  }

  private MutualTls trusted() throws IOException {
    return TestEdge.tls(data, "edge.test", "localhost");
  }

  /// The connection of the edge ends after these frames, and clients of another edge go on.
  private void isRejected(byte[]... frames) throws Exception {
    Events events = new Events(frames);
    try (TestEdge honest = server.newEdge(port)) {
      server.accounts(List.of("romeo@example.org"));
      try (ScriptedClient romeo = honest.connect("romeo@example.org/orchard");
          CoreConnector _ = connect(trusted(), events)) {
        assertThat(events.next()).isEqualTo("connected");
        assertThat(events.next()).isEqualTo("ended");
        romeo.fence("still here");
      }
    }
  }

  @Test
  void aStrangerWithACertificateOfAnotherAuthorityIsRejected() throws Exception {
    MutualTls stranger = TestEdge.tls(data, "stranger.test", "localhost");
    Events events = new Events();
    try (CoreConnector _ = connect(stranger, events);
        TestEdge honest = server.newEdge(port)) {
      // In TLS 1.3 the client's side of the handshake ends before the server has looked.
      assertThat(events.next()).isEqualTo("connected");
      assertThat(events.next()).isEqualTo("ended");
      server.accounts(List.of("romeo@example.org"));
      honest.connect("romeo@example.org/orchard").close();
    }
  }

  @Test
  void garbageEndsTheConnectionOfItsEdgeOnly() throws Exception {
    isRejected(new byte[] {99, 1, 5}); // of no version that there is
  }

  @Test
  void aFrameThatIsTooLongEndsTheConnectionOfItsEdgeOnly() throws Exception {
    isRejected(new byte[80 * FRAME_BYTES]);
  }

  /// Each of these is answered with the end of its stream, on the same connection.
  @Test
  void whatCannotBeReadEndsItsStreamOnly() throws Exception {
    Events events = new Events();
    server.accounts(List.of("romeo@example.org"));
    try (CoreConnector _ = connect(trusted(), events)) {
      assertThat(events.next()).isEqualTo("connected");
      byte[][] values = {
        EdgeCodec.write(new ToCore.FirstLevel(3, Element.of("urn:example", "auth"))),
        EdgeCodec.write(
            new ToCore.Reattach(
                4, Jid.of("romeo@example.org/o"), "0123", "session", 0, SessionVersion.FIRST)),
        EdgeCodec.write(new ToCore.Value(5, new ToSession.Lost())),
      };
      for (byte[] value : values) {
        byte[] damaged = Arrays.copyOf(value, value.length + 1);
        events.send(damaged);
        assertThat(events.next())
            .isEqualTo(
                HexFormat.of()
                    .formatHex(EdgeCodec.write(new ToEdge.Value(value[2], LinkCodec.FAILURE))));
      }
    }
  }

  @Test
  void anEdgeCannotSpeakForAStreamThatItHasNotOpened() throws Exception {
    isRejected(EdgeCodec.write(new ToCore.Value(77, new ToSession.Lost())));
  }

  @Test
  void anEdgeCannotBindASessionByItself() throws Exception {
    isRejected(
        EdgeCodec.write(
            new ToCore.Value(1, new ToSession.Bind(Jid.of("romeo@example.org"), "orchard", null))));
  }

  @Test
  void anEdgeCannotTakeASessionWithoutATicket() throws Exception {
    isRejected(
        EdgeCodec.write(
            new ToCore.Reattach(
                1,
                Jid.of("romeo@example.org/orchard"),
                "0".repeat(64),
                "any session",
                0,
                SessionVersion.FIRST)));
  }
}
