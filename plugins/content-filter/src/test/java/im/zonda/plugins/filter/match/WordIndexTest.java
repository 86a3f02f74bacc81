package im.zonda.plugins.filter.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WordIndexTest {
  private static final List<String> WORDS =
      List.of(
          "shit", "ass", "damn", "*fuck*", "buy gold", "dildo", "сука", "傻逼", "scheiße", "hell");

  private static List<String> found(String text, List<String> words, List<String> allowed) {
    return found(text, words, allowed, false);
  }

  private static List<String> found(
      String text, List<String> words, List<String> allowed, boolean isExact) {
    List<WordIndex.Entry> entries = new ArrayList<>();
    words.forEach(each -> entries.add(new WordIndex.Entry(Word.of(each), 0, isExact, false)));
    allowed.forEach(each -> entries.add(new WordIndex.Entry(Word.of(each), 0, isExact, true)));
    Hits hits = new Hits();
    new WordIndex(entries).find(NormalText.of(text), new boolean[] {true}, hits);
    return hits.found().stream()
        .map(hit -> text.substring(hit.range().start(), hit.range().end()))
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "oh shit happens | shit",
        "SHIT! | SHIT",
        "what the Sh1t | Sh1t",
        "sh!t. | sh!t",
        "$h1t happens | $h1t",
        "s.h.i.t | s.h.i.t",
        "s - h - i - t now | s - h - i - t",
        "s h i t | s h i t",
        "so s_h_i_t_ | s_h_i_t",
        "sh-it | sh-it",
        "shiiiiit | shiiiiit",
        "shhiitt | shhiitt",
        "shittttt | shittttt",
        "shiit | shiit",
        "shit123 | shit",
        "ｓｈｉｔ | ｓｈｉｔ",
        "𝓼𝓱𝓲𝓽 man | 𝓼𝓱𝓲𝓽",
        "s\u200bh\u200bi\u00adt | s\u200bh\u200bi\u00adt",
        "ѕһіт there | ѕһіт",
        "shіt | shіt",
        "shìt | shìt",
        "s\u0336h\u0336i\u0336t\u0336 | s\u0336h\u0336i\u0336t\u0336",
        "🇸🇭🇮🇹 | 🇸🇭🇮🇹",
        "ꜱʜɪᴛ | ꜱʜɪᴛ",
        "you a$$ | a$$",
        "a55 | a55",
        "aaassss | aaassss",
        "@shit | shit",
        "shit's | shit",
        "xxfuckxx | fuck",
        "motherfucker | fuck",
        "fu.ck | fu.ck",
        "FUCK | FUCK",
        "buy   gold | buy   gold",
        "buy g0ld | buy g0ld",
        "@$$ | @$$",
        "d1ld0 | d1ld0",
        "dі1do | dі1do",
        "ты сука! | сука",
        "СУКА | СУКА",
        "你是傻逼吗 | 傻逼",
        "scheisse | scheisse",
        "SCHEIẞE | SCHEIẞE",
        "he11 no | he11",
      })
  void disguisedWordsAreFoundWhereTheyStand(String text, String found) {
    assertThat(found(text, WORDS, List.of())).contains(found);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "push it",
        "class",
        "as if",
        "assassin",
        "455 players",
        "hello",
        "he'll come",
        "it's hit",
        "wash.it",
        "this.hit",
        "Scunthorpe",
        "2 as 3",
        "dam n",
        "ask",
        "a s k",
        "buygold",
        "gold buy",
        "is hit",
        "push.it",
        "1 455 55",
        "рот",
        "",
        " ",
        "\u200b\u200b",
      })
  void ordinaryWordsAreNotFound(String text) {
    assertThat(found(text, WORDS, List.of())).isEmpty();
  }

  @Test
  void ordinaryDoubleLettersMakeAnotherWord() {
    List<String> words = List.of("god", "bite", "con", "nigger");
    assertThat(found("good bitte coon niger goods", words, List.of())).isEmpty();
    assertThat(found("goood", words, List.of())).containsExactly("goood");
  }

  @Test
  void marksAreNotALetterOfSpanish() {
    assertThat(found("feliz año", List.of("ano"), List.of())).isEmpty();
    assertThat(found("ánö", List.of("ano"), List.of())).containsExactly("ánö");
  }

  @Test
  void allowedWordsAreNotFound() {
    List<String> words = List.of("*cunt*", "*cock*");
    List<String> allowed = List.of("Scunthorpe", "cock-a-doodle*", "peacock");
    assertThat(found("Scunthorpe and SCUNTH0RPE", words, allowed)).isEmpty();
    assertThat(found("a peacock, cock a doodle-doo", words, allowed)).isEmpty();
    assertThat(found("Scunthorpe cunt", words, allowed)).containsExactly("cunt");
    assertThat(found("peacocks", words, allowed)).containsExactly("cock");
  }

  @Test
  void withoutDisguisesOnlyTheWordItselfIsFound() {
    assertThat(found("sh1t s.h.i.t shiiit ass", List.of("shit", "ass"), List.of(), true))
        .containsExactly("ass");
    assertThat(found("SHIT!", List.of("shit"), List.of(), true)).containsExactly("SHIT");
  }

  @Test
  void aRuleWithoutDisguisesIsNotChangedByOthers() {
    WordIndex index =
        new WordIndex(
            List.of(
                new WordIndex.Entry(Word.of("gold"), 0, true, false),
                new WordIndex.Entry(Word.of("gold"), 1, false, false)));
    Hits hits = new Hits();
    index.find(NormalText.of("g0ld"), new boolean[] {true, true}, hits);
    assertThat(hits.found()).containsExactly(new Hits.Hit(1, new Range(0, 4)));
  }

  @Test
  void everyRuleThatIsAskedFindsItsOwn() {
    WordIndex index =
        new WordIndex(
            List.of(
                new WordIndex.Entry(Word.of("gold"), 0, false, false),
                new WordIndex.Entry(Word.of("gold"), 1, false, false),
                new WordIndex.Entry(Word.of("buy gold"), 2, false, false)));
    Hits hits = new Hits();
    index.find(NormalText.of("buy gold"), new boolean[] {true, false, true}, hits);
    assertThat(hits.found())
        .containsExactly(new Hits.Hit(2, new Range(0, 8)), new Hits.Hit(0, new Range(4, 8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*", "**", "x", "!!!", "f*ck", "c++", " - "})
  void whatIsNoWordIsRefused(String text) {
    assertThatThrownBy(() -> Word.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aWordWithSignsIsReadAsDisguised() {
    assertThat(Word.of("a$$").toString()).isEqualTo("ass");
    assertThat(Word.of("*Sh!t*").toString()).isEqualTo("*shit*");
    assertThat(Word.of("don't").toString()).isEqualTo("don t");
    assertThat(Word.of("🖕").symbols()).hasSize(1);
  }

  @Test
  void aLongWordIsRefused() {
    assertThatThrownBy(() -> Word.of("ab".repeat(51))).hasMessageContaining("more than 100");
    assertThatThrownBy(() -> Word.of("a".repeat(100_000))).hasMessageContaining("more than 100");
  }

  @Test
  void theAutomatonFindsAllKeysThatEndAtAPlace() {
    List<int[]> keys = new ArrayList<>();
    for (String key : List.of("a", "ab", "b", "bab", "x\u4e00")) {
      keys.add(key.codePoints().toArray());
    }
    keys.sort(Arrays::compare);
    Automaton automaton = Automaton.of(keys);
    List<String> found = new ArrayList<>();
    int state = 0;
    int[] text = "abab x\u4e00".codePoints().toArray();
    for (int i = 0; i < text.length; i++) {
      state = automaton.next(state, text[i]);
      for (int end = automaton.firstEnd(state); end != 0; end = automaton.nextEnd(end)) {
        int[] key = keys.get(automaton.key(end));
        found.add(i + ":" + new String(key, 0, key.length));
      }
    }
    assertThat(found)
        .containsExactly("0:a", "1:ab", "1:b", "2:a", "3:bab", "3:ab", "3:b", "6:x\u4e00");
  }
}
