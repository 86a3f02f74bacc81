package im.zonda.auth;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Some 9,000 passwords and words that attackers try first. They are read from a file of the
/// program each time, which costs a millisecond: passwords are seldom chosen, and deriving their
/// keys costs more.
final class CommonPasswords {
  private static final String FILE = "common-passwords.txt";
  private static final String COMMENT = "#";

  /// A word is something else with more than these characters around it.
  private static final int MOST_AROUND = 6;

  /// What is shorter is not a word.
  private static final int SHORTEST_WORD = 4;

  private CommonPasswords() {}

  /// The word in a password, without the digits and symbols before and after it: `dragon` in
  /// `dragon1!`. The password itself if there are many of them, or hardly anything else.
  ///
  /// @param password in lower case
  static String word(String password) {
    int from = 0;
    int to = password.length();
    while (from < to && !Character.isLetter(password.charAt(from))) {
      from++;
    }
    while (to > from && !Character.isLetter(password.charAt(to - 1))) {
      to--;
    }
    return to - from < SHORTEST_WORD || password.length() - (to - from) > MOST_AROUND
        ? password
        : password.substring(from, to);
  }

  /// Whether one of two texts in lower case is common.
  static boolean contains(String password, String word) {
    try (InputStream in = CommonPasswords.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("no file " + FILE);
      }
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if ((line.equals(password) || line.equals(word)) && !line.startsWith(COMMENT)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(FILE, e);
    }
  }
}
