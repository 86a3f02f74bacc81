package im.zonda.app.settings.check;

import im.zonda.config.Web;
import im.zonda.runtime.FailureText;
import im.zonda.web.WebModule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/// Checks of the look of a host's pages (`services.web`).
///
/// @param path the dotted path of the section
/// @param report takes the key and what is wrong with it
public record WebChecks(String path, BiConsumer<String, String> report) {
  /// Reports a colour that is none and a picture that cannot be shown, which is read.
  public void run(Web web) {
    if (!web.color().matches("#[0-9a-fA-F]{6}")) {
      String key = path + ".color";
      report.accept(key, key + " must be # and six hexadecimal digits, such as \"#0d3b52\"");
    }
    Path picture = web.picture();
    if (picture != null) {
      try {
        WebModule.checkPicture(picture);
      } catch (IOException e) {
        String key = path + ".picture";
        report.accept(key, key + ": " + FailureText.of(e, picture));
      }
    }
  }
}
