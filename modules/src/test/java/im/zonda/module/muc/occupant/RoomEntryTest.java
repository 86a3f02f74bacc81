package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.module.muc.home.TestOrigin;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Presence;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoomEntryTest {
  private static final Jid HAG = Jid.of("hag@example.org/pda");
  private static final Presence PRESENCE =
      TestXml.presence(
          "<presence from='hag@example.org/pda' to='coven@rooms.example.org/thirdwitch'>"
              + "<x xmlns='http://jabber.org/protocol/muc'/></presence>");

  private final TestRoom test = new TestRoom();
  private final RoomEntry entry;
  private final Occupant hag;

  RoomEntryTest() {
    test.context.stores().messages().keepOrigins();
    entry =
        new RoomEntry(
            test.context,
            () -> test.settings,
            new RoomBroadcast(test.context, () -> 0),
            test.repository,
            creator -> true);
    hag = test.enter(HAG.toString(), "thirdwitch");
    hag.mainSession().setEnteredAt(5);
  }

  private long enteredAtAfter(Origin origin) {
    entry.rejoin(
        test.live(), hag, hag.mainSession(), PRESENCE, new Envelope(PRESENCE, origin, null));
    assertThat(test.context.takeSent()).isNotEmpty();
    return Objects.requireNonNull(hag.session(HAG)).enteredAt();
  }

  /// What the room has said since the session has entered may not have reached it.
  @ParameterizedTest
  @ValueSource(longs = {1, 4_000})
  void aSessionThatEntersAgainAfterTheDeathOfItsHomeHasBeenThereSinceItEntered(long age) {
    assertThat(enteredAtAfter(new TestOrigin(null, 0, age))).isEqualTo(5);
  }

  @Test
  void aSessionThatEntersAgainHasEnteredNow() {
    assertThat(enteredAtAfter(Origin.NONE)).isGreaterThan(1_000_000);
  }
}
