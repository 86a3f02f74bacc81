package im.zonda.module.muc.home;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.ForwardedRequests.Forwarded;
import im.zonda.module.muc.room.RoomMemory;
import org.junit.jupiter.api.Test;

class ForwardedRequestsTest {
  private static final Jid ASKER = Jid.of("hag@example.org/pda");
  private static final Jid ASKED = Jid.of("crone@example.org/desktop");
  private static final Jid AS = Jid.of("coven@rooms.example.org/firstwitch");

  private final ForwardedRequests forwarded = new ForwardedRequests(new RoomMemory(10_000_000));

  private static Forwarded forwarded(long since) {
    return forwarded(ASKER, since);
  }

  private static Forwarded forwarded(Jid requester, long since) {
    return new Forwarded(requester, "v1", ASKED, AS, since);
  }

  /// Reliability row 80.
  @Test
  void row80_onlyTheRecipientRespondsAndOnce() {
    assertThat(forwarded.add("r1", forwarded(0))).isTrue();
    assertThat(forwarded.remove("r1", ASKER)).isNull();
    assertThat(forwarded.remove("r2", ASKED)).isNull();
    assertThat(forwarded.remove("r1", ASKED)).isEqualTo(forwarded(0));
    assertThat(forwarded.remove("r1", ASKED)).isNull();
  }

  /// Reliability row 80.
  @Test
  void row80_forwardedStanzasAreLimited() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(forwarded.add("r" + i, forwarded(Jid.of("u" + i % 10 + "@example.org/x"), i)))
          .isTrue();
    }
    assertThat(forwarded.add("one more", forwarded(0))).isFalse();
    assertThat(forwarded.removeExpired(ForwardedRequests.TIMEOUT_MILLIS + 9)).hasSize(10);
    assertThat(forwarded.add("one more", forwarded(60_000))).isTrue();
  }

  /// Reliability row 80.
  @Test
  void row80_oneAccountCannotTakeAllEntries() {
    for (int i = 0; i < 100; i++) {
      assertThat(forwarded.add("r" + i, forwarded(0))).isTrue();
    }
    assertThat(forwarded.add("one more", forwarded(Jid.of("hag@example.org/home"), 0))).isFalse();
    assertThat(forwarded.add("one more", forwarded(Jid.of("hecate@example.org/x"), 0))).isTrue();
  }
}
