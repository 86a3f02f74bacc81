package im.zonda.module.muc.stanza;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.stanza.OccupantPresence.Event;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Presence in rooms above the limit of full presence.
class RoomBroadcastTest {
  private final TestRoom stage = new TestRoom();
  private final RoomBroadcast broadcast = new RoomBroadcast(stage.context, () -> 3);

  private Occupant enter(String session, String nick) {
    Occupant who = stage.enter(session, nick);
    broadcast.sendAvailable(stage.room(), who, List.of(), Event.NONE);
    return who;
  }

  /// The nicknames whose presence a session has received since the last call.
  private List<String> toldTo(String session) {
    return stage.context.takeSent().stream()
        .filter(stanza -> stanza instanceof Presence)
        .filter(stanza -> session.equals(String.valueOf(stanza.to())))
        .map(RoomBroadcastTest::nick)
        .toList();
  }

  private static String nick(Stanza stanza) {
    return Objects.requireNonNull(Objects.requireNonNull(stanza.from()).resource());
  }

  @Test
  void aboveTheLimitOnlyModeratorsReceiveThePresenceOfOrdinaryOccupants() {
    enter("crone@example.org/desktop", "crone");
    enter("one@example.org/x", "one");
    enter("two@example.org/x", "two");
    assertThat(toldTo("one@example.org/x")).containsExactly("two");
    Occupant three = enter("three@example.org/x", "three");
    assertThat(three.isAnnounced()).isFalse();
    assertThat(stage.context.takeSent())
        .extracting(stanza -> String.valueOf(stanza.to()))
        .containsExactly("crone@example.org/desktop");
  }

  @Test
  void aUserWhoEntersALargeRoomReceivesModeratorsOnly() {
    Occupant crone = enter("crone@example.org/desktop", "crone");
    enter("one@example.org/x", "one");
    enter("two@example.org/x", "two");
    Occupant three = enter("three@example.org/x", "three");
    stage.context.takeSent();
    broadcast.sendOccupantsTo(stage.room(), three, three.mainSession());
    assertThat(toldTo("three@example.org/x")).containsExactly("crone");
    broadcast.sendOccupantsTo(stage.room(), crone, crone.mainSession());
    assertThat(toldTo("crone@example.org/desktop")).containsExactly("one", "two", "three");
  }

  @Test
  void theExitOfAnAnnouncedOccupantIsSentToEveryone() {
    enter("crone@example.org/desktop", "crone");
    Occupant one = enter("one@example.org/x", "one");
    enter("two@example.org/x", "two");
    Occupant three = enter("three@example.org/x", "three");
    stage.context.takeSent();
    stage.room().remove(one);
    broadcast.sendUnavailable(stage.room(), one, List.of(), one.mainSession().jid(), Event.NONE);
    assertThat(toldTo("three@example.org/x")).containsExactly("one");
    stage.room().remove(three);
    broadcast.sendUnavailable(
        stage.room(), three, List.of(), three.mainSession().jid(), Event.NONE);
    assertThat(toldTo("two@example.org/x")).isEmpty();
  }
}
