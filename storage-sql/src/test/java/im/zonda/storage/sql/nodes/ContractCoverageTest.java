package im.zonda.storage.sql.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.storage.contract.StoresContract;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// A contract that two nodes on MariaDB keep in `./zonda test --all` only is always tested with two
/// nodes on PostgreSQL and with one server on MariaDB, and no contract is forgotten by one of them.
class ContractCoverageTest {
  private static final Set<Class<?>> ON_POSTGRESQL =
      contracts(PostgresqlNodesContractTest.class, _ -> true);
  private static final Set<Class<?>> ON_MARIADB =
      contracts(MariadbNodesContractTest.class, _ -> true);

  /// The contracts that are tested by the nested classes that a predicate accepts.
  private static Set<Class<?>> contracts(Class<?> test, Predicate<Class<?>> accepted) {
    return Arrays.stream(test.getDeclaredClasses())
        .filter(each -> each.isAnnotationPresent(Nested.class))
        .filter(accepted)
        .map(Class::getSuperclass)
        .peek(each -> assertThat(StoresContract.class).isAssignableFrom(each))
        .collect(Collectors.toSet());
  }

  private static boolean isConditional(Class<?> nested) {
    return nested.isAnnotationPresent(EnabledIfSystemProperty.class);
  }

  @Test
  void nodesOnBothDatabasesHaveTheSameContracts() {
    assertThat(ON_MARIADB).isEqualTo(ON_POSTGRESQL).isNotEmpty();
  }

  @Test
  void whatIsLeftOutRunsOnTheOtherDatabaseAndWithOneServer() throws ClassNotFoundException {
    Class<?> server = Class.forName("im.zonda.storage.sql.MariadbContractTest");
    Set<Class<?>> leftOut =
        contracts(MariadbNodesContractTest.class, ContractCoverageTest::isConditional);
    assertThat(leftOut).isNotEmpty().isNotEqualTo(ON_MARIADB);
    assertThat(contracts(PostgresqlNodesContractTest.class, each -> !isConditional(each)))
        .containsAll(leftOut);
    assertThat(contracts(server, each -> !isConditional(each))).containsAll(leftOut);
  }
}
