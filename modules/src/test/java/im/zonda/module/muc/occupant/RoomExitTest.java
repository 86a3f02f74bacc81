package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.SingleRoom;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.stanza.OccupantPresence;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
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
}
