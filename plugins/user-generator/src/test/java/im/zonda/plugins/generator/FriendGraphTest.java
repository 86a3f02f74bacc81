package im.zonda.plugins.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FriendGraphTest {
  private static List<Set<Integer>> contacts(long seed, int people, int wanted) {
    FriendGraph graph = new FriendGraph(new Randomness(seed), people, wanted);
    List<Set<Integer>> all = new ArrayList<>();
    for (int person = 0; person < people; person++) {
      int[] contacts = graph.contacts(person);
      Set<Integer> own = new HashSet<>();
      Arrays.stream(contacts).forEach(own::add);
      assertThat(own).as("of " + person).hasSize(contacts.length).doesNotContain(person);
      all.add(own);
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 40",
    "2, 0",
    "2, 1",
    "3, 1",
    "3, 2",
    "4, 3",
    "5, 3",
    "5, 40",
    "6, 3",
    "40, 40",
    "41, 40",
    "42, 40",
    "42, 41",
    "99, 7",
    "100, 7",
    "159, 40",
    "160, 40",
    "161, 1",
    "161, 41",
    "319, 40",
    "320, 40",
    "321, 40",
    "321, 41",
    "500, 1",
    "500, 2",
    "500, 39",
    "501, 39",
    "640, 79",
    "641, 80",
    "1000, 40",
    "1200, 333",
    "2000, 500",
    "2001, 501"
  })
  void everyoneHasAsManyContactsAndIsOneOfTheirs(int people, int wanted) {
    List<Set<Integer>> all = contacts(7, people, wanted);
    int each = Math.min(wanted, people - 1);
    int fewer = 0;
    for (int person = 0; person < people; person++) {
      int self = person;
      assertThat(all.get(person)).allMatch(contact -> all.get(contact).contains(self));
      fewer += each - all.get(person).size();
    }
    assertThat(fewer).isEqualTo(each % 2 == 1 && people % 2 == 1 ? 1 : 0);
  }

  @Test
  void thereIsAWayFromEveryoneToEveryone() {
    List<Set<Integer>> all = contacts(1, 1_000, 10);
    Set<Integer> reached = new HashSet<>(Set.of(0));
    List<Integer> next = new ArrayList<>(reached);
    while (!next.isEmpty()) {
      List<Integer> found = new ArrayList<>();
      for (int person : next) {
        all.get(person).stream().filter(reached::add).forEach(found::add);
      }
      next = found;
    }
    assertThat(reached).hasSize(1_000);
  }

  @Test
  void theSeedDecides() {
    assertThat(contacts(3, 500, 20)).isEqualTo(contacts(3, 500, 20));
    assertThat(contacts(3, 500, 20)).isNotEqualTo(contacts(4, 500, 20));
  }

  @Test
  void mostContactsOfThoseWhoAreCreatedAtOnceAreAmongThem() {
    List<Set<Integer>> all = contacts(1, 3_200, 40);
    long outside = 0;
    for (int person = 0; person < 3_200; person++) {
      int portion = person / Creation.PORTION;
      outside +=
          all.get(person).stream().filter(each -> each / Creation.PORTION != portion).count();
    }
    assertThat(outside).isLessThan(3_200 * 40 / 20);
  }
}
