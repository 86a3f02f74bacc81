package im.zonda.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.http.page.Language;
import im.zonda.http.page.Texts;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConsoleTextsTest {
  /// The keys of a language, without those whose English is in the definitions of operations.
  private static Set<String> keys(Language language, Language english) {
    return language.texts().stringPropertyNames().stream()
        .filter(key -> !key.matches("(operation|column|word|about)\\..*") || english.has(key))
        .collect(Collectors.toSet());
  }

  @Test
  void allLanguagesHaveTheSameTextsWithTheSameValues() {
    Texts texts = ConsoleTexts.read();
    Language english = Objects.requireNonNull(texts.languages().get("en"));
    assertThat(texts.languages().keySet()).containsExactlyInAnyOrderElementsOf(Language.CODES);
    for (Language other : texts.languages().values()) {
      assertThat(keys(other, english))
          .as(other.code())
          .isEqualTo(english.texts().stringPropertyNames());
      for (String key : english.texts().stringPropertyNames()) {
        for (String value : new String[] {"{0}", "{1}", "{2}"}) {
          assertThat(other.text(key).contains(value))
              .as(other.code() + " " + key)
              .isEqualTo(english.text(key).contains(value));
        }
      }
    }
  }
}
