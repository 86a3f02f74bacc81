package im.zonda.app.settings.toml;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Names of keys, and suggestions for misspelt ones.
public final class Words {
  private Words() {}

  /// `listenTls` as `listen-tls`.
  public static String dashed(String camelCase) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < camelCase.length(); i++) {
      char c = camelCase.charAt(i);
      if (Character.isUpperCase(c)) {
        out.append('-').append(Character.toLowerCase(c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  /// The word in `known` nearest to `word`, or null if none is near.
  public static @Nullable String nearest(String word, Collection<String> known) {
    String best = null;
    int bestDistance = Math.max(2, word.length() / 3) + 1;
    for (String candidate : known.stream().sorted().toList()) {
      int distance = distance(word.toLowerCase(Locale.ROOT), candidate);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }

  /// `; did you mean "x"?` or nothing.
  public static String suggestion(String word, Collection<String> known) {
    String nearest = nearest(word, known);
    return nearest == null ? "" : "; did you mean \"" + nearest + "\"?";
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
