package im.zonda.journal;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The texts of reasons in a language.
///
/// @param texts the sentence of each reason by its word, and its advice by the word with `.advice`
public record ReasonTexts(Map<String, String> texts) {
  /// The languages, the one for everyone else first.
  public static final List<String> LANGUAGES = List.of("en", "de", "es", "fr", "it");

  private static final String BUNDLE = "im.zonda.journal.reasons";

  /// Copies the map.
  public ReasonTexts {
    texts = Map.copyOf(texts);
  }

  /// Reads the texts of a language.
  ///
  /// @param language one of [#LANGUAGES]
  public static ReasonTexts read(String language) {
    return new ReasonTexts(Sentences.read(BUNDLE, language));
  }

  /// What a reason says of a stanza.
  ///
  /// @param sender an address, or null if it is not known
  /// @param receiver an address, or null if it is not known
  public String sentence(
      Reason reason, @Nullable String sender, @Nullable String receiver, @Nullable String detail) {
    String text = texts.get(reason.word());
    if (text == null) {
      throw new IllegalStateException("no text for " + reason);
    }
    return Sentences.fill(text, sender, receiver, detail);
  }

  /// What can be done; null if there is nothing.
  public @Nullable String advice(
      Reason reason, @Nullable String sender, @Nullable String receiver) {
    String text = texts.get(reason.word() + ".advice");
    return text == null ? null : Sentences.fill(text, sender, receiver, null);
  }
}
