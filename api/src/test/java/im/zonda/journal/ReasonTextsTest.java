package im.zonda.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReasonTextsTest {
  private static final Pattern PLACE = Pattern.compile("\\{\\w*\\}");

  private static List<String> places(String text) {
    Matcher matcher = PLACE.matcher(text);
    return matcher.results().map(found -> found.group()).distinct().sorted().toList();
  }

  @Test
  void everyReasonHasItsTextsInEveryLanguage() {
    Map<String, String> english = ReasonTexts.read("en").texts();
    for (String language : ReasonTexts.LANGUAGES) {
      Map<String, String> texts = ReasonTexts.read(language).texts();
      assertThat(texts.keySet()).as(language).isEqualTo(english.keySet());
      for (Reason reason : Reason.values()) {
        String text = texts.get(reason.word());
        assertThat(text).as(language + " " + reason).isNotBlank();
        assertThat(places(String.valueOf(text)))
            .as(language + " " + reason)
            .isEqualTo(places(String.valueOf(english.get(reason.word()))))
            .isSubsetOf("{sender}", "{receiver}", "{detail}");
      }
    }
  }

  @Test
  void noTextIsWithoutAReason() {
    for (String key : ReasonTexts.read("en").texts().keySet()) {
      assertThat(Reason.of(key.replace(".advice", ""))).as(key).isNotNull();
    }
    assertThat(Reason.of("of-another-version")).isNull();
  }

  @Test
  void addressesTakeTheirPlacesOnce() {
    ReasonTexts texts = ReasonTexts.read("en");
    assertThat(texts.sentence(Reason.BLOCKED_BY_RECEIVER, "{receiver}$1", "juliet", null))
        .isEqualTo("juliet has blocked {receiver}$1.");
    assertThat(texts.advice(Reason.BLOCKED_BY_SENDER, "romeo", "{sender}"))
        .isEqualTo("romeo can unblock {sender} in a client.");
    assertThat(texts.advice(Reason.WOULD_ARRIVE, "romeo", "juliet")).isNull();
    assertThat(texts.sentence(Reason.MODULE, null, null, null)).doesNotContain("{");
  }

  @Test
  void aLanguageThatIsMissingIsAnError() {
    assertThatThrownBy(() -> ReasonTexts.read("xx")).isInstanceOf(IllegalArgumentException.class);
  }
}
