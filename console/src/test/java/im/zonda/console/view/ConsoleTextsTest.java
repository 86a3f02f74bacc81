package im.zonda.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.http.page.Language;
import im.zonda.http.page.Texts;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ConsoleTextsTest {
  @Test
  void allLanguagesHaveTheSameTextsWithTheSameValues() {
    Texts texts = ConsoleTexts.read();
    Language english = Objects.requireNonNull(texts.languages().get("en"));
    assertThat(texts.languages().keySet()).containsExactlyInAnyOrderElementsOf(Language.CODES);
    for (Language other : texts.languages().values()) {
      assertThat(other.texts().keySet()).as(other.code()).isEqualTo(english.texts().keySet());
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
