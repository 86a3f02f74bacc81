package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

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

  /// What its stanzas of later wait for is in this node.
  @Test
  void nothingIsOwedToASessionThatHasBeenResumed() {
    assertThat(management.handled().finished(2)).isTrue();
    assertThat(management.handled().finished(3)).isTrue();
    management.resumed();
    management.handled().arrived(4);
    assertThat(management.isPendingElsewhere()).isFalse();
  }
}
