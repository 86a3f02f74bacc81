package im.zonda.app.journal;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.journal.Reason;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Each reason has a situation in which it is found.
class ReasonsTest {
  /// What [FateTest] finds besides the causes.
  private static final Set<Reason> BESIDE =
      EnumSet.of(
          Reason.NEGATIVE_PRIORITY,
          Reason.NOT_ASKED,
          Reason.OFFLINE,
          Reason.PUSHED,
          Reason.PUSH_DISABLED,
          Reason.PUSH_FAILED,
          Reason.WAITS_IN_LOG,
          Reason.WOULD_ARRIVE);

  /// What [im.zonda.app.federation] finds.
  private static final Set<Reason> ACROSS_SERVERS =
      EnumSet.of(
          Reason.LEFT_SENDER,
          Reason.REMOTE_ERROR,
          Reason.REMOTE_NOT_ALLOWED,
          Reason.REMOTE_NO_SUCH_DOMAIN,
          Reason.REMOTE_QUEUE_FULL,
          Reason.REMOTE_SLOWED,
          Reason.REMOTE_TOO_LARGE,
          Reason.REMOTE_UNREACHABLE,
          Reason.REMOTE_UNTRUSTED,
          Reason.REMOTE_WAITS,
          Reason.STRANGER,
          Reason.STRANGER_HELD);

  /// What [FaultsTest] finds.
  private static final Set<Reason> FAULTS =
      EnumSet.of(
          Reason.COMPONENT_QUEUE_FULL,
          Reason.FILES_FULL,
          Reason.FILE_TOO_LARGE,
          Reason.GUEST_NOT_ALLOWED,
          Reason.HOST_REMOVED,
          Reason.MODULE,
          Reason.NOT_FOR_HOST,
          Reason.REFUSED,
          Reason.ROOM_HAS_IT,
          Reason.ROOM_MEMORY,
          Reason.ROOM_NOT_CREATED,
          Reason.ROOM_NOT_STORED,
          Reason.SERVER_FAILURE,
          Reason.STORE_UNAVAILABLE);

  @Test
  void eachHasASituation() {
    EnumSet<Reason> missing = EnumSet.allOf(Reason.class);
    missing.removeAll(SituationsTest.causes());
    missing.removeAll(BESIDE);
    missing.removeAll(ACROSS_SERVERS);
    missing.removeAll(FAULTS);
    assertThat(missing).isEmpty();
    assertThat(Reason.values()).hasSizeGreaterThanOrEqualTo(60);
  }
}
