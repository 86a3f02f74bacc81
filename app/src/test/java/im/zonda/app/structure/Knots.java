package im.zonda.app.structure;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The strongly connected sets of classes inside packages: each class of a set depends, over others
/// of the set, on every other one, so that none can be understood or tested alone. A class counts
/// with its nested ones.
final class Knots {
  /// One set.
  ///
  /// @param classes simple names, in order
  record Knot(String packageName, Set<String> classes) {}

  /// The dependencies of each class of one package on others of it.
  private final Map<String, Set<String>> edges;

  private final Map<String, Integer> index = new HashMap<>();
  private final Map<String, Integer> low = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<Set<String>> found = new ArrayList<>();

  private Knots(Map<String, Set<String>> edges) {
    this.edges = edges;
  }

  /// The largest set of each package that has one of more than one class; the largest first.
  static List<Knot> largest(JavaClasses classes) {
    Map<String, Map<String, Set<String>>> packages = new TreeMap<>();
    for (JavaClass type : classes) {
      Set<String> uses =
          packages
              .computeIfAbsent(type.getPackageName(), _ -> new TreeMap<>())
              .computeIfAbsent(outermost(type), _ -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().equals(type.getPackageName())) {
          uses.add(outermost(target));
        }
      }
    }
    List<Knot> knots = new ArrayList<>();
    packages.forEach((name, edges) ->
        new Knots(edges)
            .all().stream()
                .max(Comparator.comparingInt(Set::size))
                .filter(set -> set.size() > 1)
                .ifPresent(set -> knots.add(new Knot(name, set))));
    knots.sort(Comparator.comparingInt((Knot knot) -> knot.classes().size()).reversed());
    return knots;
  }

  private static String outermost(JavaClass type) {
    String name = type.getName().substring(type.getPackageName().length() + 1);
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private List<Set<String>> all() {
    for (String each : edges.keySet()) {
      if (!index.containsKey(each)) {
        visit(each);
      }
    }
    return found;
  }

  /// Tarjan's algorithm.
  private int visit(String node) {
    int number = index.size();
    index.put(node, number);
    low.put(node, number);
    open.push(node);
    int lowest = number;
    for (String next : edges.getOrDefault(node, Set.of())) {
      if (!index.containsKey(next)) {
        lowest = Math.min(lowest, visit(next));
      } else if (open.contains(next)) {
        lowest = Math.min(lowest, index.getOrDefault(next, number));
      }
    }
    low.put(node, lowest);
    if (lowest == number) {
      Set<String> set = new TreeSet<>();
      String each;
      do {
        each = open.pop();
        set.add(each);
      } while (!each.equals(node));
      found.add(set);
    }
    return lowest;
  }
}
