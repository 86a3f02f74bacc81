package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.console.view.ConsoleTexts;
import im.zonda.http.page.Language;
import im.zonda.operation.Operation;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The console has the operations in each language: English is in their definitions.
class OperationTextsTest {
  private static final String TITLE = "operation.";

  private final Set<String> titles =
      StandardOperations.ALL.stream()
          .map(each -> TITLE + each.name())
          .collect(Collectors.toCollection(TreeSet::new));
  private final Set<String> names = new TreeSet<>();
  private final Set<String> words = new TreeSet<>();

  OperationTextsTest() {
    for (Operation<?, ?> each : StandardOperations.ALL) {
      add(each.input());
      add(each.result());
    }
  }

  private void add(Shape shape) {
    for (Shape.Component each : shape.components()) {
      names.add("column." + each.dashed());
      add(each.value());
    }
  }

  private void add(Value value) {
    switch (value) {
      case Value.Many(Value each, int _) -> add(each);
      case Value.Group(Shape shape) -> add(shape);
      case Value.Text _, Value.Lines _, Value.Whole _, Value.Decimal _, Value.Size _ -> {}
      case Value.Choice choice -> choice.words().forEach(word -> words.add("word." + word));
      case Value.Flag _, Value.Time _, Value.Span _, Value.Address _ -> {}
      case Value.Domain _, Value.Hidden _ -> {}
    }
  }

  private static Set<String> keys(Language language, String begin) {
    return language.texts().stringPropertyNames().stream()
        .filter(key -> key.startsWith(begin))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<DynamicTest> each(Consumer<Language> test) {
    return ConsoleTexts.read().languages().values().stream()
        .filter(language -> !language.code().equals("en"))
        .map(language -> DynamicTest.dynamicTest(language.code(), () -> test.accept(language)));
  }

  @TestFactory
  Stream<DynamicTest> everyOperationHasATitle() {
    return each(language -> assertThat(keys(language, TITLE)).containsAll(titles));
  }

  @TestFactory
  Stream<DynamicTest> everythingThatGoesInOrComesOutHasAName() {
    return each(language -> assertThat(keys(language, "column.")).containsAll(names));
  }

  @TestFactory
  Stream<DynamicTest> everythingThatGoesInIsExplained() {
    return each(language -> {
      for (Operation<?, ?> operation : StandardOperations.ALL) {
        for (Shape.Component component : operation.parameters()) {
          assertThat(
                  language.has("about." + operation.name() + "." + component.dashed())
                      || language.has("about." + component.dashed()))
              .as(language.code() + " " + operation.name() + " " + component.dashed())
              .isTrue();
        }
      }
    });
  }

  /// Words that all languages share, and those that are looked for in documents, stay as they are.
  @TestFactory
  Stream<DynamicTest> onlyWordsOfChoicesAreTranslated() {
    Set<String> all =
        keys(Objects.requireNonNull(ConsoleTexts.read().languages().get("de")), "word.");
    assertThat(words).containsAll(all);
    return each(language -> assertThat(keys(language, "word.")).isEqualTo(all));
  }
}
