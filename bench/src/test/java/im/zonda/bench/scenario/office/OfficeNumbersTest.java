package im.zonda.bench.scenario.office;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import im.zonda.bench.load.Options;
import im.zonda.bench.load.Plan;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OfficeNumbersTest {
  private static Options options(String... pairs) {
    Map<String, String> values = new HashMap<>();
    new OfficeScenario().options().forEach(option -> values.put(option.name(), option.usual()));
    for (String pair : pairs) {
      values.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return new Options(values);
  }

  @Test
  void theUsualNumbersAreThoseOfTheStudy() {
    OfficeNumbers numbers = OfficeNumbers.of(options());
    assertEquals(1_500, numbers.active());
    assertEquals(3_000, numbers.late());
    Plan plan = new OfficeScenario().plan(options());
    assertEquals(13_000, plan.accounts());
    assertEquals(40, plan.contacts());
    assertEquals(13_000, plan.sockets());
  }

  @Test
  void usersLogInOneAfterAnotherAndTheLateOnesAfterSeventyPercentOfTheTime() {
    OfficeNumbers numbers =
        OfficeNumbers.of(
            options("users=100", "active=10", "late=20", "login-rate=10", "seconds=100"));
    assertEquals(0, numbers.login(0));
    assertEquals(9_900_000_000L, numbers.login(99));
    assertEquals(70_000_000_000L, numbers.login(100));
    assertEquals(71_900_000_000L, numbers.login(119));
    assertEquals(50, numbers.there(5_000_000_000L));
    assertEquals(100, numbers.there(90_000_000_000L));
  }

  @Test
  void activeUsersAreTheFirstOnesAndTheLateOnes() {
    OfficeNumbers numbers =
        OfficeNumbers.of(
            options("users=100", "active=10", "late=20", "active-rate=2", "quiet-interval=600"));
    assertEquals(0.5, numbers.interval(9));
    assertEquals(600, numbers.interval(10));
    assertEquals(0.5, numbers.interval(100));
  }

  @Test
  void loginsThatTakeTooLongAreRefused() {
    Options options = options("users=50000", "login-rate=100");
    assertThrows(IllegalArgumentException.class, () -> OfficeNumbers.of(options));
  }

  @Test
  void requestsAreMadeAsOftenAsTheirWeightsSay() {
    Weights weights = Weights.parse("message=75,vcard=25");
    SplittableRandom random = new SplittableRandom(1);
    Map<Weights.Request, Integer> counts = new EnumMap<>(Weights.Request.class);
    for (int i = 0; i < 10_000; i++) {
      counts.merge(weights.next(random), 1, Integer::sum);
    }
    assertEquals(2, counts.size());
    int vcards = counts.getOrDefault(Weights.Request.VCARD, 0);
    assertTrue(vcards > 2_300 && vcards < 2_700, vcards + " of 10000");
  }

  @Test
  void weightsOfAnotherFormAreRefused() {
    for (String wrong : new String[] {"", "message", "message=-1", "dance=1", "roster=0"}) {
      assertThrows(IllegalArgumentException.class, () -> Weights.parse(wrong));
    }
  }
}
