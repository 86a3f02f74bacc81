package im.zonda.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceRule;
import java.io.DataInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.jspecify.annotations.NullMarked;

/// The architecture as rules over the packages below one root.
final class ArchitectureRules {
  /// Calls the constructor of a string from bytes, or reads a stream of values.
  private static final DescribedPredicate<JavaClass> READS_BYTES =
      DescribedPredicate.describe(
          "read bytes",
          type ->
              type.getConstructorCallsFromSelf().stream()
                      .anyMatch(call ->
                          call.getTargetOwner().isEquivalentTo(String.class)
                              && call.getTarget().getRawParameterTypes().stream()
                                  .anyMatch(each -> each.isEquivalentTo(byte[].class)))
                  || type.getDirectDependenciesFromSelf().stream()
                      .anyMatch(each -> each.getTargetClass().isAssignableTo(DataInput.class)));

  /// Rungs that nobody but the program uses, though others stand above them: what they offer is
  /// used through the contracts that they implement.
  private static final List<String> USED_BY_THE_PROGRAM_ONLY = List.of("storage", "module.*");

  /// The packages of `api`.
  private static final List<String> CONTRACTS =
      List.of(
          "config",
          "journal",
          "store",
          "cluster",
          "account",
          "bytestream",
          "directory",
          "federation",
          "http",
          "file",
          "operation",
          "session",
          "hook",
          "module");

  /// Static fields that may hold what changes, with the reason.
  static final Map<String, String> SHARED =
      Map.of(
          "im.zonda.xml.framing.XmppFramer.SPARE",
          "an empty buffer per thread, kept to be used again: it carries nothing over",
          "im.zonda.app.settings.Keys.OWN",
          "the keys of each record, which never change, kept because reflection is slow",
          "im.zonda.provider.hash.Costs.FREE",
          "the memory of the process that checks of passwords share");

  private final String root;

  ArchitectureRules(String root) {
    this.root = root;
  }

  /// A package uses only those below it on the ladder.
  ArchRule ladder() {
    return classes().should(new Ladder(root, Ladder.RUNGS).climb());
  }

  /// The rungs on which none of the classes stands.
  List<String> emptyRungs(JavaClasses classes) {
    Ladder ladder = new Ladder(root, Ladder.RUNGS);
    List<String> empty = new ArrayList<>(Ladder.RUNGS);
    for (JavaClass type : classes) {
      int rung = ladder.rungOf(type.getPackageName());
      if (rung >= 0) {
        empty.remove(Ladder.RUNGS.get(rung));
      }
    }
    return empty;
  }

  /// Stores and modules are used through contracts.
  List<ArchRule> implementationsAreUsedByTheProgramOnly() {
    List<ArchRule> rules = new ArrayList<>();
    for (String rung : USED_BY_THE_PROGRAM_ONLY) {
      rules.add(
          noClasses()
              .that()
              .resideOutsideOfPackages(all(rung), all("app"))
              .should()
              .dependOnClassesThat()
              .resideInAPackage(all(rung))
              .allowEmptyShould(true));
    }
    return rules;
  }

  /// Modules do not know each other.
  ArchRule modulesDoNotKnowEachOther() {
    SliceRule rule = slices().matching(root + ".module.(*)..").should().notDependOnEachOther();
    for (ModuleDependencies.Allowed allowed : ModuleDependencies.ALLOWED) {
      rule =
          rule.ignoreDependency(
              resideInAPackage(all("module." + allowed.user())),
              resideInAPackage(all("module." + allowed.used())));
    }
    return rule.allowEmptyShould(true);
  }

  /// The generator of `zonda bench` and the tests' clients share no code with the server that they
  /// judge. The generator may use the packages of `protocol`.
  List<ArchRule> clientsShareNoCodeWithTheServer() {
    String bench = all("bench");
    String[] clients = {all("testkit.client"), all("testkit.xml")};
    String[] protocol = {
      bench, all("jid"), all("xml"), all("stanza"), all("json"), all("hash"), all("profile")
    };
    return List.of(
        noClasses()
            .that()
            .resideInAnyPackage(clients)
            .should()
            .dependOnClassesThat(
                resideInAPackage(root + "..").and(not(resideInAnyPackage(clients))))
            .allowEmptyShould(true),
        noClasses()
            .that()
            .resideInAPackage(bench)
            .should()
            .dependOnClassesThat(
                resideInAPackage(root + "..").and(not(resideInAnyPackage(protocol)))));
  }

  /// The types that modules show: those that classes outside the module use, without the modules
  /// themselves.
  Set<String> shownByModules(JavaClasses classes) {
    Set<String> shown = new TreeSet<>();
    for (JavaClass type : classes) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass used = dependency.getTargetClass();
        String module = moduleOf(used);
        if (!module.isEmpty()
            && !module.equals(moduleOf(type))
            && !outermost(used).endsWith("Module")) {
          shown.add(outermost(used));
        }
      }
    }
    return shown;
  }

  /// The name of the class that is not nested in another one.
  private static String outermost(JavaClass type) {
    return type.getName().replaceAll("\\$.*", "");
  }

  /// The name of the module that a class belongs to; empty if it belongs to none.
  private String moduleOf(JavaClass type) {
    String prefix = root + ".module.";
    String name = type.getPackageName();
    return name.startsWith(prefix) ? name.substring(prefix.length()).split("\\.", -1)[0] : "";
  }

  /// The packages of `api` hold contracts: interfaces and values, without I/O, cryptography,
  /// threads and state.
  List<ArchRule> apiHoldsContractsOnly() {
    String[] contracts = CONTRACTS.stream().map(each -> root + "." + each).toArray(String[]::new);
    return List.of(
        noClasses()
            .that()
            .resideInAnyPackage(contracts)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "java.nio.channels..",
                "java.security..",
                "javax.crypto..",
                "java.util.concurrent..",
                "org.slf4j..")
            .orShould()
            .dependOnClassesThat(
                HasName.Predicates.nameMatching(
                        "java\\.nio\\.file\\.Files|java\\.io\\..*(Stream|Reader|Writer|File)")
                    .forSubtype())
            .allowEmptyShould(true),
        fields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(contracts)
            .should()
            .beFinal()
            .allowEmptyShould(true));
  }

  /// Modules see neither passwords' keys nor all stores at once: they declare ports.
  ArchRule modulesSeeNoSecrets() {
    return noClasses()
        .that()
        .resideInAPackage(root + ".module.(*)..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(all("auth"))
        .orShould()
        .dependOnClassesThat(
            HasName.Predicates.nameMatching(
                    ".*\\.store\\.(Account|AccountStore|ScramKeys|Stores)(\\$.*)?")
                .forSubtype())
        .allowEmptyShould(true);
  }

  /// No two packages need each other.
  ArchRule noCycles() {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  /// Databases are a matter of storage, and those of other programs of one provider of accounts.
  ArchRule sqlInStorageOnly() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(root + ".storage.sql..", root + ".provider.sql..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..",
            "javax.sql..",
            "org.jdbi..",
            "com.zaxxer..",
            "org.sqlite..",
            "org.postgresql..",
            "org.mariadb..");
  }

  /// Netty is a matter of the network.
  ArchRule nettyInNetOnly() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(all("net"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..");
  }

  /// What an operation does is done by the executor only, which decides who may.
  ArchRule actionsAreRunByTheExecutorOnly() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(
            all("operation.execution"), all("host.plugin")) // which stands before those of plugins
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "Action.run",
                call ->
                    call.getTargetOwner().getName().endsWith(".operation.Action")
                        && call.getName().equals("run")));
  }

  /// Only the program prints.
  ArchRule onlyTheProgramPrints() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(all("app"))
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(Throwable.class, "printStackTrace");
  }

  /// Time and chance are handed in, so that tests and simulators decide on them.
  ArchRule timeAndChanceAreHandedIn() {
    return noClasses()
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callConstructor(Random.class)
        .orShould()
        .callMethod(Thread.class, "sleep", long.class);
  }

  /// The clock of the machine is read by the program's wiring only.
  ArchRule theProgramOwnsTheClock() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(all("app"))
        .should()
        .callMethod(java.time.InstantSource.class, "system")
        .orShould()
        .callMethod(java.time.Clock.class, "systemUTC");
  }

  /// Static fields are final; what they hold is checked by [StaticState].
  ArchRule noStaticMutableState() {
    return fields().that().areStatic().should().beFinal().allowEmptyShould(true);
  }

  /// What reads bytes or stored values reads addresses as they were stored: the rules for addresses
  /// may have changed since. Streams read what peers send.
  ArchRule storedAddressesAreReadAsStored() {
    return noClasses()
        .that(READS_BYTES)
        .and()
        .resideOutsideOfPackages(all("jid"), all("stream"))
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "Jid.of(String)",
                call ->
                    call.getTargetOwner().getName().endsWith(".jid.Jid")
                        && call.getName().equals("of")
                        && call.getTarget().getRawParameterTypes().size() == 1))
        .allowEmptyShould(true);
  }

  /// Names say what a thing is.
  ArchRule namesSaySomething() {
    return noClasses()
        .should()
        .haveNameMatching(".*(Manager|Util|Utils|Helper|Impl|Common|Base)(\\$.*)?");
  }

  /// Modules leave threads to the engine.
  ArchRule modulesStartNoThreads() {
    return noClasses()
        .that()
        .resideInAPackage(all("module"))
        .should()
        .dependOnClassesThat(
            HasName.Predicates.nameMatching(
                    ".*\\.("
                        + Executors.class.getSimpleName()
                        + "|"
                        + CompletableFuture.class.getSimpleName()
                        + ")")
                .forSubtype())
        .orShould()
        .callConstructor(Thread.class)
        .orShould()
        .callMethod(Thread.class, "ofVirtual")
        .orShould()
        .callMethod(Thread.class, "ofPlatform")
        .allowEmptyShould(true);
  }

  /// Every package says that null is the exception.
  ArchRule everyPackageIsNullMarked() {
    return classes()
        .should(
            new ArchCondition<JavaClass>("be in a package that is @NullMarked") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                events.add(
                    new SimpleConditionEvent(
                        type, marked, type.getPackageName() + " is not @NullMarked"));
              }
            });
  }

  private String all(String name) {
    return root + "." + name + "..";
  }
}
