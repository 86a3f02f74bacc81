package im.zonda.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.TextParseException;

/// The order of servers (RFC 2782).
class ServiceTest {
  private static Service service(int priority, int weight, int port) throws TextParseException {
    Name host = Name.fromString("x.example.");
    return new Service(
        new SRVRecord(host, DClass.IN, 300, priority, weight, port, host), port % 2 == 0, false);
  }

  /// How often each port came first.
  private static Map<Integer, Integer> first(List<Service> services, int rounds) {
    Random random = new Random(7);
    Map<Integer, Integer> count = new HashMap<>();
    for (int i = 0; i < rounds; i++) {
      List<Service> ordered = Service.inOrder(services, random);
      assertThat(ordered).containsExactlyInAnyOrderElementsOf(services);
      count.merge(ordered.getFirst().port(), 1, Integer::sum);
    }
    return count;
  }

  @Test
  void aLowerPriorityAlwaysComesFirst() throws Exception {
    List<Service> services =
        List.of(service(20, 65_535, 1), service(10, 0, 2), service(30, 9, 3), service(10, 1, 4));
    Random random = new Random(7);
    for (int i = 0; i < 100; i++) {
      List<Integer> priorities = new ArrayList<>();
      Service.inOrder(services, random)
          .forEach(each -> priorities.add(each.record().getPriority()));
      assertThat(priorities).containsExactly(10, 10, 20, 30);
    }
  }

  @Test
  void weightsAreShares() throws Exception {
    Map<Integer, Integer> count =
        first(List.of(service(0, 60, 1), service(0, 30, 2), service(0, 10, 3)), 10_000);
    assertThat(count.get(1)).isBetween(5_700, 6_300);
    assertThat(count.get(2)).isBetween(2_700, 3_300);
    assertThat(count.get(3)).isBetween(700, 1_300);
  }

  @Test
  void weightZeroHasASmallChance() throws Exception {
    Map<Integer, Integer> count = first(List.of(service(0, 99, 1), service(0, 0, 2)), 10_000);
    assertThat(count.get(2)).isBetween(20, 400);
  }

  @Test
  void withoutWeightsAllAreTried() throws Exception {
    assertThat(Service.inOrder(List.of(service(0, 0, 1), service(0, 0, 2)), new Random(1)))
        .hasSize(2);
    assertThat(Service.inOrder(List.of(), new Random(1))).isEmpty();
  }
}
