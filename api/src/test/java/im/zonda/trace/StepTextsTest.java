package im.zonda.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.journal.Effect;
import im.zonda.journal.Place;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class StepTextsTest {
  private static final Pattern GAP = Pattern.compile("\\{\\w*\\}");

  private static List<String> gaps(String text) {
    return GAP.matcher(text).results().map(MatchResult::group).distinct().sorted().toList();
  }

  @Test
  void everyLanguageHasTheSameTexts() {
    Map<String, String> english = StepTexts.read("en").texts();
    for (String language : StepTexts.LANGUAGES) {
      Map<String, String> texts = StepTexts.read(language).texts();
      assertThat(texts.keySet()).as(language).isEqualTo(english.keySet());
      texts.forEach((key, text) ->
          assertThat(gaps(text))
              .as(language + " " + key)
              .isEqualTo(gaps(String.valueOf(english.get(key))))
              .isSubsetOf("{sender}", "{receiver}", "{detail}"));
    }
  }

  @Test
  void everyPlaceHasAName() {
    StepTexts texts = StepTexts.read("en");
    for (Place each : Place.values()) {
      assertThat(texts.place(each.word())).isNotEqualTo(each.word());
    }
    assertThat(texts.place("of-another-version")).isEqualTo("of-another-version");
  }

  @Test
  void everyTextIsOfAPlaceAndAVerdict() {
    for (String key : StepTexts.read("en").texts().keySet()) {
      if (!key.startsWith("place.")) {
        assertThat(Verdict.of(key.substring(key.indexOf('.') + 1))).as(key).isNotNull();
      }
    }
    assertThat(Verdict.of("of-another-version")).isNull();
  }

  @Test
  void everyEffectIsAVerdict() {
    assertThat(Verdict.of(Effect.BOUNCED)).isEqualTo(Verdict.BOUNCED);
    assertThat(Verdict.of(Effect.NOTIFIED)).isEqualTo(Verdict.NOTIFIED);
  }

  @Test
  void addressesTakeTheirPlacesOnce() {
    StepTexts texts = StepTexts.read("en");
    assertThat(texts.sentence("home", "received", "romeo", "{sender}$1", null))
        .isEqualTo("It has reached the account of {sender}$1.");
    assertThat(texts.sentence("home", "expired", null, null, "late")).isEqualTo("expired: late");
  }

  @Test
  void aLanguageThatIsMissingIsAnError() {
    assertThatThrownBy(() -> StepTexts.read("xx")).isInstanceOf(IllegalArgumentException.class);
  }
}
