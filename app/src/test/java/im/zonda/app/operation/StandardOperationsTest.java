package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Operation;
import im.zonda.operation.Route;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The definitions of all operations.
class StandardOperationsTest {
  @Test
  void namesAreSortedAndThereIsOneOfEach() {
    List<String> names = StandardOperations.ALL.stream().map(Operation::name).toList();
    assertThat(names).isSorted().doesNotHaveDuplicates();
  }

  /// Otherwise one of them could not be reached.
  @Test
  void noTwoHaveTheSameRoute() {
    Set<String> routes = new HashSet<>();
    for (Operation<?, ?> each : StandardOperations.ALL) {
      Route route = each.route();
      String shape = route.method() + " " + route.path().replaceAll("\\{[^}]*}", "{}");
      assertThat(routes.add(shape)).as("%s: %s", each, shape).isTrue();
    }
  }

  @Test
  void titlesAreSentencesWithoutAFullStop() {
    for (Operation<?, ?> each : StandardOperations.ALL) {
      assertThat(each.title()).as(each.name()).matches("[A-Z][^.]*[^. ]");
    }
  }
}
