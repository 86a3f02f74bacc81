package im.zonda.web.page;

import im.zonda.http.page.Language;
import im.zonda.http.page.Texts;
import java.util.List;

/// The texts of the pages, in the files beside this class.
public final class WebTexts {
  private static final List<String> FILES = List.of("texts_", "account_");

  private WebTexts() {}

  /// Those of all languages.
  public static Texts read() {
    return Texts.read(WebTexts.class, FILES);
  }

  /// Those of one language.
  public static Language read(String code) {
    return Language.read(WebTexts.class, FILES, code);
  }
}
