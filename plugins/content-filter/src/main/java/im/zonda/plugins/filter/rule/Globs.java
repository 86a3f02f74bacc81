package im.zonda.plugins.filter.rule;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Some addresses or domains, in which an asterisk stands for any characters.
public final class Globs {
  private final Set<String> plain = new HashSet<>();
  private final List<String> globs = new ArrayList<>();

  /// Those of a list.
  public Globs(List<String> texts) {
    for (String text : texts) {
      String lower = text.toLowerCase(Locale.ROOT);
      if (lower.indexOf('*') < 0) {
        plain.add(lower);
      } else {
        globs.add(lower);
      }
    }
  }

  /// Whether there are none.
  public boolean isEmpty() {
    return plain.isEmpty() && globs.isEmpty();
  }

  /// Whether one of them is `text`, an address or domain in lower case.
  public boolean match(String text) {
    if (plain.contains(text)) {
      return true;
    }
    for (String glob : globs) {
      if (matches(glob, text)) {
        return true;
      }
    }
    return false;
  }

  // After a mismatch the last asterisk takes one character more.
  private static boolean matches(String glob, String text) {
    int g = 0;
    int t = 0;
    int star = -1;
    int taken = 0;
    while (t < text.length()) {
      if (g < glob.length() && glob.charAt(g) == '*') {
        star = g++;
        taken = t;
      } else if (g < glob.length() && glob.charAt(g) == text.charAt(t)) {
        g++;
        t++;
      } else if (star >= 0) {
        g = star + 1;
        t = ++taken;
      } else {
        return false;
      }
    }
    while (g < glob.length() && glob.charAt(g) == '*') {
      g++;
    }
    return g == glob.length();
  }
}
