package im.zonda.edge;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.runtime.TestRuntime;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EdgeSessionTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final ToStream PAUSE = new ToStream.PauseReading();
  private static final ToStream GO_ON = new ToStream.ResumeReading();

  private long now;
  private final Edge edge =
      new Edge(
          new Edge.Settings(
              Limits.defaults(), Duration.ofMinutes(1), new TestRuntime().build(), () -> now));
  private final RecordingWire core = new RecordingWire();
  private final List<ToStream> toStream = new ArrayList<>();
  private final EdgeSession session =
      new EdgeSession(
          edge,
          7,
          new ToEdge.TakeOver(
              7,
              ROMEO.domainJid(),
              "ticket",
              "previous",
              new ToStream.Bound(
                  ROMEO, List.of(), new ToStream.Enabled("previous", Duration.ofMinutes(5)))),
          core.connection);

  private final class RecordingWire extends TestWire {
    private final CoreConnection connection = edge.accept(this, "core");
    private long bytes;
    private boolean takesAtOnce;

    /// The number of the stream on this connection.
    private long stream() {
      return switch (sent.getLast()) {
        case ToCore.Reattach reattach -> reattach.stream();
        case ToCore.Value value -> value.stream();
        case ToCore.Unacknowledged unacknowledged -> unacknowledged.stream();
        case ToCore.Recover rebuild -> rebuild.stream();
        default -> 7;
      };
    }

    void receive(ToStream value) {
      session.receive(new ToEdge.Value(stream(), value), connection);
    }

    @Override
    public void send(byte[] frame) {
      super.send(frame);
      bytes += frame.length;
      if (takesAtOnce) {
        update(frame.length, this);
      }
    }
  }

  @BeforeEach
  void begin() {
    session.begin(_ -> toStream::add);
    session.negotiated();
  }

  private void bring(long number, int bytes) {
    session.receive(new ToSession.Received(stanza(bytes), number));
  }

  private void update(long bytes, RecordingWire from) {
    session.receive(new ToEdge.WindowUpdate(from.stream(), bytes), from.connection);
  }

  private void fromCore(ToStream value) {
    session.receive(new ToEdge.Value(7, value), core.connection);
  }

  private void lose(RecordingWire lost) {
    lost.connection.ended();
    session.lost(lost.connection);
  }

  private RecordingWire connect() {
    RecordingWire next = new RecordingWire();
    session.update();
    return next;
  }

  private void leave(RecordingWire core) {
    core.connection.received(EdgeCodec.write(new ToEdge.Leaving(true)));
    session.update();
  }

  private static Stanza stanza(int bytes) {
    Element body = Element.builder("jabber:client", "body").text("x".repeat(bytes)).build();
    return Message.of(Message.Type.CHAT, null, Jid.of("juliet@example.org"), "1", List.of(body));
  }

  @Test
  void aCoreThatTakesAValueBeforeItIsCountedOpensTheWindow() {
    core.takesAtOnce = true;
    bring(1, 100_000);
    bring(2, 100_000);
    assertThat(toStream.stream().filter(PAUSE::equals).count())
        .isEqualTo(toStream.stream().filter(GO_ON::equals).count());
  }

  @Test
  void aClientIsPausedUntilTheCoreHasTakenWhatItSent() {
    bring(1, 10_000);
    assertThat(toStream).isEmpty();
    bring(2, 60_000);
    assertThat(toStream).containsExactly(PAUSE);
    update(10_000, core);
    assertThat(toStream).containsExactly(PAUSE);
    update(core.bytes - 10_000, core);
    assertThat(toStream).containsExactly(PAUSE, GO_ON);
  }

  @Test
  void anotherConnectionHasAWindowOfItsOwn() {
    bring(1, 70_000);
    lose(core);
    assertThat(toStream).containsExactly(PAUSE, GO_ON, PAUSE);
    RecordingWire next = connect();
    update(80_000, core); // of the old connection
    next.receive(new ToStream.Resumed(ROMEO, 0, 0));
    // What is sent again counts: still one pause.
    assertThat(toStream)
        .containsExactly(PAUSE, GO_ON, PAUSE, new ToStream.Handled(0), PAUSE, GO_ON);
    update(next.bytes, next);
    assertThat(toStream.getLast()).isEqualTo(GO_ON);
    assertThat(toStream).hasSize(7);
  }

  @Test
  void aCoreThatWasKilledIsGivenWhatItNeedsToMakeTheSessionAgain() {
    session.receive(new ToEdge.State(7, "state", "proof 1"), core.connection);
    session.receive(new ToEdge.State(7, null, "proof 2"), core.connection);
    for (int i = 1; i <= 3; i++) {
      fromCore(new ToStream.Deliver(logged("id" + i), i, false));
    }
    session.receive(new ToSession.Acknowledged(2));
    bring(1, 10);
    bring(2, 10);
    fromCore(new ToStream.Handled(1));
    lose(core);
    RecordingWire next = connect();
    next.receive(new ToStream.SessionNotFound(null));

    assertThat(next.sent.get(1)).isEqualTo(new ToCore.Gone(1));
    assertThat(next.sent.get(2))
        .isEqualTo(
            new ToCore.Recover(
                1,
                ROMEO,
                "state",
                "proof 2",
                "previous",
                new LostSession.Counts(1, 2),
                Map.of(ROMEO.bare(), "id2"),
                1));
    assertThat(next.sent.get(3)).isInstanceOf(ToCore.Unacknowledged.class);
    assertThat(next.sent).hasSize(4);

    toStream.clear();
    next.receive(new ToStream.Resumed(ROMEO, 1, 2));
    next.receive(new ToStream.Deliver(logged("id3"), 3, false)); // the client has it
    next.receive(new ToStream.Deliver(logged("id4"), 4, false));
    assertThat(toStream).hasSize(3);
    assertThat(toStream.subList(0, 2)).containsExactly(new ToStream.Handled(1), GO_ON);
    assertThat(((ToStream.Deliver) toStream.getLast()).number()).isEqualTo(4);
    assertThat(((ToCore.Value) next.sent.getLast()).value()).isInstanceOf(ToSession.Received.class);
  }

  @Test
  void aSessionThatIsNotMadeAgainEndsTheStream() {
    session.receive(new ToEdge.State(7, "state", "proof"), core.connection);
    lose(core);
    RecordingWire next = connect();
    next.receive(new ToStream.SessionNotFound(null));
    assertThat(toStream).containsExactly(PAUSE);
    next.receive(new ToStream.SessionNotFound(null));
    assertThat(toStream.getLast()).isInstanceOf(ToStream.Close.class);
  }

  @Test
  void aCoreThatLeavesIsLeftForAnotherOneAndNothingIsLost() {
    RecordingWire other = connect();
    bring(1, 10);
    assertThat(other.sent).isEmpty();
    leave(core);
    assertThat(toStream).containsExactly(PAUSE);
    assertThat(other.sent)
        .containsExactly(
            new ToCore.Reattach(1, ROMEO, "ticket", "previous", 0, SessionVersion.FIRST));
    bring(2, 10);
    assertThat(core.sent).hasSize(1); // the session is still there
    fromCore(new ToStream.Handled(1)); // of the core that is left
    other.receive(new ToStream.Resumed(ROMEO, 0, 0));
    assertThat(core.sent.getLast()).isEqualTo(new ToCore.Gone(7));
    assertThat(toStream).containsExactly(PAUSE, new ToStream.Handled(0), GO_ON);
    assertThat(other.sent.stream().skip(1).map(EdgeSessionTest::number)).containsExactly(1L, 2L);
    bring(3, 10);
    assertThat(number(other.sent.getLast())).isEqualTo(3);
    assertThat(core.sent).hasSize(2);
  }

  private static long number(ToCore value) {
    return value instanceof ToCore.Value(var _, ToSession.Received(var _, var number))
        ? number
        : -1;
  }

  @Test
  void aCoreThatLeavesKeepsTheStreamIfThereIsNoOther() {
    leave(core);
    bring(1, 10);
    assertThat(toStream).isEmpty();
    assertThat(core.sent).hasSize(1);
    RecordingWire other = connect();
    assertThat(other.sent.getLast()).isInstanceOf(ToCore.Reattach.class);
  }

  @Test
  void whatTheFormerCoreStillSaysIsNotHeard() {
    RecordingWire other = connect();
    leave(core);
    toStream.clear();
    fromCore(new ToStream.Close(StreamErrorCondition.CONFLICT, "resumed by a new connection"));
    session.receive(new ToEdge.State(7, "old", "old"), core.connection);
    assertThat(toStream).isEmpty();
    other.receive(new ToStream.Resumed(ROMEO, 0, 0));
    // Back to the first core: what it sent to the number of before is not for the stream of now.
    core.connection.received(EdgeCodec.write(new ToEdge.Leaving(false)));
    leave(other);
    assertThat(core.stream()).isEqualTo(2);
    fromCore(new ToStream.SessionNotFound(null));
    core.receive(new ToStream.Resumed(ROMEO, 0, 0));
    assertThat(toStream.getLast()).isEqualTo(GO_ON);
    assertThat(other.sent.getLast()).isEqualTo(new ToCore.Gone(1));
  }

  @Test
  void aStreamThatACoreEndsBecauseItStopsGoesToAnotherOne() {
    RecordingWire other = connect();
    ToStream stops = new ToStream.Close(StreamErrorCondition.SYSTEM_SHUTDOWN, null);
    fromCore(stops);
    assertThat(toStream).containsExactly(PAUSE);
    other.receive(new ToStream.Resumed(ROMEO, 0, 0));
    assertThat(toStream.getLast()).isEqualTo(GO_ON);
    other.receive(stops); // not from one to the other without end
    assertThat(toStream.getLast()).isEqualTo(stops);
  }

  @Test
  void aClientThatEndsItsStreamOnTheWayToAnotherCoreEndsItAtBoth() {
    RecordingWire other = connect();
    leave(core);
    session.receive(new ToSession.Ended());
    session.outputEnded();
    assertThat(core.sent).containsExactly(new ToCore.Gone(7));
    assertThat(other.sent.subList(1, 3))
        .containsExactly(new ToCore.Value(1, new ToSession.Ended()), new ToCore.Gone(1));
  }

  @Test
  void streamsAreSpreadOverTheCoresThatDoNotLeave() {
    RecordingWire second = connect();
    RecordingWire third = connect();
    core.connection.entered();
    second.connection.entered();
    assertThat(edge.choose(null)).isEqualTo(third.connection);
    third.connection.entered();
    third.connection.entered();
    assertThat(edge.choose(null)).isIn(core.connection, second.connection);
    leave(core);
    leave(second);
    assertThat(edge.choose(null)).isEqualTo(third.connection);
    third.connection.ended();
    assertThat(edge.choose(null)).isIn(core.connection, second.connection);
  }

  private static Stanza logged(String id) {
    Element stanzaId =
        Element.builder(StanzaIds.NAME)
            .attribute("by", "romeo@example.org")
            .attribute("id", id)
            .build();
    return Message.of(
        Message.Type.CHAT,
        Jid.of("juliet@example.org/balcony"),
        ROMEO,
        "1",
        List.of(Element.of("jabber:client", "body"), stanzaId));
  }
}
