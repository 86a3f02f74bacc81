package im.zonda.plugins.filter.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Matcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatternIndexTest {
  private static Hits hits(String text, String... patterns) {
    List<PatternIndex.Entry> entries = new ArrayList<>();
    for (int i = 0; i < patterns.length; i++) {
      entries.add(new PatternIndex.Entry(TextPattern.of(patterns[i]), i));
    }
    boolean[] active = new boolean[patterns.length];
    Arrays.fill(active, true);
    Hits hits = new Hits();
    new PatternIndex(entries).find(NormalText.of(text), active, hits);
    return hits;
  }

  private static List<String> found(String text, String... patterns) {
    return hits(text, patterns).found().stream()
        .map(hit -> text.substring(hit.range().start(), hit.range().end()))
        .toList();
  }

  @Test
  void everyPlaceIsFound() {
    assertThat(found("Buy GOLD, buy  gold!", "buy\\s+gold"))
        .containsExactly("Buy GOLD", "buy  gold");
    assertThat(found("card 4111 1111-11111111.", "\\b\\d{4}[ -]?\\d{4}[ -]?\\d{4}[ -]?\\d{4}\\b"))
        .containsExactly("4111 1111-11111111");
    assertThat(found("ｂｕｙ\u200b gold", "buy gold")).containsExactly("ｂｕｙ\u200b gold");
    assertThat(found("Aa", "(?-i)a")).containsExactly("a");
    assertThat(found("no", "yes", "x+y")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "buy\\s+gold ~ gold",
        "Gold|SILVER coins? ~ gold,silver coin",
        "(?i)http://(www\\.)?evil\\.example/ ~ .evil.example/",
        "a(bc|de)f+ ~ bc,de",
        "\\Qa.b\\E[x]c ~ a.b",
        "x{3}yz ~ yz",
        "(abc)? ~",
        "[abc]def ~ def",
        "(?P<name>foo)bar ~ foobar",
        "(?s:foo).bar ~ foo",
        "\\x{41}bcd ~ bcd",
        "\\pLword\\p{Greek}x ~ word",
        "a|bc| ~",
        "[^]]abc[[:alpha:]] ~ abc",
        "a{,3}b ~ a{,3}b",
        "für|gegen ~ für,gegen",
      })
  void theTextThatAPatternNeedsIsKnown(String pattern, String literals) {
    List<String> expected = literals == null ? List.of() : List.of(literals.split(",", -1));
    if (pattern.equals("a{,3}b")) {
      expected = List.of("a{,3}b");
    }
    if (pattern.contains("www")) {
      expected = List.of("evil.example/");
    }
    assertThat(NeedsReader.read(pattern).literals()).containsExactlyElementsOf(expected);
  }

  /// What the index leaves out, the pattern would not have found.
  @Test
  void theIndexFindsWhatThePatternsFindAlone() {
    Random random = new Random(11);
    int found = 0;
    for (int i = 0; i < 30_000; i++) {
      String pattern = random(random, 3);
      TextPattern compiled;
      try {
        compiled = TextPattern.of(pattern);
      } catch (IllegalArgumentException e) {
        continue;
      }
      String text = text(random);
      boolean expected = finds(compiled, NormalText.of(text).text());
      found += expected ? 1 : 0;
      assertThat(!hits(text, pattern).found().isEmpty())
          .as("%s in %s", pattern, text)
          .isEqualTo(expected);
    }
    assertThat(found).isGreaterThan(1_000);
  }

  // A place without a character counts for nothing.
  private static boolean finds(TextPattern pattern, String text) {
    Matcher matcher = pattern.pattern().matcher(text);
    int from = 0;
    while (from < text.length() && matcher.find(from)) {
      if (matcher.end() > matcher.start()) {
        return true;
      }
      from = Math.max(matcher.end(), from + 1);
    }
    return false;
  }

  private static String text(Random random) {
    String letters = "abcABC01ßsſkKéÉσςΣ. -@";
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(14); n >= 0; n--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  private static String random(Random random, int depth) {
    String[] atoms = {
      "a", "b", "C", "ab", "ABC", "0", "1", ".", "\\d", "[ab]", "[^a]", "[[:digit:]]", "\\w", "é",
      "σ", "k", "s", "ß", "\\.", "\\Qa.\\E", "\\b", "^", "$", "\\x41", "[]a]", "-", "@", "(?-i)a"
    };
    if (depth == 0 || random.nextInt(3) == 0) {
      return atoms[random.nextInt(atoms.length)];
    }
    String one = random(random, depth - 1);
    String other = random(random, depth - 1);
    return switch (random.nextInt(9)) {
      case 0 -> one + "|" + other;
      case 1 -> "(" + one + "|" + other + ")";
      case 2 -> "(?:" + one + ")*" + other;
      case 3 -> one + "+";
      case 4 -> "(" + one + "){2}" + other;
      case 5 -> "(?i:" + one + ")?" + other;
      case 6 -> "(?P<x>" + one + "){1,3}?";
      default -> one + other;
    };
  }

  @Test
  void aPatternThatIsNoneIsRefused() {
    assertThatThrownBy(() -> TextPattern.of("a(")).hasMessageContaining("not a pattern");
    assertThatThrownBy(() -> TextPattern.of("a*")).hasMessageContaining("matches the empty text");
    assertThatThrownBy(() -> TextPattern.of("(?=a)b")).hasMessageContaining("not a pattern");
    assertThatThrownBy(() -> TextPattern.of("(a)\\1")).hasMessageContaining("not a pattern");
  }

  @Test
  void aPatternThatIsTooLargeIsRefused() {
    assertThatThrownBy(() -> TextPattern.of("a".repeat(100_000))).hasMessageContaining("more than");
    assertThatThrownBy(() -> TextPattern.of("((a{100}){100}){100}"))
        .hasMessageContaining("repeats");
    assertThatThrownBy(() -> TextPattern.of("(".repeat(900) + "a" + ")".repeat(900)))
        .hasMessageContaining("too deep");
    assertThatThrownBy(() -> TextPattern.of("((((((x{9}){9}){9}){9}){9}){9}){9}"))
        .hasMessageContaining("repeats");
  }

  @Test
  void aTextThatWouldCostTooMuchIsNotCheckedToItsEnd() {
    String evil = "(a+)+b|(a|aa)+c|(.*)(.*)(.*)d";
    assertThat(hits("a".repeat(1_000), evil).isIncomplete()).isFalse();
    assertThat(hits("a".repeat(256 * 1024), evil).isIncomplete()).isTrue();
    assertThat(hits("ab ".repeat(80_000), "ab").isIncomplete()).isTrue();
    assertThat(hits("x".repeat(256 * 1024), "needle.*").isIncomplete()).isFalse();
  }
}
