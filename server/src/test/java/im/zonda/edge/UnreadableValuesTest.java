package im.zonda.edge;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.runtime.TestRuntime;
import im.zonda.stanza.Message;
import im.zonda.stream.ByteStream;
import im.zonda.stream.MemoryTransport;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Values of a core that an edge cannot read cost the stream that they are for, at most, and not
/// the connection that all streams share.
class UnreadableValuesTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final byte[] HEADER =
      ("<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
              + " to='example.org' version='1.0'>")
          .getBytes(StandardCharsets.US_ASCII);

  private final Edge edge =
      new Edge(
          new Edge.Settings(
              Limits.defaults(), Duration.ofMinutes(1), new TestRuntime().build(), () -> 0));
  private final TestWire wire = new TestWire();
  private final CoreConnection core = edge.accept(wire, "core");

  /// A client of the edge.
  private final class Client {
    final MemoryTransport transport = new MemoryTransport();
    final ByteStream stream;
    final long number;

    Client() {
      transport.secure = true;
      stream = new ByteStream(edge.profile(), transport);
      stream.input(HEADER, 0, HEADER.length);
      number = ((ToCore.Header) wire.sent.getLast()).stream();
    }

    Client bound() {
      ToStream enabled = new ToStream.Bound(ROMEO, List.of(), new ToStream.Enabled("id", TIME));
      receive(
          EdgeCodec.write(new ToEdge.TakeOver(number, ROMEO.domainJid(), "ticket", "id", enabled)));
      transport.output();
      return this;
    }

    void receive(byte[] frame) {
      core.received(frame);
      while (!transport.tasks.isEmpty()) {
        Objects.requireNonNull(transport.tasks.poll()).run();
      }
    }

    void receive(long count, String body) {
      receive(deliver(count, body));
    }

    byte[] deliver(long count, String body) {
      Message message =
          Message.of(
              Message.Type.CHAT,
              Jid.of("juliet@example.org/balcony"),
              ROMEO,
              "1",
              List.of(Element.builder("jabber:client", "body").text(body).build()));
      return EdgeCodec.write(new ToEdge.Value(number, new ToStream.Deliver(message, count, false)));
    }
  }

  private static final Duration TIME = Duration.ofMinutes(5);

  /// The same frame with a last byte that no element ends with.
  private static byte[] damaged(byte[] frame) {
    byte[] other = frame.clone();
    other[other.length - 1] = '<';
    return other;
  }

  @Test
  void aKindOfALaterVersionIsIgnored() {
    Client client = new Client().bound();
    byte[] later = EdgeCodec.write(new ToEdge.Leaving(true));
    later[1] = EdgeCodec.LAST_FOR_EDGE + 1;
    client.receive(later);
    assertThat(wire.closed).isEmpty();
    assertThat(core.isLeaving()).isFalse();
  }

  @Test
  void aStanzaThatCannotBeReadIsReplacedAndItsStreamGoesOn() {
    Client romeo = new Client().bound();
    romeo.receive(1, "before");
    romeo.receive(damaged(romeo.deliver(2, "damaged")));
    romeo.receive(3, "after");

    assertThat(romeo.transport.output())
        .matches(
            "(?s)<message [^>]*><body>before</body></message>"
                + "<message type='headline'/>"
                + "<message [^>]*><body>after</body></message>.*");
    assertThat(romeo.transport.closed).isFalse();
    assertThat(wire.closed).isEmpty();
  }

  @Test
  void anotherValueThatCannotBeReadEndsItsStreamOnly() {
    Client romeo = new Client().bound();
    Client juliet = new Client().bound();
    romeo.receive(
        damaged(EdgeCodec.write(new ToEdge.Value(romeo.number, new ToStream.PauseReading()))));
    byte[] more = EdgeCodec.write(new ToEdge.WindowUpdate(romeo.number, 5));
    more[more.length - 1] = (byte) 0x80;
    romeo.receive(more);
    juliet.receive(1, "hi");

    assertThat(romeo.transport.output()).contains("internal-server-error");
    assertThat(romeo.transport.closed).isTrue();
    assertThat(juliet.transport.output()).contains("<body>hi</body>");
    assertThat(wire.closed).isEmpty();
  }

  @Test
  void aStreamThatNegotiatesEndsAlone() {
    Client romeo = new Client();
    Client juliet = new Client();
    byte[] element =
        EdgeCodec.write(new ToEdge.Write(romeo.number, Element.of("urn:example", "challenge")));
    romeo.receive(damaged(element));
    juliet.receive(EdgeCodec.write(new ToEdge.Continue(juliet.number)));

    assertThat(romeo.transport.output()).contains("internal-server-error");
    assertThat(romeo.transport.closed).isTrue();
    assertThat(juliet.transport.closed).isFalse();
    assertThat(wire.closed).isEmpty();
  }

  /// A defect, here a value that is not for a stream at the edge.
  @Test
  void aValueThatCannotBeHandledEndsItsStreamOnly() {
    Client romeo = new Client().bound();
    Client juliet = new Client().bound();
    romeo.receive(
        EdgeCodec.write(
            new ToEdge.TakeOver(
                romeo.number,
                ROMEO.domainJid(),
                "ticket",
                null,
                new ToStream.Resumed(ROMEO, 0, 0))));
    juliet.receive(1, "hi");

    assertThat(juliet.transport.output()).contains("<body>hi</body>");
    assertThat(romeo.transport.output()).contains("internal-server-error");
    assertThat(wire.closed).isEmpty();
  }

  @Test
  void whatIsForNoStreamEndsTheConnection() {
    core.received(new byte[] {1, 1, 1});
    core.received(new byte[] {1, 12});
    core.received(new byte[] {2, 12, 5});
    core.received(new byte[0]);
    assertThat(wire.closed).hasSize(4);
  }
}
