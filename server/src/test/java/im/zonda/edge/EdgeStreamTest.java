package im.zonda.edge;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.runtime.TestRuntime;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.ByteStream;
import im.zonda.stream.MemoryTransport;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A client logs in by an edge while the core that negotiates its stream leaves or is lost.
class EdgeStreamTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final String MANAGEMENT = "urn:xmpp:sm:3";

  private final Edge edge =
      new Edge(
          new Edge.Settings(
              Limits.defaults(), Duration.ofMinutes(1), new TestRuntime().build(), () -> 0));
  private final TestWire first = new TestWire();
  private final TestWire second = new TestWire();
  private final CoreConnection core = edge.accept(first, "first");
  private final MemoryTransport transport = new MemoryTransport();
  private ByteStream stream;
  private long number;

  @BeforeEach
  void open() {
    transport.secure = true;
    stream = new ByteStream(edge.profile(), transport);
    bring(
        "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
            + " to='example.org' version='1.0'>");
    number = ((ToCore.Header) first.sent.getLast()).stream();
    receive(new ToEdge.Continue(number));
    run();
    bring("<resume xmlns='" + MANAGEMENT + "' previd='id' h='0'/>");
    assertThat(first.sent.getLast()).isInstanceOf(ToCore.FirstLevel.class);
    CoreConnection _ = edge.accept(second, "second");
  }

  private void bring(String xml) {
    byte[] bytes = xml.getBytes(StandardCharsets.US_ASCII);
    stream.input(bytes, 0, bytes.length);
  }

  private void receive(ToEdge value) {
    core.received(EdgeCodec.write(value));
  }

  private void run() {
    while (!transport.tasks.isEmpty()) {
      Objects.requireNonNull(transport.tasks.poll()).run();
    }
  }

  private void takeOver() {
    receive(
        new ToEdge.TakeOver(
            number, ROMEO.domainJid(), "ticket", "id", new ToStream.Resumed(ROMEO, 0, 0)));
  }

  private static Element resumed() {
    return Element.builder(MANAGEMENT, "resumed").build();
  }

  @Test
  void itGetsTheAnswerOfACoreThatLeavesAndIsReadFromAfterwards() {
    receive(new ToEdge.Leaving(true));
    takeOver();
    assertThat(second.sent).isEmpty();
    receive(new ToEdge.Write(number, resumed()));
    receive(new ToEdge.Continue(number));
    run();
    assertThat(transport.output()).contains("<resumed ");
    assertThat(second.sent).hasSize(1);
    ToCore.Reattach reattach = (ToCore.Reattach) second.sent.getFirst();
    bring("<message to='juliet@example.org'/>");
    edge.pass(
        reattach.stream(),
        new ToEdge.Value(reattach.stream(), new ToStream.Resumed(ROMEO, 0, 0)),
        Objects.requireNonNull(edge.findOther(core)));
    assertThat(second.sent.getLast())
        .isInstanceOfSatisfying(
            ToCore.Value.class,
            value -> assertThat(value.value()).isInstanceOf(ToSession.Received.class));
    assertThat(first.sent.getLast()).isEqualTo(new ToCore.Gone(number));
  }

  @Test
  void aCoreThatLeavesRightAfterTheAnswerIsLeft() {
    takeOver();
    receive(new ToEdge.Write(number, resumed()));
    receive(new ToEdge.Leaving(true));
    assertThat(second.sent).isEmpty();
    receive(new ToEdge.Continue(number));
    assertThat(second.sent).hasSize(1);
  }

  /// Whether its client has been answered is not known: it connects again.
  @Test
  void itEndsWithACoreThatIsLostBeforeTheAnswer() {
    takeOver();
    core.ended();
    run();
    assertThat(transport.output()).contains("system-shutdown");
    assertThat(transport.closed).isTrue();
    assertThat(second.sent).isEmpty();
    stream.stream().disconnected();
    assertThat(edge.size()).isZero();
  }

  @Test
  void itEndsWithACoreThatEndsItBeforeTheAnswer() {
    takeOver();
    receive(
        new ToEdge.Value(number, new ToStream.Close(StreamErrorCondition.SYSTEM_SHUTDOWN, null)));
    run();
    assertThat(transport.output()).contains("system-shutdown");
    assertThat(second.sent).isEmpty();
  }

  /// The session has moved to another core before the stream's thread has it.
  @Test
  void aClientThatLeavesMeanwhileLeavesNoSessionBehind() {
    receive(new ToEdge.Leaving(true));
    takeOver();
    receive(new ToEdge.Continue(number));
    assertThat(second.sent).hasSize(1);
    stream.stream().disconnected();
    run();
    long there = ((ToCore.Reattach) second.sent.getFirst()).stream();
    assertThat(second.sent.getLast()).isEqualTo(new ToCore.Gone(there));
    assertThat(first.sent.getLast()).isEqualTo(new ToCore.Gone(number));
    assertThat(edge.size()).isZero();
    assertThat(core.streams()).isZero();
  }
}
