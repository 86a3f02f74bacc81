package im.zonda.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private static final Readiness READY =
      new Readiness(() -> true, () -> true, () -> Standing.MEMBER, () -> true);

  @Test
  void nothingIsMissing() {
    assertThat(READY.missing()).isEmpty();
  }

  @Test
  void eachPartIsNamed() {
    assertThat(new Readiness(() -> false, READY.store(), READY.standing(), READY.listeners()))
        .returns(List.of("hosts"), Readiness::missing);
    assertThat(new Readiness(READY.hosts(), () -> false, READY.standing(), READY.listeners()))
        .returns(List.of("database"), Readiness::missing);
    assertThat(
            new Readiness(READY.hosts(), READY.store(), () -> Standing.WAITING, READY.listeners()))
        .returns(List.of("cluster"), Readiness::missing);
    assertThat(
            new Readiness(READY.hosts(), READY.store(), () -> Standing.DRAINING, READY.listeners()))
        .returns(List.of("draining"), Readiness::missing);
    assertThat(new Readiness(READY.hosts(), READY.store(), READY.standing(), () -> false))
        .returns(List.of("listeners"), Readiness::missing);
    assertThat(
            new Readiness(() -> false, () -> false, () -> Standing.WAITING, () -> false).missing())
        .containsExactly("hosts", "database", "cluster", "listeners");
  }
}
