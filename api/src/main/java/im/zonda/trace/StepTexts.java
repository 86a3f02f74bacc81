package im.zonda.trace;

import im.zonda.journal.ReasonTexts;
import im.zonda.journal.Sentences;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The texts of steps in a language. Those of reasons are [ReasonTexts].
///
/// @param texts the sentence of each step by its place and verdict, and the name of each place
public record StepTexts(Map<String, String> texts) {
  /// The languages, the one for everyone else first.
  public static final List<String> LANGUAGES = ReasonTexts.LANGUAGES;

  private static final String BUNDLE = "im.zonda.trace.steps";

  /// Copies the map.
  public StepTexts {
    texts = Map.copyOf(texts);
  }

  /// Reads the texts of a language.
  ///
  /// @param language one of [#LANGUAGES]
  public static StepTexts read(String language) {
    return new StepTexts(Sentences.read(BUNDLE, language));
  }

  /// The name of a place; its word if it has none, as of another version.
  public String place(String word) {
    return texts.getOrDefault("place." + word, word);
  }

  /// What has happened at a step; the words if there is no sentence, as of another version.
  ///
  /// @param sender an address, or null if it is not known
  /// @param receiver an address, or null if it is not known
  public String sentence(
      String place,
      String verdict,
      @Nullable String sender,
      @Nullable String receiver,
      @Nullable String detail) {
    String text = texts.get(place + "." + verdict);
    if (text == null) {
      return detail == null ? verdict : verdict + ": " + detail;
    }
    return Sentences.fill(text, sender, receiver, detail);
  }
}
