package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.ack.HandledCount;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A session that has moved while two of its three stanzas were being handled.
class StreamManagementStateTest {
  private final StreamManagementState management =
      new StreamManagementState("id", new HandledCount(3, List.of(2L, 3L)));

  StreamManagementStateTest() {
    management.pendingElsewhere(1_000);
  }

  @Test
  void whatIsOwedIsCountedAgain() {
    assertThat(management.isPendingElsewhere()).isTrue();
    assertThat(management.abandonPending()).isEqualTo(1_000);
    assertThat(management.isPendingElsewhere()).isFalse();
    assertThat(management.handled().handled()).isEqualTo(1);
    assertThat(management.handled().isSettled()).isTrue();
  }

  @Test
  void whatIsCountedAgainMayBeHandledTwice() {
    boolean _ = management.abandonPending() > 0;
    management.handled().arrived(2);
    assertThat(management.counts(2)).isTrue();
    assertThat(management.handled().finished(2)).isTrue();
    assertThat(management.counts(2)).isFalse();
    assertThat(management.counts(3)).as("has not arrived again").isFalse();
  }

  /// Until the client has sent everything again.
  @Test
  void anotherHomeMayHaveHandledWhatIsSentAgain() {
    management.possiblyHandledSince(2_000);
    assertThat(management.possiblyHandledAge(100_000)).as("it has not begun").isEqualTo(98_000);
    management.resumed(100_000);
    assertThat(management.possiblyHandledAge(160_000)).as("not all is handled").isEqualTo(158_000);
    assertThat(management.handled().finished(2)).isTrue();
    assertThat(management.handled().finished(3)).isTrue();
    management.resumed(200_000);
    assertThat(management.possiblyHandledAge(205_000)).as("more may come").isEqualTo(203_000);
    assertThat(management.possiblyHandledAge(205_001)).isZero();
    assertThat(management.hasPossiblyHandled()).isFalse();
  }

  @Test
  void nothingIsSentAgainAfterAMinute() {
    management.possiblyHandledSince(2_000);
    management.resumed(100_000);
    assertThat(management.possiblyHandledAge(160_001)).isZero();
  }

  /// What its stanzas of later wait for is in this node.
  @Test
  void nothingIsOwedToASessionThatHasBeenResumed() {
    assertThat(management.handled().finished(2)).isTrue();
    assertThat(management.handled().finished(3)).isTrue();
    management.resumed(1_000);
    management.handled().arrived(4);
    assertThat(management.isPendingElsewhere()).isFalse();
  }
}
