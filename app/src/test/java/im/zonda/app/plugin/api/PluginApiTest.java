package im.zonda.app.plugin.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import im.zonda.plugin.Plugin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/// The interface for plugins keeps its promise: plugins that were compiled before still run.
///
/// `api/plugin-api.txt` has all signatures that were ever promised in this major version. A run
/// with `-Dzonda.regenerate=true` records new ones; it does not take back what would break a
/// plugin. For another major version of [Plugin#API], delete the file first.
@TestInstance(Lifecycle.PER_CLASS)
class PluginApiTest {
  private static final boolean REGENERATE = Boolean.getBoolean("zonda.regenerate");

  /// The record: the first line is the version of the interface.
  private static final Path RECORD = Path.of("../api/plugin-api.txt");

  private static final String HEADER = "interface for plugins, version ";

  /// The packages of the server that a plugin sees.
  private static final Set<String> VISIBLE =
      Set.of(
          "im.zonda.plugin",
          "im.zonda.jid",
          "im.zonda.xml",
          "im.zonda.stanza",
          "im.zonda.account.provider",
          "im.zonda.operation",
          "im.zonda.http");

  /// Promised beside what the interface names.
  private static final String NAMESPACES = "im.zonda.stanza.Namespaces";

  /// What a plugin cannot name in promised types, and need not.
  private static final Set<String> HIDDEN =
      Set.of(
          "im.zonda.stanza.Stanza names im.zonda.xml.framing.Frame",
          "im.zonda.account.provider.AccountProvider names im.zonda.store.ScramKeys");

  /// The types that plugins implement.
  private static final Set<String> IMPLEMENTED =
      Set.of(
          "im.zonda.plugin.Plugin",
          "im.zonda.plugin.StanzaFilter",
          "im.zonda.plugin.EventListener",
          "im.zonda.plugin.RequestHandler",
          "im.zonda.account.provider.AccountProvider");

  private final JavaClasses all =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(VISIBLE);

  /// The types of the interface, and those that their signatures name, and so on.
  private List<JavaClass> promised() {
    Set<JavaClass> found = new LinkedHashSet<>();
    Deque<JavaClass> open = new ArrayDeque<>();
    all.stream().filter(each -> each.getPackageName().equals("im.zonda.plugin")).forEach(open::add);
    open.add(all.get(NAMESPACES));
    while (!open.isEmpty()) {
      JavaClass type = open.remove();
      if (VISIBLE.contains(type.getPackageName()) && PublicApi.isPublic(type) && found.add(type)) {
        signatures(type).map(JavaClass::getBaseComponentType).forEach(open::add);
        open.addAll(type.getSubclasses());
        all.stream()
            .filter(each -> each.getEnclosingClass().filter(type::equals).isPresent())
            .forEach(open::add);
      }
    }
    return List.copyOf(found);
  }

  @Test
  void whatWasPromisedIsStillThere() throws Exception {
    SortedSet<String> now = new PublicApi(IMPLEMENTED, VISIBLE).lines(promised());
    List<String> record = Files.exists(RECORD) ? Files.readAllLines(RECORD) : List.of();
    List<String> before = record.stream().skip(1).toList();
    assertThat(PublicApi.breaks(before, now)).isEmpty();
    List<String> fresh = new ArrayList<>(List.of(HEADER + Plugin.API));
    fresh.addAll(now);
    if (REGENERATE) {
      Files.write(RECORD, fresh);
    } else {
      assertThat(record)
          .as("a run with -Dzonda.regenerate=true records what is new")
          .isEqualTo(fresh);
    }
  }

  @Test
  void eachTypeIsMarked() {
    List<String> unmarked = new ArrayList<>();
    for (JavaClass type : all) {
      if (type.getPackageName().equals("im.zonda.plugin")
          && PublicApi.isPublic(type)
          && type.getEnclosingClass().isEmpty()
          && !type.isAnnotation()
          && !isMarked(type)) {
        unmarked.add(type.getName());
      }
    }
    assertThat(unmarked).isEmpty();
  }

  private static boolean isMarked(JavaClass type) {
    return type.isAnnotatedWith("im.zonda.plugin.Stable")
        != type.isAnnotatedWith("im.zonda.plugin.Preview");
  }

  /// A plugin sees every type that it has to name.
  @Test
  void signaturesNameVisibleTypesOnly() {
    Set<String> hidden = new TreeSet<>();
    for (JavaClass type : promised()) {
      signatures(type)
          .filter(used -> !isVisible(used))
          .forEach(used -> hidden.add(type.getName() + " names " + used.getName()));
    }
    assertThat(hidden).isEqualTo(HIDDEN);
  }

  private static Stream<JavaClass> signatures(JavaClass type) {
    Stream<JavaClass> above =
        Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream());
    Stream<JavaClass> fields =
        type.getFields().stream()
            .filter(field -> isApi(field.getModifiers()))
            .map(JavaField::getType)
            .flatMap(each -> each.getAllInvolvedRawTypes().stream());
    Stream<JavaClass> code =
        type.getCodeUnits().stream()
            .filter(unit -> isApi(unit.getModifiers()) && !PublicApi.isPreview(unit))
            .flatMap(PluginApiTest::types);
    return Stream.of(above, fields, code).flatMap(each -> each);
  }

  private static Stream<JavaClass> types(JavaCodeUnit unit) {
    return Stream.of(
            unit.getReturnType().getAllInvolvedRawTypes().stream(),
            unit.getParameterTypes().stream()
                .flatMap(each -> each.getAllInvolvedRawTypes().stream()),
            unit.getExceptionTypes().stream())
        .flatMap(each -> each);
  }

  private static boolean isApi(Set<JavaModifier> modifiers) {
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  private static boolean isVisible(JavaClass type) {
    JavaClass named = type.getBaseComponentType();
    String inPackage = named.getPackageName();
    return named.isPrimitive()
        || inPackage.startsWith("java.")
        || inPackage.equals("org.slf4j")
        || (VISIBLE.contains(inPackage) && PublicApi.isPublic(named));
  }

  @Test
  void changesThatBreakPluginsAreFound() throws Exception {
    List<JavaClass> before = List.of(all.get("im.zonda.plugin.StanzaFilter"));
    SortedSet<String> filter = new PublicApi(IMPLEMENTED, VISIBLE).lines(before);
    SortedSet<String> more = new TreeSet<>(filter);
    more.add("im.zonda.plugin.StanzaFilter has void changed()");
    more.add("im.zonda.plugin.New requires void changed()");
    assertThat(PublicApi.breaks(filter, more)).isEmpty();
    assertThat(PublicApi.breaks(more, filter)).hasSize(1);
    more.add("im.zonda.plugin.StanzaFilter requires void changed()");
    assertThat(PublicApi.breaks(filter, more)).hasSize(1);
    assertThat(PublicApi.breaks(more, filter)).hasSize(1);
  }
}
