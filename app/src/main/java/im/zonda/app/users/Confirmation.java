package im.zonda.app.users;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/// Asks the administrator before something is removed that cannot be brought back.
public final class Confirmation {
  private Confirmation() {}

  /// Asks, unless `yes` was given.
  ///
  /// @param console the terminal, or null if there is none ([PasswordInput#terminal])
  /// @param question what will be lost, and what to type: a sentence without the colon
  /// @param expected what has to be typed
  /// @throws IllegalArgumentException if something else was typed, or no one can be asked
  public static void ask(@Nullable Console console, boolean yes, String question, String expected) {
    if (yes) {
      return;
    }
    if (console == null) {
      throw new IllegalArgumentException(
          "nothing was removed: add --yes, as there is no terminal on which to ask");
    }
    if (!expected.equals(console.readLine("%s: ", question))) {
      throw new IllegalArgumentException("nothing was removed");
    }
  }
}
