package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.edge.EdgeCodec;
import im.zonda.edge.EdgeWire;
import im.zonda.edge.ToCore;
import im.zonda.edge.ToEdge;
import im.zonda.jid.Jid;
import im.zonda.link.LinkFormatException;
import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.net.edge.CoreAddress;
import im.zonda.net.edge.CoreConnector;
import im.zonda.net.tls.MutualTls;
import im.zonda.stanza.Namespaces;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestEdge;
import im.zonda.testkit.server.TestServer;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Claims of edges about sessions, before the nodes of a cluster: only sessions that were theirs,
/// and are gone, are recovered. Homes are at the last node, so claims to other nodes are forwarded.
final class EdgeClaimsTest {
  private static final int FRAME_BYTES = 1 << 20;
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Map<Member, Integer> ports = new HashMap<>();

  @TempDir private Path certificates = Path.of("");
  private TestCluster cluster;
  private Member first;
  private Member second;
  private Member home;

  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
    cluster.accounts(List.of("romeo@example.org", "juliet@example.org"));
    for (Member member : cluster.members()) {
      ports.put(member, cluster.server(member).acceptEdges(0, certificates));
    }
    first = cluster.members().get(0);
    second = cluster.members().get(1);
    home = cluster.members().get(2);
    cluster.install(List.of(home));
  }

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    cluster.close();
  }

  /// What an edge has of a session.
  ///
  /// @param over what has given it the session
  /// @param state the state with its proof
  private record Held(ToEdge.TakeOver over, ToEdge.State state) {
    ToCore.Reattach reattach(long stream, long h) {
      return new ToCore.Reattach(
          stream, ROMEO, over.ticket(), Objects.requireNonNull(over.id()), h, SessionVersion.FIRST);
    }

    ToCore.Recover rebuild(long stream) {
      return rebuild(stream, ROMEO, Objects.requireNonNull(state.state()));
    }

    ToCore.Recover rebuild(long stream, Jid jid, String claimed) {
      return new ToCore.Recover(
          stream,
          jid,
          claimed,
          state.proof(),
          Objects.requireNonNull(over.id()),
          new LostSession.Counts(0, 0),
          Map.of(),
          0);
    }
  }

  /// An edge that says what the test wants.
  private final class Liar implements EdgeWire.Acceptor, EdgeWire.Handler, AutoCloseable {
    private final EdgeCodec form = new EdgeCodec(FRAME_BYTES);
    private final BlockingQueue<ToEdge> received = new ArrayBlockingQueue<>(1_000);
    private final BlockingQueue<EdgeWire> wires = new ArrayBlockingQueue<>(100);
    private final BlockingQueue<Boolean> ends = new ArrayBlockingQueue<>(100);
    private final CoreConnector connector;
    private final EdgeWire wire;

    Liar(String name, Member core) throws Exception {
      MutualTls tls = TestEdge.tls(certificates, name, "localhost");
      int port = Objects.requireNonNull(ports.get(core));
      connector =
          CoreConnector.start(
              new CoreConnector.Settings(
                  new CoreAddress("localhost", port), tls, FRAME_BYTES, Runnable::run),
              this,
              new Bootstrap().group(loops).channel(NioSocketChannel.class));
      wire = Objects.requireNonNull(wires.poll(15, TimeUnit.SECONDS), "not connected");
    }

    @Override
    public EdgeWire.Handler accept(EdgeWire connected, String peer) {
      wires.add(connected);
      return this;
    }

    @Override
    public void received(byte[] frame) {
      try {
        received.add(form.readToEdge(frame));
      } catch (LinkFormatException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void tick() {}

    @Override
    public void drained() {}

    @Override
    public void ended() {
      ends.add(true);
    }

    void send(ToCore value) {
      wire.send(EdgeCodec.write(value));
    }

    <T extends ToEdge> T next(Class<T> type) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
      while (true) {
        ToEdge value = received.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (value == null) {
          throw new AssertionError("no " + type.getSimpleName());
        }
        if (type.isInstance(value)) {
          return type.cast(value);
        }
      }
    }

    /// What a session answers.
    ToStream answer(ToCore request) throws InterruptedException {
      send(request);
      return next(ToEdge.Value.class).value();
    }

    boolean isRejected() throws InterruptedException {
      return ends.poll(15, TimeUnit.SECONDS) != null;
    }

    /// Gets a session for romeo, as an honest edge would.
    Held logIn() throws Exception {
      Map<QName, String> attributes =
          Map.of(new QName("", "to"), "example.org", new QName("", "version"), "1.0");
      send(
          new ToCore.Header(
              1,
              new StreamHeader(
                  new QName(Namespaces.STREAM, "stream"), attributes, Namespaces.CLIENT),
              new ToCore.Facts(InetAddress.getLoopbackAddress(), true, null, null, null)));
      next(ToEdge.Continue.class);
      String password = "\0romeo\0" + TestServer.PASSWORD;
      send(
          new ToCore.FirstLevel(
              1,
              element(
                  "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
                      + Base64.getEncoder()
                          .encodeToString(password.getBytes(StandardCharsets.UTF_8))
                      + "</auth>")));
      next(ToEdge.Restart.class);
      next(ToEdge.Continue.class);
      send(
          new ToCore.Header(
              1,
              new StreamHeader(
                  new QName(Namespaces.STREAM, "stream"), attributes, Namespaces.CLIENT),
              new ToCore.Facts(InetAddress.getLoopbackAddress(), true, null, null, null)));
      next(ToEdge.Continue.class);
      send(
          new ToCore.FirstLevel(
              1,
              element(
                  "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
                      + "<resource>orchard</resource></bind></iq>")));
      ToEdge.TakeOver over = next(ToEdge.TakeOver.class);
      send(new ToCore.Value(1, new ToSession.Enable(true)));
      String id = null;
      ToEdge.State state = null;
      while (id == null || state == null) {
        switch (next(ToEdge.class)) {
          case ToEdge.Value(var _, ToStream.Enabled enabled) -> id = enabled.id();
          case ToEdge.State proved -> state = proved;
          default -> {}
        }
      }
      return new Held(
          new ToEdge.TakeOver(1, over.domain(), over.ticket(), id, over.answer()), state);
    }

    @Override
    public void close() {
      connector.close();
      wire.close("the test ends");
    }
  }

  private static Element element(String xml) throws XmlException {
    return XmlParser.frame(xml, Namespaces.CLIENT).toElement();
  }

  private Liar edge(Member core) throws Exception {
    return new Liar("edge.test", core);
  }

  @Test
  void aSessionThatHasEndedIsMadeAgainByNoNode() throws Exception {
    try (Liar edge = edge(first);
        Liar elsewhere = edge(second);
        Liar atHome = edge(home)) {
      Held held = edge.logIn();
      edge.send(new ToCore.Value(1, new ToSession.Ended()));
      edge.send(new ToCore.Gone(1));
      for (Liar each : List.of(edge, elsewhere, atHome)) {
        assertThat(each.answer(held.reattach(2, 0))).isInstanceOf(ToStream.SessionNotFound.class);
        each.send(new ToCore.Gone(2));
        assertThat(each.answer(held.rebuild(3))).isInstanceOf(ToStream.SessionNotFound.class);
      }
    }
  }

  /// The edge may have sent values of a stream before it receives the rejection of its session.
  @Test
  void valuesOfARejectedSessionDoNotCloseTheConnection() throws Exception {
    try (Liar edge = edge(first)) {
      Held held = edge.logIn();
      edge.send(held.rebuild(2, JULIET, Objects.requireNonNull(held.state().state())));
      edge.send(new ToCore.Value(2, new ToSession.Acknowledged(0)));
      edge.send(new ToCore.Value(2, new ToSession.Lost()));
      edge.send(new ToCore.Gone(2));
      assertThat(edge.next(ToEdge.Value.class))
          .isEqualTo(new ToEdge.Value(2, new ToStream.SessionNotFound(null)));
      edge.send(new ToCore.Value(1, new ToSession.Enable(true)));
      assertThat(edge.next(ToEdge.Value.class).stream()).isEqualTo(1);
    }
  }

  /// The node of the session dies. Nothing but what the edge was given counts, at any node.
  @Test
  void onlyTheSessionThatTheEdgeHadIsMadeAgain() throws Exception {
    Held held;
    try (Liar edge = edge(home)) {
      held = edge.logIn();
    }
    cluster.kill(home, first);
    try (Liar honest = edge(second);
        Liar other = new Liar(TestEdge.OTHER_EDGE, second)) {
      // So that the node knows who is a member.
      assertThat(honest.answer(held.reattach(2, 0))).isInstanceOf(ToStream.SessionNotFound.class);
      honest.send(new ToCore.Gone(2));
      String state = Objects.requireNonNull(held.state().state());
      List<ToCore> lies =
          List.of(
              held.rebuild(3, JULIET, state),
              held.rebuild(4, ROMEO.bare(), state),
              held.rebuild(5, ROMEO, state.replace("romeo", "juliet")),
              held.rebuild(6, ROMEO, state + " "));
      for (ToCore lie : lies) {
        assertThat(honest.answer(lie)).as("%s", lie).isInstanceOf(ToStream.SessionNotFound.class);
      }
      assertThat(other.answer(held.rebuild(7))).isInstanceOf(ToStream.SessionNotFound.class);
      // The home is on the other node.
      assertThat(honest.answer(held.rebuild(8))).isEqualTo(new ToStream.Resumed(ROMEO, 0, 0));
    }
  }

  @Test
  void aTicketIsOfNoUseToAnotherEdge() throws Exception {
    try (Liar edge = edge(first);
        Liar other = new Liar(TestEdge.OTHER_EDGE, second)) {
      Held held = edge.logIn();
      other.send(held.reattach(2, 0));
      assertThat(other.isRejected()).isTrue();
    }
  }

  @Test
  void aCountThatIsTooHighIsRejected() throws Exception {
    try (Liar edge = edge(first);
        Liar elsewhere = edge(second)) {
      Held held = edge.logIn();
      assertThat(elsewhere.answer(held.reattach(2, 1_000)))
          .isInstanceOf(ToStream.CountTooHigh.class);
      // The session is where it was.
      edge.send(new ToCore.Value(1, new ToSession.Acknowledged(1_000)));
      assertThat(edge.isRejected()).isTrue();
    }
  }

  /// A node believes another node, not an edge.
  @Test
  void aSessionIsNotMadeAgainWithoutAProof() throws Exception {
    try (Liar edge = edge(first)) {
      Held held = edge.logIn();
      LostSession lost =
          new LostSession(
              ROMEO,
              Objects.requireNonNull(held.state().state()),
              Objects.requireNonNull(held.over().id()),
              new LostSession.Counts(0, 0),
              Map.of(),
              List.of());
      edge.send(new ToCore.Value(1, new ToSession.Recover(lost)));
      assertThat(edge.isRejected()).isTrue();
    }
  }
}
