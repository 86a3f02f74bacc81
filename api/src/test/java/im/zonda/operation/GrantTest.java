package im.zonda.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class GrantTest {
  private static final Grant HOST_ADMIN = new Grant(Role.HOST_ADMIN, Set.of("a.example"), null);

  @Test
  void noOneGivesWhatTheyDoNotHave() {
    assertThat(Grant.ALL.covers(HOST_ADMIN)).isTrue();
    assertThat(Grant.ALL.covers(new Grant(Role.AUDITOR, null, null))).isTrue();
    assertThat(HOST_ADMIN.covers(Grant.ALL)).isFalse();
    assertThat(HOST_ADMIN.covers(new Grant(Role.HOST_ADMIN, Set.of("b.example"), null))).isFalse();
    assertThat(
            HOST_ADMIN.covers(new Grant(Role.HOST_ADMIN, Set.of("a.example"), Set.of(Right.ROOMS))))
        .isTrue();
    assertThat(new Grant(Role.OPERATOR, null, null).covers(new Grant(Role.READ_ONLY, null, null)))
        .isTrue();
    assertThat(new Grant(Role.READ_ONLY, null, null).covers(new Grant(Role.OPERATOR, null, null)))
        .isFalse();
    assertThat(Grant.ALL.covers(new Grant(Role.AUDITOR, null, Set.of(Right.CONTENT))))
        .as("the contents of messages are granted by themselves")
        .isFalse();
  }

  @Test
  void theAdministratorOfAHostIsOneOfSomeHosts() {
    assertThatThrownBy(() -> new Grant(Role.HOST_ADMIN, null, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
