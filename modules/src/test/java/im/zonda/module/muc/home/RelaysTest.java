package im.zonda.module.muc.home;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.Relays.Relay;
import im.zonda.module.muc.room.RoomMemory;
import org.junit.jupiter.api.Test;

class RelaysTest {
  private static final Jid ASKER = Jid.of("hag@example.org/pda");
  private static final Jid ASKED = Jid.of("crone@example.org/desktop");
  private static final Jid AS = Jid.of("coven@rooms.example.org/firstwitch");

  private final Relays relays = new Relays(new RoomMemory(10_000_000));

  private static Relay relay(long since) {
    return relay(ASKER, since);
  }

  private static Relay relay(Jid asker, long since) {
    return new Relay(asker, "v1", ASKED, AS, since);
  }

  /// Reliability row 80.
  @Test
  void row80_onlyWhoWasAskedAnswersAndOnce() {
    assertThat(relays.begin("r1", relay(0))).isTrue();
    assertThat(relays.end("r1", ASKER)).isNull();
    assertThat(relays.end("r2", ASKED)).isNull();
    assertThat(relays.end("r1", ASKED)).isEqualTo(relay(0));
    assertThat(relays.end("r1", ASKED)).isNull();
  }

  /// Reliability row 80.
  @Test
  void row80_noMoreThanSoManyWait() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(relays.begin("r" + i, relay(Jid.of("u" + i % 10 + "@example.org/x"), i))).isTrue();
    }
    assertThat(relays.begin("one more", relay(0))).isFalse();
    assertThat(relays.overdue(Relays.PATIENCE_MILLIS + 9)).hasSize(10);
    assertThat(relays.begin("one more", relay(60_000))).isTrue();
  }

  /// Reliability row 80.
  @Test
  void row80_nobodyTakesAll() {
    for (int i = 0; i < 100; i++) {
      assertThat(relays.begin("r" + i, relay(0))).isTrue();
    }
    assertThat(relays.begin("one more", relay(Jid.of("hag@example.org/home"), 0))).isFalse();
    assertThat(relays.begin("one more", relay(Jid.of("hecate@example.org/x"), 0))).isTrue();
  }
}
