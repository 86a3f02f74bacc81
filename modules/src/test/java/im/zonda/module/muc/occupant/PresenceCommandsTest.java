package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.module.muc.home.SingleRoom;
import im.zonda.module.muc.home.TestOrigin;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Presence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/// Unavailable presence of a session that has just entered, in a cluster.
class PresenceCommandsTest {
  private static final Jid HAG = Jid.of("hag@example.org/pda");
  private static final Presence UNAVAILABLE =
      TestXml.presence(
          "<presence type='unavailable' from='hag@example.org/pda'"
              + " to='coven@rooms.example.org/thirdwitch'/>");

  private final TestRoom test = new TestRoom();
  private final PresenceCommands commands;

  PresenceCommandsTest() {
    RoomBroadcast broadcast = new RoomBroadcast(test.context, () -> 0);
    commands =
        new PresenceCommands(
            test.context,
            () -> test.settings,
            broadcast,
            new RoomEntry(
                test.context, () -> test.settings, broadcast, test.repository, creator -> true),
            new RoomExit(
                test.context, broadcast, test.repository, () -> new SingleRoom(test.home)));
    test.context.bind(HAG.toString());
    test.enter("crone@example.org/desktop", "firstwitch");
    test.enter(HAG.toString(), "thirdwitch")
        .mainSession()
        .setEnteredAt(ChronoUnit.MICROS.between(Instant.EPOCH, test.context.clock().instant()));
  }

  private boolean isThereAfter(Origin origin) {
    commands.handle(test.home, UNAVAILABLE, new Envelope(UNAVAILABLE, origin, null));
    test.context.runTasks();
    return test.room().occupant(HAG) != null;
  }

  @Test
  void theClientLeaves() {
    assertThat(isThereAfter(new TestOrigin(HAG, 0, 0))).isFalse();
  }

  /// It may be the late answer to the former session.
  @Test
  void theSessionStaysUntilItHasAnswered() {
    assertThat(isThereAfter(Origin.NONE)).isTrue();
    assertThat(test.context.takeSent()).hasSize(1);
  }
}
