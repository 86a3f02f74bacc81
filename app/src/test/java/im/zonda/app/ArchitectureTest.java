package im.zonda.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import im.zonda.app.structure.Knots;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The product keeps the rules, and each rule is seen to fail on a planted violation.
@TestInstance(Lifecycle.PER_CLASS)
class ArchitectureTest {
  /// The most lines of the sources of a knot.
  private static final long KNOT_LINES = 1_500;

  private static final ArchitectureRules PRODUCT = new ArchitectureRules("im.zonda");
  private static final ArchitectureRules PLANTED = new ArchitectureRules("planted");

  private final JavaClasses product =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("im.zonda")
          .that(not(resideInAnyPackage("im.zonda.testkit..", "im.zonda.bench..")));

  /// What is no part of the server: test kit and load generator.
  private final JavaClasses tools =
      new ClassFileImporter().importPackages("im.zonda.testkit", "im.zonda.bench");

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
        rule("ladder", r -> List.of(r.ladder())),
        rule("modules do not know each other", r -> List.of(r.modulesDoNotKnowEachOther())),
        rule(
            "implementations are used by the program only",
            ArchitectureRules::implementationsAreUsedByTheProgramOnly),
        rule("api holds contracts only", ArchitectureRules::apiHoldsContractsOnly),
        rule("modules see no secrets", r -> List.of(r.modulesSeeNoSecrets())),
        rule("no cycles", r -> List.of(r.noCycles())),
        rule("SQL in storage only", r -> List.of(r.sqlInStorageOnly())),
        rule("Netty in net only", r -> List.of(r.nettyInNetOnly())),
        rule("actions", r -> List.of(r.actionsAreRunByTheExecutorOnly())),
        rule("only the program prints", r -> List.of(r.onlyTheProgramPrints())),
        rule("time and chance", r -> List.of(r.timeAndChanceAreHandedIn())),
        rule("the clock", r -> List.of(r.theProgramOwnsTheClock())),
        rule("no static mutable state", r -> List.of(r.noStaticMutableState())),
        rule("stored addresses", r -> List.of(r.storedAddressesAreReadAsStored())),
        rule("names", r -> List.of(r.namesSaySomething())),
        rule("modules start no threads", r -> List.of(r.modulesStartNoThreads())),
        rule("null-marked", r -> List.of(r.everyPackageIsNullMarked())));
  }

  /// No package is one large class in many files; prints the largest knots.
  @Test
  void noKnotIsLarge() throws IOException {
    List<Knots.Knot> knots = Knots.largest(product);
    System.out.println(Knots.table(knots));
    for (Knots.Knot knot : knots) {
      assertThat(Knots.lines(knot)).as("%s", knot).isLessThanOrEqualTo(KNOT_LINES);
    }
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

  /// The sub-packages of a module have an order, and the module's own package comes after them.
  @Test
  void theLadderHoldsInsideOfAModule() {
    String found =
        String.join("\n", PLANTED.ladder().evaluate(planted).getFailureReport().getDetails());
    assertThat(found)
        .contains("planted.module.muc.room.UsesHome")
        .contains("planted.module.muc.room.UsesModule")
        .doesNotContain("planted.module.muc.MucModule.below");
  }

  @Test
  void everyRungHoldsAPackage() {
    assertThat(PRODUCT.emptyRungs(product)).isEmpty();
    assertThat(PLANTED.emptyRungs(planted)).contains("xml").doesNotContain("jid", "module.*");
  }

  @Test
  void theLadderFindsWhatUsesAHigherRungAndWhatHasNone() {
    List<String> found =
        PLANTED.ladder().evaluate(planted).getFailureReport().getDetails().stream()
            .map(detail -> detail.replaceAll(" in \\(.*", ""))
            .distinct()
            .toList();
    assertThat(found)
        .anyMatch(detail -> detail.contains("planted.jid.Upward"))
        .contains("planted.unmarked is on no rung")
        .noneMatch(detail -> detail.contains("planted.module.one"));
  }

  @Test
  void clientsShareNoCodeWithTheServer() {
    PRODUCT.clientsShareNoCodeWithTheServer().forEach(rule -> rule.check(tools));
    assertThat(
            PLANTED.clientsShareNoCodeWithTheServer().stream()
                .map(rule -> rule.evaluate(planted).getFailureReport().toString())
                .toList())
        .anyMatch(report -> report.contains("planted.bench.Generator"));
  }

  @Test
  void staticFieldsHoldNothingThatChanges() throws Exception {
    assertThat(new StaticState(ArchitectureRules.SHARED.keySet()).find(reflect(product))).isEmpty();
  }

  @Test
  void staticFieldsThatHoldWhatChangesAreFound() throws Exception {
    List<String> found = new StaticState(Set.of("planted.Gone.FIELD")).find(reflect(planted));
    assertThat(found)
        .contains("planted.stanza.Something.count is not final")
        .contains("planted.stanza.Shared.NAMES holds a java.util.ArrayList")
        .contains(
            "planted.stanza.Shared.COUNTS value of a holds a"
                + " java.util.concurrent.atomic.AtomicLong")
        .contains("planted.stanza.Shared.SHOWN is an array that others can change")
        .contains("planted.stanza.Shared.BOX Box.content is not final")
        .contains("planted.Gone.FIELD needs no exception")
        .noneMatch(problem -> problem.matches(".*Shared\\.(KEPT|WORDS|PAIR).*"));
  }

  private static List<Class<?>> reflect(JavaClasses classes) {
    return classes.stream().<Class<?>>map(JavaClass::reflect).toList();
  }

  @Test
  void modulesShowTheirModuleOnly() {
    assertThat(PRODUCT.shownByModules(product)).isEqualTo(ModuleDependencies.SHOWN.keySet());
    assertThat(PLANTED.shownByModules(planted)).contains("planted.module.two.Two");
  }

  @Test
  void toolsHaveNoCycles() {
    PRODUCT.noCycles().check(tools);
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
