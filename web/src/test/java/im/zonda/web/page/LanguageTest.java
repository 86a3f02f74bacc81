package im.zonda.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.http.page.Language;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "none|en",
        "de|de",
        "de-AT,en;q=0.5|de",
        "pl,fr;q=0.8,it;q=0.9|it",
        "en;q=0.1, ES ;q=0.2|es",
        "de;q=0|en",
        "de;q=x|en",
        "*|en",
        ",;,|en"
      })
  void theReadersLanguageIsChosen(@Nullable String header, String code) {
    assertThat(Language.choose(header)).isEqualTo(code);
  }

  @Test
  void allLanguagesHaveTheSameTexts() {
    Language english = WebTexts.read("en");
    for (String code : Language.CODES) {
      Language other = WebTexts.read(code);
      assertThat(other.texts().keySet()).as(code).isEqualTo(english.texts().keySet());
      for (String key : english.texts().stringPropertyNames()) {
        assertThat(other.text(key).contains("{0}"))
            .as(code + " " + key)
            .isEqualTo(english.text(key).contains("{0}"));
      }
    }
    assertThat(WebTexts.read("de").text("invite.by-account", "Romeo", "example.org"))
        .isEqualTo("Romeo lädt dich zum Chat bei example.org ein");
  }
}
