package im.zonda.link;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.ServerStreamFailure.Reason;
import org.junit.jupiter.api.Test;

class ServerStreamFailureTest {
  /// It is kept for each pair of domains.
  @Test
  void whatTheOtherServerHasSaidIsCut() {
    String said = "x".repeat(262_144);
    assertThat(new ServerStreamFailure(Reason.CLOSED, said).detail())
        .isEqualTo("x".repeat(500) + "…");
    assertThat(new ServerStreamFailure(Reason.CLOSED, "short").detail()).isEqualTo("short");
  }
}
