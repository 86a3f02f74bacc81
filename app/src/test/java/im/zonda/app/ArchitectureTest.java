package im.zonda.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The product keeps the rules, and each rule is seen to fail on a planted violation.
@TestInstance(Lifecycle.PER_CLASS)
class ArchitectureTest {
  private static final ArchitectureRules PRODUCT = new ArchitectureRules("im.zonda");
  private static final ArchitectureRules PLANTED = new ArchitectureRules("planted");

  private final JavaClasses product =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("im.zonda")
          .that(not(resideInAPackage("im.zonda.testkit..")));

  private final JavaClasses planted = new ClassFileImporter().importPackages("planted");

  /// A rule under two names: as it is for the product, and as it is for what is planted.
  record Rule(String name, List<ArchRule> product, List<ArchRule> planted) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Rule rule(
      String name, java.util.function.Function<ArchitectureRules, List<ArchRule>> of) {
    return new Rule(name, of.apply(PRODUCT), of.apply(PLANTED));
  }

  static Stream<Rule> rules() {
    return Stream.of(
        rule("ladder", ArchitectureRules::ladder),
        rule("modules do not know each other", r -> List.of(r.modulesDoNotKnowEachOther())),
        rule("api holds contracts only", ArchitectureRules::apiHoldsContractsOnly),
        rule("modules see no secrets", r -> List.of(r.modulesSeeNoSecrets())),
        rule("stores know contracts only", r -> List.of(r.storesKnowContractsOnly())),
        rule("no cycles", r -> List.of(r.noCycles())),
        rule("SQL in storage only", r -> List.of(r.sqlInStorageOnly())),
        rule("Netty in net only", r -> List.of(r.nettyInNetOnly())),
        rule("only the program prints", r -> List.of(r.onlyTheProgramPrints())),
        rule("time and chance", r -> List.of(r.timeAndChanceAreHandedIn())),
        rule("the clock", r -> List.of(r.theProgramOwnsTheClock())),
        rule("no static mutable state", ArchitectureRules::noStaticMutableState),
        rule("names", r -> List.of(r.namesSaySomething())),
        rule("modules start no threads", r -> List.of(r.modulesStartNoThreads())),
        rule("null-marked", r -> List.of(r.everyPackageIsNullMarked())));
  }

  @Test
  void thereIsSomethingToCheck() {
    assertThat(product.size()).isGreaterThan(200);
    assertThat(product.contain("im.zonda.module.ping.PingModule")).isTrue();
    assertThat(product.contain("im.zonda.net.NetServer")).isTrue();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theProductKeepsIt(Rule rule) {
    rule.product().forEach(one -> one.check(product));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void aPlantedViolationIsFound(Rule rule) {
    long violations =
        rule.planted().stream()
            .mapToLong(one -> one.evaluate(planted).getFailureReport().getDetails().size())
            .sum();
    assertThat(violations).isPositive();
  }

  @Test
  void whatIsAllowedIsNotFound() {
    assertThat(
            PLANTED
                .modulesDoNotKnowEachOther()
                .evaluate(planted)
                .getFailureReport()
                .getDetails()
                .toString())
        .contains("planted.module.one")
        .doesNotContain("planted.module.presence");
  }
}
