package im.zonda.edge;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Limits;
import im.zonda.jid.Jid;
import im.zonda.link.LinkFormatException;
import im.zonda.link.LostSession;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EdgeSessionTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final ToStream PAUSE = new ToStream.PauseReading();
  private static final ToStream GO_ON = new ToStream.ResumeReading();

  private final EdgeForm form = new EdgeForm(262_144);
  private final Edge edge =
      new Edge(
          new Edge.Settings(
              Limits.defaults(), Duration.ofMinutes(1), () -> "id", Runnable::run, () -> 0));
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
          core);

  private final class RecordingWire implements EdgeWire {
    private final List<ToCore> sent = new ArrayList<>();
    private long bytes;

    @Override
    public void send(byte[] frame) {
      try {
        sent.add(form.readToCore(frame));
        bytes += frame.length;
      } catch (LinkFormatException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public boolean isFull() {
      return false;
    }

    @Override
    public long now() {
      return 0;
    }

    @Override
    public void close(String reason) {}

    @Override
    public void finish() {}
  }

  @BeforeEach
  void begin() {
    session.begin(_ -> toStream::add);
  }

  private void bring(long number, int bytes) {
    session.receive(new ToSession.Received(stanza(bytes), number));
  }

  private void update(long bytes, EdgeWire from) {
    session.receive(new ToEdge.WindowUpdate(7, bytes), from);
  }

  private void fromCore(ToStream value, EdgeWire from) {
    session.receive(new ToEdge.Value(7, value), from);
  }

  private static Stanza stanza(int bytes) {
    Element body = Element.builder("jabber:client", "body").text("x".repeat(bytes)).build();
    return Message.of(Message.Type.CHAT, null, Jid.of("juliet@example.org"), "1", List.of(body));
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
    session.detach(core);
    assertThat(toStream).containsExactly(PAUSE, GO_ON, PAUSE);
    RecordingWire next = new RecordingWire();
    session.attach(next);
    update(80_000, core); // of the old connection
    fromCore(new ToStream.Resumed(ROMEO, 0, 0), next);
    // What is sent again counts: still one pause.
    assertThat(toStream)
        .containsExactly(PAUSE, GO_ON, PAUSE, new ToStream.Handled(0), PAUSE, GO_ON);
    update(next.bytes, next);
    assertThat(toStream.getLast()).isEqualTo(GO_ON);
    assertThat(toStream).hasSize(7);
  }

  @Test
  void aCoreThatWasKilledIsGivenWhatItNeedsToMakeTheSessionAgain() {
    session.receive(new ToEdge.State(7, "state", "proof 1"), core);
    session.receive(new ToEdge.State(7, null, "proof 2"), core);
    for (int i = 1; i <= 3; i++) {
      fromCore(new ToStream.Deliver(logged("id" + i), i, false), core);
    }
    session.receive(new ToSession.Acknowledged(2));
    bring(1, 10);
    bring(2, 10);
    fromCore(new ToStream.Handled(1), core);
    session.detach(core);
    RecordingWire next = new RecordingWire();
    session.attach(next);
    fromCore(new ToStream.SessionNotFound(null), next);

    assertThat(next.sent.get(1)).isEqualTo(new ToCore.Gone(7));
    assertThat(next.sent.get(2))
        .isEqualTo(
            new ToCore.Rebuild(
                7, ROMEO, "state", "proof 2", "previous", new LostSession.Counts(1, 2), "id2", 1));
    assertThat(next.sent.get(3)).isInstanceOf(ToCore.Unacknowledged.class);
    assertThat(next.sent).hasSize(4);

    toStream.clear();
    fromCore(new ToStream.Resumed(ROMEO, 1, 2), next);
    fromCore(new ToStream.Deliver(logged("id3"), 3, false), next); // the client has it
    fromCore(new ToStream.Deliver(logged("id4"), 4, false), next);
    assertThat(toStream).hasSize(3);
    assertThat(toStream.subList(0, 2)).containsExactly(new ToStream.Handled(1), GO_ON);
    assertThat(((ToStream.Deliver) toStream.getLast()).number()).isEqualTo(4);
    assertThat(((ToCore.Value) next.sent.getLast()).value()).isInstanceOf(ToSession.Received.class);
  }

  @Test
  void aSessionThatIsNotMadeAgainEndsTheStream() {
    session.receive(new ToEdge.State(7, "state", "proof"), core);
    session.detach(core);
    RecordingWire next = new RecordingWire();
    session.attach(next);
    fromCore(new ToStream.SessionNotFound(null), next);
    assertThat(toStream).containsExactly(PAUSE);
    fromCore(new ToStream.SessionNotFound(null), next);
    assertThat(toStream.getLast()).isInstanceOf(ToStream.Close.class);
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
