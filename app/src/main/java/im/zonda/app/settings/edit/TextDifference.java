package im.zonda.app.settings.edit;

import java.util.ArrayList;
import java.util.List;

/// The difference of two texts, by lines.
public final class TextDifference {
  /// Lines that are shown around a change.
  private static final int AROUND = 2;

  /// The most pairs of lines that are compared; larger parts count as replaced.
  private static final long MOST_PAIRS = 4_000_000;

  private TextDifference() {}

  /// The lines that are removed, after `- `, and added, after `+ `, with a few that stay around
  /// them. Empty if the texts are the same.
  public static List<String> of(String before, String after) {
    List<String> old = before.lines().toList();
    List<String> fresh = after.lines().toList();
    int start = 0;
    while (start < Math.min(old.size(), fresh.size()) && old.get(start).equals(fresh.get(start))) {
      start++;
    }
    int end = 0;
    while (end < Math.min(old.size(), fresh.size()) - start
        && old.get(old.size() - 1 - end).equals(fresh.get(fresh.size() - 1 - end))) {
      end++;
    }
    List<String> all = new ArrayList<>();
    old.subList(0, start).forEach(line -> all.add("  " + line));
    middle(old.subList(start, old.size() - end), fresh.subList(start, fresh.size() - end), all);
    old.subList(old.size() - end, old.size()).forEach(line -> all.add("  " + line));
    return shortened(all);
  }

  private static void middle(List<String> old, List<String> fresh, List<String> all) {
    if ((long) old.size() * fresh.size() > MOST_PAIRS) {
      old.forEach(line -> all.add("- " + line));
      fresh.forEach(line -> all.add("+ " + line));
      return;
    }
    int[][] common = new int[old.size() + 1][fresh.size() + 1];
    for (int i = old.size() - 1; i >= 0; i--) {
      for (int j = fresh.size() - 1; j >= 0; j--) {
        common[i][j] =
            old.get(i).equals(fresh.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    int i = 0;
    int j = 0;
    while (i < old.size() || j < fresh.size()) {
      if (i < old.size() && j < fresh.size() && old.get(i).equals(fresh.get(j))) {
        all.add("  " + old.get(i++));
        j++;
      } else if (i < old.size() && (j == fresh.size() || common[i + 1][j] >= common[i][j + 1])) {
        all.add("- " + old.get(i++));
      } else {
        all.add("+ " + fresh.get(j++));
      }
    }
  }

  /// Without the lines that are far from any change.
  private static List<String> shortened(List<String> all) {
    List<String> shown = new ArrayList<>();
    int last = -1;
    for (int i = 0; i < all.size(); i++) {
      if (isNearChange(all, i)) {
        if (i > last + 1) {
          shown.add("  …");
        }
        shown.add(all.get(i));
        last = i;
      }
    }
    if (!shown.isEmpty() && last < all.size() - 1) {
      shown.add("  …");
    }
    return shown;
  }

  private static boolean isNearChange(List<String> all, int at) {
    for (int i = Math.max(0, at - AROUND); i <= Math.min(all.size() - 1, at + AROUND); i++) {
      if (!all.get(i).startsWith("  ")) {
        return true;
      }
    }
    return false;
  }
}
