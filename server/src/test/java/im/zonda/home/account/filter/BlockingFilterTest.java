package im.zonda.home.account.filter;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replication;
import im.zonda.home.lifecycle.RecordingStream;
import im.zonda.home.lifecycle.RunningRouter;
import im.zonda.home.lifecycle.TestLink;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.session.KeptState;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.hook.Hook;
import im.zonda.hook.HostHandlers;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.Phase;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.ToSession;
import im.zonda.module.Declarations;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Filters that may block never run on the thread of a caller: a stream's thread has the streams of
/// others to serve.
final class BlockingFilterTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");

  /// How long sessions may still be recovered, in ms.
  private long awaited;

  private final RunningRouter running = new RunningRouter(limits -> limits, new Awaiting());
  private final RecordingStream balcony = new RecordingStream();
  private final RecordingStream orchard = new RecordingStream();

  /// What has passed, and on which kind of thread.
  private final Queue<String> passed = new ConcurrentLinkedQueue<>();

  /// A node with others, from which sessions may be recovered.
  private final class Awaiting implements Replication {
    @Override
    public boolean copies() {
      return true;
    }

    @Override
    public boolean hasStandby(Jid home) {
      return false;
    }

    @Override
    public long awaitsSessions(Jid home) {
      return awaited;
    }

    @Override
    public void copy(
        Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
      if (listener != null) {
        listener.confirmed(true);
      }
    }
  }

  private final class Messages implements MessageFilter {
    private final boolean mayBlock;

    Messages(boolean mayBlock) {
      this.mayBlock = mayBlock;
    }

    @Override
    public Verdict filter(Message message, Home home, @Nullable Session session) {
      return note(message);
    }

    @Override
    public boolean mayBlock() {
      return mayBlock;
    }
  }

  private final class Presences implements PresenceFilter {
    @Override
    public Verdict filter(Presence presence, Home home, @Nullable Session session) {
      return note(presence);
    }

    @Override
    public boolean mayBlock() {
      return true;
    }
  }

  private Verdict note(Stanza stanza) {
    String where = Thread.currentThread().isVirtual() ? "" : " here";
    passed.add(TestStanzas.text(stanza) + where);
    return Verdict.pass();
  }

  private void filter(Hook<MessageFilter> hook) {
    running.declare(hook, Phase.REFUSE.order(), new Messages(true));
  }

  private void filterPresence(Hook<PresenceFilter> hook) {
    running.declare(hook, Phase.REFUSE.order(), new Presences());
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private TestLink bind(Jid jid, RecordingStream stream) {
    TestLink link = running.bind(jid, stream);
    running.awaitIdle();
    return link;
  }

  private void route(Stanza stanza, @Nullable Jid author) {
    running.router.routes().route(new Envelope(stanza, Origin.NONE, author));
    running.awaitIdle();
  }

  @Test
  void othersRunOnTheThreadOfTheCaller() {
    running.declare(Declarations.SENT_MESSAGES, Phase.REFUSE.order(), new Messages(false));
    bind(ROMEO, orchard).received(TestStanzas.message("one"));
    assertThat(passed).containsExactly("one here");
  }

  @Test
  void messagesThatAreSent() {
    filter(Declarations.SENT_MESSAGES);
    bind(ROMEO, orchard).received(TestStanzas.message("one"));
    running.awaitIdle();
    assertThat(passed).containsExactly("one");
  }

  @Test
  void messagesThatArrive() {
    running.becomeAvailable(JULIET, bind(JULIET, balcony));
    filter(Declarations.ARRIVING_MESSAGES);
    route(TestStanzas.message("one"), null);
    assertThat(passed).containsExactly("one");
    assertThat(balcony.texts()).containsExactly("one");
  }

  /// The receiver is asked whether it rejects the room or the author (XEP-0191).
  @Test
  void messagesOfAnAuthorInARoom() {
    filter(Declarations.ARRIVING_MESSAGES);
    bind(JULIET, balcony);
    route(TestStanzas.message("one"), Jid.of("tybalt@example.org/x"));
    assertThat(passed).containsOnly("one").hasSize(3);
  }

  @Test
  void presenceThatIsSent() {
    filterPresence(Declarations.SENT_PRESENCE);
    bind(ROMEO, orchard).received(TestStanzas.of("<presence><status>in</status></presence>"));
    running.awaitIdle();
    assertThat(passed).containsExactly("in");
  }

  @Test
  void presenceThatArrives() {
    filterPresence(Declarations.ARRIVING_PRESENCE);
    bind(JULIET, balcony);
    route(TestStanzas.presence(ROMEO.toString(), "in"), null);
    assertThat(passed).containsExactly("in");
  }

  /// The account may have blocked the sender since the message came.
  @Test
  void messagesThatHaveWaited() {
    running.createAccount(JULIET.bare());
    route(TestStanzas.message("one").withAddresses(ROMEO, JULIET.bare()), null);
    filter(Declarations.ARRIVING_MESSAGES);
    running.becomeAvailable(JULIET, bind(JULIET, balcony));
    assertThat(passed).containsExactly("one");
    assertThat(balcony.texts()).containsExactly("one");
  }

  @Test
  void messagesHeldForASessionThatIsRecovered() {
    running.createAccount(JULIET.bare());
    awaited = 1_000;
    route(TestStanzas.of("<message><body>one</body></message>").withAddresses(ROMEO, JULIET), null);
    filter(Declarations.ARRIVING_MESSAGES);
    recover();
    assertThat(passed).containsExactly("one");
    assertThat(balcony.texts()).containsExactly("one");
  }

  @Test
  void messagesHeldForASessionThatIsNotRecovered() {
    running.createAccount(JULIET.bare());
    awaited = 1_000;
    route(TestStanzas.of("<message><body>one</body></message>").withAddresses(ROMEO, JULIET), null);
    filter(Declarations.ARRIVING_MESSAGES);
    awaited = 0;
    running.advance(Duration.ofSeconds(1));
    running.awaitIdle();
    assertThat(passed).containsExactly("one", "message"); // and the error for its sender
  }

  /// Its contacts get each other's presence again.
  @Test
  void presenceOfASessionThatWasRecovered() {
    running.createAccount(JULIET.bare());
    filterPresence(Declarations.SENT_PRESENCE);
    recover();
    running.advance(Duration.ofSeconds(3));
    running.awaitIdle();
    assertThat(passed).containsExactly("presence");
  }

  private void recover() {
    KeptState state =
        new KeptState(
            new SessionSnapshot.State(
                JULIET,
                StreamManagementState.hash("id"),
                0,
                Presence.of(Presence.Type.AVAILABLE, JULIET, null, null, List.of()),
                Map.of()),
            0);
    running
        .router
        .sessions()
        .open(balcony)
        .receive(
            new ToSession.Recover(
                new LostSession(
                    JULIET,
                    state.write(),
                    "id",
                    new LostSession.Counts(0, 0),
                    Map.of(),
                    List.of())));
    running.awaitIdle();
  }

  /// Each of them is handled as if the client had sent it.
  @Test
  void messagesInPlaceOfOne() {
    running.declare(
        Declarations.SENT_MESSAGES,
        Phase.REFUSE.order(),
        (message, home, session) ->
            TestStanzas.text(message).equals("both")
                ? new Verdict.Each(List.of(TestStanzas.message("one"), TestStanzas.message("two")))
                : Verdict.pass());
    filter(Declarations.SENT_MESSAGES);
    bind(ROMEO, orchard).received(TestStanzas.message("both"));
    running.awaitIdle();
    assertThat(passed).containsExactly("one", "two");
  }

  /// Whether a message is handled where it may block is decided before it runs. Therefore it is so
  /// from before a filter is asked that was declared while the server runs.
  @Test
  void messagesOnceTheFilterIsAnnounced() {
    running.declare(Declarations.SENT_MESSAGES, Phase.REFUSE.order(), new Messages(false));
    HostHandlers later = new HostHandlers();
    later.add(Declarations.SENT_MESSAGES, 0, new Messages(true), "later");
    TestLink romeo = bind(ROMEO, orchard);
    assertThat(running.host().prepare(later)).isTrue();
    romeo.received(TestStanzas.message("one"));
    running.awaitIdle();
    assertThat(passed).containsExactly("one");
  }

  /// A filter that waits holds back what comes after, and not what others send.
  @Test
  void theOrderStays() {
    CountDownLatch wait = new CountDownLatch(1);
    running.declare(
        Declarations.SENT_MESSAGES,
        Phase.REFUSE.order(),
        new MessageFilter() {
          @Override
          public Verdict filter(Message message, Home home, @Nullable Session session) {
            try {
              if (TestStanzas.text(message).equals("0")) {
                assertThat(wait.await(10, TimeUnit.SECONDS)).isTrue();
              }
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return Verdict.pass();
          }

          @Override
          public boolean mayBlock() {
            return true;
          }
        });
    running.becomeAvailable(JULIET, bind(JULIET, balcony));
    TestLink romeo = bind(ROMEO, orchard);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      romeo.received(TestStanzas.message("" + i));
      romeo.received(TestStanzas.presence(ROMEO.toString(), "at " + i));
      sent.addAll(List.of("" + i, "at " + i));
    }
    route(TestStanzas.message("of another").withAddresses(Jid.of("x@example.org"), JULIET));
    assertThat(balcony.texts()).containsExactly("of another");
    wait.countDown();
    running.awaitIdle();
    assertThat(balcony.texts().subList(1, 41)).isEqualTo(sent);
  }

  private void route(Stanza stanza) {
    running.router.routes().route(Envelope.of(stanza));
  }
}
