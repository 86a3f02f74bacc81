package im.zonda.console.view;

import im.zonda.http.page.Texts;
import java.util.List;

/// The texts of the console, in the files beside this class.
public final class ConsoleTexts {
  private ConsoleTexts() {}

  /// Those of all languages.
  public static Texts read() {
    return Texts.read(ConsoleTexts.class, List.of("texts_", "charts_", "operations_"));
  }
}
