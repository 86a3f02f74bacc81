package im.zonda.link.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SessionKeeperTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final ToSession BIND = new ToSession.Bind(JULIET.bare(), "balcony", null);
  private static final ToSession RESUME = new ToSession.Resume(JULIET.bare(), "id", 0);
  private static final ToSession AGAIN = again(0);

  private static ToSession resume(boolean keeper, long resumptions, long delivered) {
    return new ToSession.Resume(
        JULIET.bare(), "id", 0, keeper, new SessionVersion(resumptions, delivered, 0));
  }

  private static ToSession again(long delivered) {
    return resume(false, 0, delivered);
  }

  private static final ToStream.Enabled ENABLED = new ToStream.Enabled("id", Duration.ofMinutes(5));

  private final List<RecordingWire> wires = new ArrayList<>();
  private final List<ToStream> toStream = new ArrayList<>();
  private long now;
  private boolean afterLoss;
  private final SessionKeeper keeper =
      new SessionKeeper(
          new KeeperSettings(
              Duration.ofMinutes(1), new KeptBytes(1 << 20), () -> now, () -> afterLoss),
          this::connect);

  SessionKeeperTest() {
    keeper.stream(() -> toStream::add);
  }

  private static final class RecordingWire implements SessionWire {
    private final List<ToSession> sent = new ArrayList<>();

    /// Runs while a value is being sent.
    private Runnable sending = () -> {};

    @Override
    public void send(ToSession value) {
      sending.run();
      sent.add(value);
    }
  }

  private SessionWire connect() {
    RecordingWire wire = new RecordingWire();
    wires.add(wire);
    return wire;
  }

  private void answer(ToStream value) {
    keeper.receive(value, wires.getLast());
  }

  /// The edge of the stream comes from another core.
  private void reattach(long delivered) {
    keeper.receive(resume(true, 0, delivered));
    answer(new ToStream.Resumed(JULIET, 0, 0));
    answer(new ToStream.State("state"));
  }

  private void bind(ToStream.Enabled enabled) {
    keeper.receive(BIND);
    answer(new ToStream.Bound(JULIET, List.of(), enabled));
    toStream.clear();
  }

  private static ToStream deliver(long number) {
    return new ToStream.Deliver(
        Message.of(Message.Type.CHAT, JULIET, JULIET, "" + number, List.of()), number, false);
  }

  private List<ToSession> sent() {
    return wires.getLast().sent;
  }

  @Test
  void whatTheClientHasAskedForIsAskedAgainWhereTheHomeIs() {
    for (ToSession request : List.of(BIND, RESUME)) {
      keeper.receive(request);
      RecordingWire first = wires.getLast();
      keeper.lost(first, true);
      assertThat(sent()).containsExactly(request);
      keeper.receive(new ToStream.NotBound(ErrorCondition.NOT_AUTHORIZED), first); // too late
      assertThat(toStream).isEmpty();
      answer(new ToStream.SessionNotFound(null));
      assertThat(toStream).containsExactly(new ToStream.SessionNotFound(null));
      toStream.clear();
    }
  }

  /// The home may have moved away and back. What the first request has bound ends before the second
  /// binds.
  @Test
  void aBindWithoutAnAnswerIsTakenBackAndSentAgainInAnotherPlacement() {
    keeper.receive(BIND);
    RecordingWire first = wires.getLast();
    keeper.placed(first);
    assertThat(first.sent).containsExactly(BIND, new ToSession.Ended());
    assertThat(sent()).containsExactly(BIND);
    keeper.receive(new ToStream.Bound(JULIET, List.of(), ENABLED), first); // too late
    assertThat(toStream).isEmpty();
    ToStream bound = new ToStream.Bound(JULIET, List.of(), ENABLED);
    answer(bound);
    assertThat(toStream).containsExactly(bound);
    keeper.placed(wires.getLast());
    assertThat(wires).as("an answered request is not sent again").hasSize(2);
  }

  /// The session is on the second wire before the first one is left, so that it is never without.
  @Test
  void aResumptionWithoutAnAnswerIsSentAgainInAnotherPlacement() {
    keeper.receive(RESUME);
    RecordingWire first = wires.getLast();
    List<Integer> order = new ArrayList<>();
    first.sending = () -> order.add(sent().size());
    keeper.placed(first);
    assertThat(first.sent).containsExactly(RESUME, new ToSession.Lost());
    assertThat(sent()).containsExactly(RESUME);
    assertThat(order).containsExactly(1);
    answer(new ToStream.Resumed(JULIET, 0, 0));
    answer(new ToStream.Moved());
    RecordingWire second = wires.getLast();
    keeper.placed(second);
    assertThat(second.sent).containsExactly(AGAIN, new ToSession.Lost());
    assertThat(sent()).as("the keeper's own request").containsExactly(AGAIN);
    keeper.placed(second);
    assertThat(wires).as("of a wire that is left").hasSize(4);
  }

  /// A session that its home has ended meanwhile is not brought back.
  @Test
  void aNodeThatWasKilledBeforeTheSessionBeganDoesNotCount() {
    keeper.receive(BIND);
    keeper.lost(wires.getLast(), true);
    answer(new ToStream.Bound(JULIET, List.of(), ENABLED));
    answer(new ToStream.State("state"));
    answer(new ToStream.Moved());
    answer(new ToStream.SessionNotFound(null));
    assertThat(sent()).containsExactly(AGAIN);
    assertThat(toStream.getLast()).isInstanceOf(ToStream.Close.class);
  }

  /// Another thread asks for the session, which has moved, while the stream's thread sends: the
  /// home would be sent a stanza again that is on its way.
  @Test
  void nothingIsSentBesideWhatTheStreamSends() {
    bind(ENABLED);
    RecordingWire first = wires.getLast();
    List<Integer> asked = new ArrayList<>();
    first.sending =
        () -> {
          Thread other = new Thread(() -> keeper.receive(new ToStream.Moved(), first));
          other.start();
          join(other);
          asked.add(sent().size());
        };
    keeper.receive(new ToSession.Active(false));
    assertThat(asked).as("sent on the next wire meanwhile").containsExactly(0);
    assertThat(first.sent).contains(new ToSession.Active(false));
    assertThat(wires).hasSize(2);
    assertThat(sent()).containsExactly(AGAIN);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aRefusedClientMayAskAgainOnTheSameWire() {
    keeper.receive(RESUME);
    answer(new ToStream.SessionNotFound(null));
    keeper.receive(BIND);
    assertThat(wires).hasSize(1);
    assertThat(sent()).containsExactly(RESUME, BIND);
  }

  /// The client's former stream, at an edge or another node, may still recover it.
  @Test
  void aClientThatResumesIsNotToldThatItsSessionIsGoneWhileItMayBeMadeAgain() {
    afterLoss = true;
    keeper.receive(RESUME);
    answer(new ToStream.SessionNotFound(null));
    now += 1_001;
    keeper.tick();
    answer(new ToStream.Unsettled()); // it is there, as it may have been before
    assertThat(toStream).isEmpty();
    now += 1_001;
    keeper.tick();
    assertThat(sent()).containsExactly(RESUME, RESUME, RESUME);
    answer(new ToStream.Resumed(JULIET, 0, 0));
    assertThat(toStream).containsExactly(new ToStream.Resumed(JULIET, 0, 0));
  }

  @Test
  void aSessionThatIsNotMadeAgainInTimeIsGone() {
    afterLoss = true;
    keeper.receive(RESUME);
    answer(new ToStream.SessionNotFound(null));
    now += 1_001;
    keeper.tick();
    afterLoss = false;
    answer(new ToStream.SessionNotFound(null));
    assertThat(toStream).containsExactly(new ToStream.SessionNotFound(null));
  }

  /// It recovers the session only then; and a session that its home has ended stays ended.
  @Test
  void anEdgeIsToldAtOnceAndSoIsTheClientOfASessionThatHasEnded() {
    afterLoss = true;
    keeper.receive(resume(true, 0, 0));
    answer(new ToStream.SessionNotFound(null));
    keeper.receive(RESUME);
    answer(new ToStream.SessionNotFound(3L));
    assertThat(toStream)
        .containsExactly(new ToStream.SessionNotFound(null), new ToStream.SessionNotFound(3L));
  }

  @Test
  void aSessionThatIsNotSettledIsAskedForAgainASecondLater() {
    bind(ENABLED);
    answer(new ToStream.Moved());
    answer(new ToStream.Unsettled());
    keeper.tick();
    assertThat(sent()).containsExactly(AGAIN);
    now += 1_001;
    keeper.tick();
    assertThat(sent()).containsExactly(AGAIN, AGAIN);
    answer(new ToStream.Resumed(JULIET, 0, 0));
    assertThat(toStream)
        .containsExactly(
            new ToStream.PauseReading(), new ToStream.Handled(0), new ToStream.ResumeReading());
  }

  @Test
  void whatTheClientAcknowledgesMeanwhileIsToldAfterwards() {
    bind(ENABLED);
    answer(deliver(1));
    answer(deliver(2));
    answer(new ToStream.Moved());
    keeper.receive(new ToSession.Acknowledged(1));
    keeper.receive(new ToSession.Active(false));
    answer(new ToStream.Resumed(JULIET, 0, 0));
    answer(deliver(1));
    assertThat(sent())
        .containsExactly(again(2), new ToSession.Active(false), new ToSession.Acknowledged(1));
  }

  /// A core rejects an edge that says of a client that it has what it was not sent.
  @Test
  void whatTheSessionHasNotSentAgainIsNotAcknowledgedToIt() {
    bind(ENABLED);
    answer(deliver(1));
    answer(deliver(2));
    answer(new ToStream.Moved());
    answer(new ToStream.Resumed(JULIET, 0, 0));
    toStream.clear();
    keeper.receive(new ToSession.Acknowledged(1));
    keeper.receive(new ToSession.Acknowledged(2));
    answer(deliver(1));
    assertThat(sent()).containsExactly(again(2));
    answer(deliver(2));
    assertThat(sent()).containsExactly(again(2), new ToSession.Acknowledged(2));
    answer(deliver(3));
    keeper.receive(new ToSession.Acknowledged(3));
    assertThat(sent().getLast()).isEqualTo(new ToSession.Acknowledged(3));
    assertThat(sent()).hasSize(3);
    assertThat(toStream)
        .singleElement()
        .isInstanceOfSatisfying(
            ToStream.Deliver.class, last -> assertThat(last.number()).isEqualTo(3));
  }

  /// The session may have ended, and its end not have arrived: it must not come back.
  @Test
  void aSessionIsMadeAgainOnlyAfterAKill() {
    bind(ENABLED);
    answer(new ToStream.State("state"));
    keeper.lost(wires.getLast(), false);
    answer(new ToStream.SessionNotFound(null));
    assertThat(sent()).containsExactly(AGAIN);
    assertThat(toStream.getLast()).isInstanceOf(ToStream.Close.class);
  }

  @Test
  void aKillWhileTheStreamWaitsCounts() {
    bind(ENABLED);
    answer(new ToStream.State("state"));
    keeper.lost(wires.getLast(), false);
    keeper.update(true);
    answer(new ToStream.SessionNotFound(null));
    assertThat(sent().getLast()).isInstanceOf(ToSession.Recover.class);
    answer(new ToStream.SessionNotFound(null)); // there is another one in its place
    assertThat(toStream.getLast()).isInstanceOf(ToStream.Close.class);
  }

  /// The session would count from this keeper's snapshot, and its next stanzas would reuse numbers
  /// that the client has received: a former keeper would discard them.
  @Test
  void aSessionIsNotMadeAgainBeforeItHasSentWhatTheClientHasHad() {
    reattach(2);
    answer(deliver(1));
    keeper.lost(wires.getLast(), true);
    assertThat(sent().getLast()).isEqualTo(again(2));
    answer(new ToStream.SessionNotFound(null));
    assertThat(toStream.getLast()).isInstanceOf(ToStream.Close.class);
  }

  @Test
  void aSessionIsMadeAgainThatHasSentWhatTheClientHasHad() {
    reattach(2);
    answer(deliver(1));
    answer(deliver(2));
    keeper.lost(wires.getLast(), true);
    answer(new ToStream.SessionNotFound(null));
    assertThat(sent().getLast()).isInstanceOf(ToSession.Recover.class);
  }

  /// A former keeper has told the client's count before the session has sent all again.
  @Test
  void whatTheClientHasAcknowledgedIsNotSentToItWhenTheSessionIsMadeAgain() {
    reattach(3);
    keeper.receive(new ToSession.Acknowledged(2));
    answer(deliver(1));
    answer(deliver(2));
    answer(deliver(3));
    keeper.lost(wires.getLast(), true);
    answer(new ToStream.SessionNotFound(null));
    assertThat(sent().getLast())
        .isInstanceOfSatisfying(
            ToSession.Recover.class,
            rebuild -> {
              assertThat(rebuild.session().counts().acknowledged()).isEqualTo(2);
              assertThat(rebuild.session().unacknowledged()).hasSize(1);
            });
  }

  /// By that the home knows whether the client has left the stream for another one since.
  @Test
  void theKeeperSaysHowManyTimesTheClientHadResumed() {
    keeper.receive(RESUME);
    answer(new ToStream.Resumed(JULIET, 0, 0, 2));
    answer(new ToStream.Moved());
    ToSession again = resume(false, 2, 0);
    assertThat(sent()).containsExactly(again);
    answer(new ToStream.Resumed(JULIET, 0, 0, 3));
    answer(new ToStream.Moved());
    assertThat(sent()).containsExactly(resume(false, 3, 0));
  }

  /// A stream that the client has left has recovered an outdated session.
  @Test
  void aSessionIsMadeAgainIfTheHomeHasAnOlderOne() {
    bind(ENABLED);
    answer(new ToStream.State("state"));
    keeper.lost(wires.getLast(), true);
    assertThat(sent()).containsExactly(AGAIN);
    answer(new ToStream.SessionNotFound(null));
    assertThat(sent()).hasSize(2).last().isInstanceOf(ToSession.Recover.class);
    answer(new ToStream.Resumed(JULIET, 0, 0));
    assertThat(toStream).endsWith(new ToStream.Handled(0), new ToStream.ResumeReading());
  }

  @Test
  void aStreamThatCannotBeResumedEnds() {
    bind(new ToStream.Enabled(null, Duration.ZERO));
    answer(new ToStream.Moved());
    assertThat(toStream).hasSize(1).first().isInstanceOf(ToStream.Close.class);
    keeper.receive(new ToSession.Lost());
    assertThat(wires).hasSize(1); // where the session was
    assertThat(sent()).containsExactly(BIND, new ToSession.Lost());
  }

  /// The session rejects the second request; nothing is kept of a stream that cannot be resumed.
  @Test
  void aSecondRequestForStreamManagementThatCannotBeResumedKeepsNoStanzas() {
    bind(new ToStream.Enabled(null, Duration.ZERO));
    Message message = Message.of(Message.Type.CHAT, JULIET, JULIET, "one", List.of());
    keeper.receive(new ToSession.Received(message, 1));
    keeper.receive(new ToSession.Enable(false));
    keeper.receive(new ToSession.Received(message, 2));
    answer(new ToStream.NotEnabled());
    assertThat(sent())
        .endsWith(
            new ToSession.Received(message, 1),
            new ToSession.Enable(false),
            new ToSession.Received(message, 2));
    assertThat(toStream).containsExactly(new ToStream.NotEnabled());
  }

  @Test
  void aHomeThatIsAwayForTooLongEndsTheStream() {
    bind(ENABLED);
    answer(new ToStream.Moved());
    now += 60_000;
    keeper.tick();
    assertThat(toStream).containsExactly(new ToStream.PauseReading());
    now += 1;
    keeper.tick();
    assertThat(toStream.getLast()).isInstanceOf(ToStream.Close.class);
  }
}
