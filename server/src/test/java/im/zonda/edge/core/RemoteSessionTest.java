package im.zonda.edge.core;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.edge.EdgeCodec;
import im.zonda.edge.EdgeWindow;
import im.zonda.edge.ToCore;
import im.zonda.edge.ToEdge;
import im.zonda.jid.Jid;
import im.zonda.link.LinkFormatException;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionVersion;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemoteSessionTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final int STANZA = 20_000;

  private final EdgeCodec form = new EdgeCodec(262_144);
  private final List<ToEdge> sent = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final List<ToSession> toSession = new ArrayList<>();
  private final RemoteSession session = new RemoteSession(new Output(), 7, Runnable::run);
  private boolean full;
  private @Nullable StreamEnd stream;
  private @Nullable String process = "n1";

  private final class Output implements EdgeOutput {
    @Override
    public void send(ToEdge value) {
      sent.add(value);
    }

    @Override
    public void send(long number, ToStream value) {
      try {
        sent.add(form.readToEdge(EdgeCodec.write(new ToEdge.Value(number, value))));
      } catch (LinkFormatException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public boolean isTooMuch(int bytes) {
      return full && bytes > 100;
    }

    @Override
    public @Nullable String sendState(long number, Jid jid, @Nullable String state, byte[] digest) {
      if (process != null) {
        sent.add(new ToEdge.State(number, state, process));
      }
      return process;
    }

    @Override
    public @Nullable String processOf(Jid jid) {
      return process;
    }

    @Override
    public void violation(String what) {
      violations.add(what);
    }
  }

  @BeforeEach
  void resume() {
    session.reattach(
        this::open, new ToCore.Reattach(7, ROMEO, "ticket", "id", 0, SessionVersion.FIRST));
    fromSession(new ToStream.Resumed(ROMEO, 0, 0));
    sent.clear();
    toSession.clear();
  }

  private SessionEnd open(StreamEnd end) {
    stream = end;
    return toSession::add;
  }

  private void fromSession(ToStream value) {
    Objects.requireNonNull(stream).receive(value);
  }

  private @Nullable String bring(long number) {
    Stanza stanza =
        Message.of(Message.Type.CHAT, null, Jid.of("juliet@example.org"), "1", List.of());
    return session.receive(new ToSession.Received(stanza, number), STANZA);
  }

  @Test
  void theWindowIsUpdatedWhileTheSessionTakesStanzas() {
    assertThat(bring(1)).isNull();
    assertThat(sent).containsExactly(new ToEdge.WindowUpdate(7, STANZA));
  }

  @Test
  void aPausedSessionUpdatesTheWindowWhenItGoesOn() {
    fromSession(new ToStream.PauseReading());
    sent.clear();
    assertThat(bring(1)).isNull();
    assertThat(bring(2)).isNull();
    assertThat(sent).isEmpty();
    assertThat(toSession).hasSize(2);
    fromSession(new ToStream.ResumeReading());
    assertThat(sent).contains(new ToEdge.WindowUpdate(7, 2 * STANZA));
  }

  @Test
  void aStreamThatSendsOnWhileItShouldPauseEndsAndNoOtherDoes() {
    fromSession(new ToStream.PauseReading());
    sent.clear();
    long number = 0;
    while (sent.isEmpty() && number * STANZA < 2 * EdgeWindow.MOST) {
      assertThat(bring(++number)).isNull();
    }
    assertThat(sent)
        .containsExactly(
            new ToEdge.Value(
                7,
                new ToStream.Close(
                    StreamErrorCondition.POLICY_VIOLATION,
                    "too much was sent while the server paused")));
    assertThat(toSession.getLast()).isEqualTo(new ToSession.Lost());
    assertThat(bring(++number)).isNull(); // it was on its way
    assertThat(toSession.getLast()).isEqualTo(new ToSession.Lost());
    assertThat(violations).isEmpty();
  }

  /// A stanza for many clients of one edge, which must not close the connection that they share.
  @Test
  void aStreamEndsWhenALargeStanzaWouldWaitForAFullConnection() {
    Stanza large = Message.of(Message.Type.CHAT, null, ROMEO, "x".repeat(200), List.of());
    Stanza small = Message.of(Message.Type.CHAT, null, ROMEO, "x", List.of());
    full = true;
    fromSession(new ToStream.Deliver(small, 1, false));
    assertThat(sent).hasSize(1);
    fromSession(new ToStream.Deliver(large, 2, false));
    full = false;
    fromSession(new ToStream.Deliver(small, 3, false)); // the client would take it for the second
    assertThat(sent).hasSize(2);
    assertThat(sent.getLast())
        .isEqualTo(
            new ToEdge.Value(
                7,
                new ToStream.Close(
                    StreamErrorCondition.RESOURCE_CONSTRAINT, "too much is waiting to be read")));
    assertThat(toSession).containsExactly(new ToSession.Lost());
    assertThat(violations).isEmpty();
  }

  @Test
  void theStateIsSentOnceAndItsProofIsRenewed() {
    session.checkProof(true);
    assertThat(sent).isEmpty(); // there is none yet
    fromSession(new ToStream.State("a"));
    session.checkProof(false);
    session.checkProof(true);
    assertThat(sent)
        .containsExactly(new ToEdge.State(7, "a", "n1"), new ToEdge.State(7, null, "n1"));
  }

  @Test
  void aSessionThatHasMovedIsProvedForItsNewProcess() {
    fromSession(new ToStream.State("a"));
    process = "n2";
    session.checkProof(false);
    session.checkProof(false);
    assertThat(sent)
        .containsExactly(new ToEdge.State(7, "a", "n1"), new ToEdge.State(7, null, "n2"));
  }

  @Test
  void aStateWaitsUntilItIsKnownWhoHasTheSession() {
    process = null;
    fromSession(new ToStream.State("a"));
    session.checkProof(true);
    assertThat(sent).isEmpty();
    process = "n1";
    session.checkProof(false);
    assertThat(sent).containsExactly(new ToEdge.State(7, "a", "n1"));
  }

  @Test
  void aStateThatIsTooLongIsNotSent() {
    fromSession(new ToStream.State("a".repeat(100_000)));
    assertThat(sent).isEmpty();
  }

  @Test
  void aStanzaOutOfOrderOrOfSomeoneElseIsRejected() {
    assertThat(bring(2)).isEqualTo("a stanza out of order");
    Stanza forged =
        Message.of(Message.Type.CHAT, Jid.of("mercutio@example.org"), ROMEO, "1", List.of());
    assertThat(session.receive(new ToSession.Received(forged, 3), STANZA))
        .isEqualTo("a stanza from another address");
    assertThat(toSession).isEmpty();
  }

  @Test
  void aSessionOfAnotherResourceIsRejected() {
    RemoteSession other = new RemoteSession(new Output(), 8, Runnable::run);
    Jid garden = Jid.of("romeo@example.org/garden");
    other.reattach(
        this::open, new ToCore.Reattach(8, garden, "ticket", "id", 0, SessionVersion.FIRST));
    fromSession(new ToStream.Resumed(ROMEO, 0, 0));
    assertThat(violations).containsExactly("a session of another resource");
  }
}
