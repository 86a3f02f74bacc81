package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.SingleRoom;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.stanza.OccupantPresence;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class RoomExitTest {
  private static final String HAG = "hag@example.org/pda";
  private static final String FOREIGN = "hag@example.net/pda";

  private final TestRoom test = new TestRoom();
  private final RoomExit exit =
      new RoomExit(
          test.context,
          new RoomBroadcast(test.context, () -> 0),
          test.repository,
          () -> new SingleRoom(test.home));

  RoomExitTest() {
    test.enter("crone@example.org/desktop", "firstwitch");
  }

  /// Returns a copy of a groupchat message from that session.
  private void returned(String session, ErrorCondition condition) {
    exit.handleError(
        test.home,
        test.live(),
        Message.error(
            Message.of(
                Message.Type.GROUPCHAT,
                TestRoom.JID.withResource("firstwitch"),
                Jid.of(session),
                "m1",
                List.of()),
            StanzaError.of(condition)));
    test.context.runTasks();
  }

  private boolean isThere(String session) {
    return test.room().occupant(Jid.of(session)) != null;
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "GONE",
        "ITEM_NOT_FOUND",
        "JID_MALFORMED",
        "RECIPIENT_UNAVAILABLE",
        "REDIRECT",
        "REMOTE_SERVER_NOT_FOUND",
        "REMOTE_SERVER_TIMEOUT",
        "SERVICE_UNAVAILABLE"
      })
  void section17_1_2_aSessionThatIsGoneIsRemoved(ErrorCondition condition) {
    test.context.account("hag@example.org");
    test.enter(HAG, "thirdwitch");
    returned(HAG, condition);
    assertThat(isThere(HAG)).isFalse();
    String gone =
        "<presence type='unavailable' from='coven@rooms.example.org/thirdwitch' to='%s'>"
            + "<x xmlns='http://jabber.org/protocol/muc#user'>"
            + "<item affiliation='none' role='none' jid='hag@example.org/pda'/>%s"
            + "<status code='333'/></x>"
            + "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='{any}'/></presence>";
    Expect.sent(
        test.context,
        gone.formatted("crone@example.org/desktop", ""),
        gone.formatted(HAG, "<status code='110'/>"));
  }

  @ParameterizedTest
  @EnumSource
  void anExistingSessionStaysWhateverItsClientAnswers(ErrorCondition condition) {
    test.context.bind(HAG);
    test.enter(HAG, "thirdwitch");
    returned(HAG, condition);
    assertThat(isThere(HAG)).isTrue();
    assertThat(test.context.takeSent()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"FEATURE_NOT_IMPLEMENTED", "NOT_ACCEPTABLE", "POLICY_VIOLATION", "FORBIDDEN"})
  void anErrorFromAnExistingSessionRemovesNobody(ErrorCondition condition) {
    test.enter(FOREIGN, "thirdwitch");
    returned(FOREIGN, condition);
    assertThat(isThere(FOREIGN)).isTrue();
  }

  @Test
  void aSessionOfAnotherServerIsRemovedWithoutAsking() {
    test.enter(FOREIGN, "thirdwitch");
    returned(FOREIGN, ErrorCondition.REMOTE_SERVER_NOT_FOUND);
    assertThat(isThere(FOREIGN)).isFalse();
  }

  /// The store is slow: its task waits while other users enter.
  @Test
  void theAddressOfADestroyedRoomIsFreeAtOnce() {
    Deque<Consumer<RoomHome>> later = new ArrayDeque<>();
    RoomExit slow =
        new RoomExit(
            test.context,
            new RoomBroadcast(test.context, () -> 0),
            test.repository,
            () ->
                new SingleRoom(test.home) {
                  @Override
                  public void submit(Jid address, boolean mayBlock, Consumer<RoomHome> task) {
                    later.add(task);
                  }
                });
    Jid crone = Jid.of("crone@example.org/desktop");
    slow.leave(test.home, test.live(), crone, null, List.of(), OccupantPresence.Event.NONE);
    assertThat(test.home.live()).isNull();

    // A user creates and configures another room before the first is deleted from the store.
    LiveRoom next =
        Objects.requireNonNull(test.repository.create(TestRoom.JID, Jid.of("hecate@example.org")));
    test.home.setLive(next);
    slow.deleteDestroyed(test.home);
    test.home.setLive(test.repository.saveNew(next, next.room().config(), List.of()));
    later.forEach(task -> task.accept(test.home));
    assertThat(
            Objects.requireNonNull(test.repository.open(TestRoom.JID).live())
                .room()
                .affiliations()
                .all())
        .containsOnlyKeys(Jid.of("hecate@example.org"));
  }

  @Test
  void aDestroyedRoomIsDeletedFromTheStore() {
    Jid crone = Jid.of("crone@example.org/desktop");
    exit.leave(test.home, test.live(), crone, null, List.of(), OccupantPresence.Event.NONE);
    assertThat(test.repository.open(TestRoom.JID).live()).isNull();
  }

  @Test
  void returnedPresenceCountsToo() {
    test.context.account("hag@example.org");
    test.enter(HAG, "thirdwitch");
    exit.handleError(
        test.home,
        test.live(),
        TestXml.presence(
            "<presence type='error' from='hag@example.org/pda' to='coven@rooms.example.org/x'>"
                + "<error type='cancel'><gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
                + "</presence>"));
    test.context.runTasks();
    assertThat(isThere(HAG)).isFalse();
  }

  // ---- what comes late (in a cluster)

  private void entersNow() {
    Occupant there = test.room().occupant(Jid.of(HAG));
    Occupant hag = there == null ? test.enter(HAG, "thirdwitch") : there;
    OccupantSession entered = Objects.requireNonNull(hag.session(Jid.of(HAG)));
    test.context.clock().advance(Duration.ofMillis(1));
    entered.setEnteredAt(ChronoUnit.MICROS.between(Instant.EPOCH, test.context.clock().instant()));
  }

  private void saysThatItIsNotThere(String id) {
    exit.handleError(
        test.home,
        test.live(),
        TestXml.message(
            "<message type='error' from='%s' to='coven@rooms.example.org' id='%s'>"
                    .formatted(HAG, id)
                + "<error type='wait'>"
                + "<recipient-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
                + "<not-entered xmlns='urn:zonda:muc:0'/></error></message>"));
    test.context.runTasks();
  }

  private boolean asks() {
    boolean asks = exit.asks(test.live(), Jid.of(HAG), null);
    test.context.runTasks();
    return asks;
  }

  @Test
  void aSessionThatHasJustEnteredIsAskedBeforeItIsRemoved() {
    test.context.bind(HAG);
    entersNow();
    assertThat(asks()).isTrue();
    String id = Objects.requireNonNull(test.context.sent().getFirst().id());
    Expect.sent(
        test.context,
        "<message type='groupchat' from='coven@rooms.example.org' to='%s' id='{any}'>"
                .formatted(HAG)
            + "<are-you-there xmlns='urn:zonda:muc:0'/></message>");
    assertThat(isThere(HAG)).isTrue();
    saysThatItIsNotThere(id);
    assertThat(isThere(HAG)).isFalse();
  }

  /// The session has entered after it refused a message.
  @Test
  void anErrorFromBeforeRemovesNobody() {
    test.context.bind(HAG);
    entersNow();
    saysThatItIsNotThere("m1");
    assertThat(isThere(HAG)).isTrue();
    String id = Objects.requireNonNull(test.context.takeSent().getFirst().id());
    entersNow();
    saysThatItIsNotThere(id);
    assertThat(isThere(HAG)).as("it has entered again since it was asked").isTrue();
  }

  @Test
  void aSessionThatIsGoneIsRemovedWithoutItsAnswer() {
    test.context.account("hag@example.org");
    entersNow();
    assertThat(asks()).isTrue();
    assertThat(isThere(HAG)).isFalse();
  }

  @Test
  void aSessionThatEnteredLongAgoOrOfAnotherServerIsNotAsked() {
    test.context.bind(HAG);
    entersNow();
    test.context.clock().advance(Duration.ofSeconds(31));
    assertThat(asks()).isFalse();
    test.enter(FOREIGN, "secondwitch");
    assertThat(exit.asks(test.live(), Jid.of(FOREIGN), null)).isFalse();
    assertThat(test.context.takeSent()).isEmpty();
  }
}
