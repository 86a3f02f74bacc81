package im.zonda.app;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;

/// The order in which packages may use each other.
///
/// A rung is a package with all its sub-packages, unless a sub-package has a rung of its own: a
/// package stands on the rung with the longest name that fits. `*` stands for one word. Names are
/// relative to the root.
///
/// @param root the package above all rungs
/// @param rungs the lowest first; a package uses those on its own rung and below
record Ladder(String root, List<String> rungs) {
  /// The index of the rung on which a package stands, or -1.
  int rungOf(String packageName) {
    int found = -1;
    int longest = 0;
    for (int i = 0; i < rungs.size(); i++) {
      int length = match(rungs.get(i), packageName);
      if (length > longest) {
        found = i;
        longest = length;
      }
    }
    return found;
  }

  /// How well a rung fits: the number of its words, words without `*` before those with it; 0 if
  /// the package is not on it.
  private int match(String rung, String packageName) {
    String[] words = rung.split("\\.", -1);
    if (!packageName.startsWith(root + ".")) {
      return 0;
    }
    String[] given = packageName.substring(root.length() + 1).split("\\.", -1);
    if (given.length < words.length) {
      return 0;
    }
    int score = 0;
    for (int i = 0; i < words.length; i++) {
      boolean same = words[i].equals(given[i]);
      if (!same && !words[i].equals("*")) {
        return 0;
      }
      score += same ? 3 : 2;
    }
    return score;
  }

  /// A class uses only classes on its own rung and below, and stands on a rung.
  ArchCondition<JavaClass> climb() {
    return new ArchCondition<>("use only what is below on the ladder") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        int rung = rungOf(type.getPackageName());
        if (rung < 0) {
          events.add(SimpleConditionEvent.violated(type, type.getPackageName() + " is on no rung"));
          return;
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          if (rungOf(dependency.getTargetClass().getPackageName()) > rung) {
            events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
          }
        }
      }
    };
  }
}
