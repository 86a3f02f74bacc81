package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.journal.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Each reason has a situation in which it is what is found.
class ReasonsTest {
  private static final List<String> TESTS =
      List.of(
          "journal/SituationsTest.java",
          "journal/FateTest.java",
          "federation/WhyAcrossServersTest.java");

  /// Reasons whose situations need more than one server that works: faults, floods, guests.
  private static final Set<Reason> UNPROVED =
      EnumSet.of(
          Reason.COMPONENT_QUEUE_FULL,
          Reason.GUEST_NOT_ALLOWED,
          Reason.HOST_REMOVED,
          Reason.MODULE,
          Reason.REFUSED,
          Reason.REMOTE_QUEUE_FULL,
          Reason.REMOTE_TOO_LARGE,
          Reason.REMOTE_UNREACHABLE,
          Reason.REMOTE_UNTRUSTED,
          Reason.SERVER_FAILURE,
          Reason.STORE_UNAVAILABLE);

  @Test
  void eachHasASituation() throws IOException {
    Path folder = Path.of("app/src/test/java/im/zonda/app");
    StringBuilder tests = new StringBuilder();
    for (String test : TESTS) {
      tests.append(SourceTree.read(folder.resolve(test)));
    }
    EnumSet<Reason> missing = EnumSet.noneOf(Reason.class);
    for (Reason reason : Reason.values()) {
      boolean found =
          tests.indexOf("Reason." + reason + ",") >= 0
              || tests.indexOf('"' + reason.word() + '"') >= 0;
      if (!found) {
        missing.add(reason);
      }
    }
    assertThat(missing).isEqualTo(UNPROVED);
  }
}
