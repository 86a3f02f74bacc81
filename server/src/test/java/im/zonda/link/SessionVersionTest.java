package im.zonda.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The laws of versions, on all small ones.
class SessionVersionTest {
  private static final int MOST = 3;

  private static List<SessionVersion> all() {
    List<SessionVersion> all = new ArrayList<>();
    for (int resumptions = 0; resumptions < MOST; resumptions++) {
      for (int sent = 0; sent < MOST; sent++) {
        for (int handled = 0; handled < MOST; handled++) {
          all.add(new SessionVersion(resumptions, sent, handled));
        }
      }
    }
    return all;
  }

  @Test
  void eachCoversItselfAndWhatIsCoveredByWhatItCovers() {
    for (SessionVersion a : all()) {
      assertThat(a.covers(a)).isTrue();
      for (SessionVersion b : all()) {
        if (a.covers(b) && b.covers(a)) {
          assertThat(a).isEqualTo(b);
        }
        for (SessionVersion c : all()) {
          if (a.covers(b) && b.covers(c)) {
            assertThat(a.covers(c)).isTrue();
          }
        }
      }
    }
  }

  @Test
  void noneLacksSomethingOfOneThatItCovers() {
    for (SessionVersion a : all()) {
      for (SessionVersion b : all()) {
        if (a.covers(b)) {
          assertThat(a.lacks(b)).isFalse();
        } else {
          assertThat(a.lacks(b) || a.resumptions() > b.resumptions()).isTrue();
        }
      }
    }
  }

  /// Two homes have made versions from one snapshot, one after the other.
  @Test
  void eachOfTwoMayLackSomethingOfTheOther() {
    SessionVersion first = new SessionVersion(1, 8, 690);
    SessionVersion second = new SessionVersion(1, 7, 691);
    assertThat(first.covers(second)).isFalse();
    assertThat(second.covers(first)).isFalse();
    assertThat(first.lacks(second)).isTrue();
    assertThat(second.lacks(first)).isTrue();
  }

  /// Whatever a home does with a session, its version grows.
  @Test
  void thoseOfOneHomeAfterTheOtherAreInOrder() {
    SplittableRandom random = new SplittableRandom(1);
    List<SessionVersion> made = new ArrayList<>();
    SessionVersion now = SessionVersion.FIRST;
    long epoch = 1;
    for (int i = 0; i < 1_000; i++) {
      made.add(now);
      epoch += random.nextInt(3);
      now =
          switch (random.nextInt(3)) {
            case 0 ->
                new SessionVersion(
                    SessionVersion.nextResumption(now.resumptions(), epoch),
                    now.sent(),
                    now.handled());
            case 1 -> new SessionVersion(now.resumptions(), now.sent() + 1, now.handled());
            default -> new SessionVersion(now.resumptions(), now.sent(), now.handled() + 1);
          };
    }
    for (int i = 1; i < made.size(); i++) {
      assertThat(made.get(i - 1).lacks(made.get(i))).isTrue();
      assertThat(made.get(i).lacks(made.get(i - 1))).isFalse();
    }
  }

  @Test
  void aResumptionHasAHigherNumberThanAllOfEarlierEpochs() {
    long last = 0;
    for (int i = 0; i < 1_000; i++) {
      last = SessionVersion.nextResumption(last, 5);
    }
    assertThat(SessionVersion.nextResumption(0, 6)).isGreaterThan(last);
    assertThat(SessionVersion.nextResumption(last, 5)).isEqualTo(last + 1);
  }

  @Test
  void withoutAClusterResumptionsAreCounted() {
    assertThat(SessionVersion.nextResumption(0, 0)).isEqualTo(1);
    assertThat(SessionVersion.nextResumption(7, 0)).isEqualTo(8);
  }
}
