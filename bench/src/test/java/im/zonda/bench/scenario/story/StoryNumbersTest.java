package im.zonda.bench.scenario.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import im.zonda.bench.load.Options;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoryNumbersTest {
  private static Options options(String... pairs) {
    Map<String, String> values = new HashMap<>();
    new StoryScenario().options().forEach(option -> values.put(option.name(), option.usual()));
    values.put("warm-up", "30");
    values.put("seconds", "30");
    for (String pair : pairs) {
      values.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return new Options(values);
  }

  @Test
  void theUsualStoryIsThatOfTheStudies() {
    StoryNumbers numbers = StoryNumbers.of(options());
    assertEquals(100, numbers.rate());
    assertEquals(30, numbers.contacts());
    // 7 s of thinking and 10 s to spare, at 100 a second
    assertEquals(1_700, numbers.pool());
    assertEquals(1_900, new StoryScenario().plan(options()).accounts());
    assertEquals(1_800, new StoryScenario().plan(options()).sockets());
  }

  @Test
  void nobodyIsTwoKindsOfPeople() {
    StoryNumbers numbers =
        StoryNumbers.of(options("rate=2", "listeners=3", "absent=4", "rooms=3", "think=0"));
    Set<Integer> absent = new HashSet<>();
    Set<Integer> visitors = new HashSet<>();
    for (int story = 0; story < 100; story++) {
      absent.add(numbers.absentee(story));
      visitors.add(numbers.visitor(story));
    }
    assertEquals(Set.of(3, 4, 5, 6), absent);
    assertEquals(20, visitors.size());
    assertEquals(7, visitors.stream().mapToInt(each -> each).min().orElseThrow());
    assertEquals(
        numbers.accounts() - 1, visitors.stream().mapToInt(each -> each).max().orElseThrow());
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    for (String wrong : List.of("rate=0", "rate=1e9", "rooms=101", "listeners=0", "think=-1")) {
      assertThrows(IllegalArgumentException.class, () -> StoryNumbers.of(options(wrong)));
    }
  }
}
