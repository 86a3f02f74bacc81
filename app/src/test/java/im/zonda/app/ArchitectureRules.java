package im.zonda.app;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.jspecify.annotations.NullMarked;

/// The architecture as rules over the packages below one root.
final class ArchitectureRules {
  /// A package may use those before it in this list, never those after.
  private static final List<String> LADDER =
      List.of(
          "jid",
          "xml",
          "stanza",
          "config",
          "store",
          "cluster",
          "session",
          "module",
          "link",
          "router",
          "throttle",
          "stream",
          "host",
          "net",
          "app");

  /// Modules that know another one. Think before you add: a module that knows another cannot be
  /// taken out, nor tested, without it.
  private static final List<Allowed> ALLOWED =
      List.of(
          new Allowed(
              "presence",
              "roster",
              "subscriptions are roster items that presence changes (RFC 6121, section 3)"),
          new Allowed("mam", "roster", "a preference is for contacts only (XEP-0441)"),
          new Allowed("muc", "forms", "data forms are a part of other requests (XEP-0004)"),
          new Allowed("mam", "rsm", "result sets are a part of other requests (XEP-0059)"),
          new Allowed(
              "muc", "mam", "a room's archive answers the same queries as an account's (XEP-0313)"),
          new Allowed("muc", "rsm", "lists of rooms and archives come in pages (XEP-0059)"),
          new Allowed(
              "blocking",
              "presence",
              "who is blocked sees the account go, and sees it again afterwards (XEP-0191)"));

  /// Static fields that may hold what changes, with the reason.
  private static final Map<String, String> SHARED =
      Map.of(
          "im.zonda.xml.XmppFramer.SPARE",
          "an empty buffer per thread, kept to be used again: it carries nothing over");

  private record Allowed(String user, String used, String reason) {}

  private final String root;

  ArchitectureRules(String root) {
    this.root = root;
  }

  /// A package uses only those below it on the ladder.
  List<ArchRule> ladder() {
    List<ArchRule> rules = new ArrayList<>();
    for (int rung = 0; rung < LADDER.size() - 1; rung++) {
      String[] above =
          LADDER.subList(rung + 1, LADDER.size()).stream().map(this::all).toArray(String[]::new);
      rules.add(
          noClasses()
              .that()
              .resideInAPackage(all(LADDER.get(rung)))
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(above)
              .allowEmptyShould(true));
    }
    return rules;
  }

  /// Modules do not know each other.
  ArchRule modulesDoNotKnowEachOther() {
    SliceRule rule = slices().matching(root + ".module.(*)..").should().notDependOnEachOther();
    for (Allowed allowed : ALLOWED) {
      rule =
          rule.ignoreDependency(
              resideInAPackage(all("module." + allowed.user())),
              resideInAPackage(all("module." + allowed.used())));
    }
    return rule.allowEmptyShould(true);
  }

  /// Stores know contracts only.
  ArchRule storesKnowContractsOnly() {
    return noClasses()
        .that()
        .resideInAPackage(all("storage"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            all("session"), all("module"), all("router"), all("stream"), all("host"), all("net"))
        .allowEmptyShould(true);
  }

  /// No two packages need each other.
  ArchRule noCycles() {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  /// Databases are a matter of storage.
  ArchRule sqlInStorageOnly() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + ".storage.sql..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..", "javax.sql..", "org.jdbi..", "com.zaxxer..", "org.sqlite..");
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

  /// Nothing is shared in secret: static fields are final and hold values.
  List<ArchRule> noStaticMutableState() {
    return List.of(
        fields().that().areStatic().should().beFinal().allowEmptyShould(true),
        noFields()
            .that()
            .areStatic()
            .should(
                haveTypeIn(
                    "java.util.concurrent.atomic.AtomicInteger",
                    "java.util.concurrent.atomic.AtomicLong",
                    "java.util.concurrent.atomic.AtomicBoolean",
                    "java.util.concurrent.atomic.AtomicReference",
                    "java.util.concurrent.atomic.LongAdder",
                    "java.util.HashMap",
                    "java.util.ArrayList",
                    "java.util.concurrent.ConcurrentHashMap",
                    "java.lang.ThreadLocal"))
            .allowEmptyShould(true));
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

  private static ArchCondition<com.tngtech.archunit.core.domain.JavaField> haveTypeIn(
      String... names) {
    return new ArchCondition<>("have a type that changes") {
      @Override
      public void check(com.tngtech.archunit.core.domain.JavaField field, ConditionEvents events) {
        String type = field.getRawType().getName();
        boolean found =
            List.of(names).stream().anyMatch(type::equals)
                && !SHARED.containsKey(field.getFullName());
        events.add(new SimpleConditionEvent(field, found, field.getFullName() + ": " + type));
      }
    };
  }

  private String all(String name) {
    return root + "." + name + "..";
  }
}
