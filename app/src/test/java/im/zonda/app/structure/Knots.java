package im.zonda.app.structure;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.stream.Stream;

/// The strongly connected sets of classes inside packages: each class of a set depends, over others
/// of the set, on every other one, so that none can be understood or tested alone. A class counts
/// with its nested ones.
public final class Knots {
  private static final int SHOWN = 12;

  /// One set.
  ///
  /// @param classes simple names, in order
  public record Knot(String packageName, Set<String> classes) {}

  /// The dependencies of each class of one package on others of it.
  private final Map<String, Set<String>> edges;

  private final Map<String, Integer> index = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<Set<String>> found = new ArrayList<>();

  private Knots(Map<String, Set<String>> edges) {
    this.edges = edges;
  }

  /// The largest set of each package that has one of more than one class; the largest first.
  public static List<Knot> largest(JavaClasses classes) {
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
    open.push(node);
    int lowest = number;
    for (String next : edges.getOrDefault(node, Set.of())) {
      if (!index.containsKey(next)) {
        lowest = Math.min(lowest, visit(next));
      } else if (open.contains(next)) {
        lowest = Math.min(lowest, index.getOrDefault(next, number));
      }
    }
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

  /// The first of some sets as a table in Markdown, with the lines of their sources.
  ///
  /// @throws IOException if a source cannot be read
  public static String table(List<Knot> knots) throws IOException {
    StringBuilder table =
        new StringBuilder("| package | classes in a knot | lines |\n|---|---|---|\n");
    for (Knot knot : knots.subList(0, Math.min(SHOWN, knots.size()))) {
      String name = knot.packageName();
      int classes = knot.classes().size();
      table.append("| %s | %d | %d |%n".formatted(name, classes, lines(knot)));
    }
    return table.toString();
  }

  /// The lines of the sources of a set.
  ///
  /// @throws IOException if a source cannot be read
  public static long lines(Knot knot) throws IOException {
    String folder = "src/main/java/" + knot.packageName().replace('.', '/');
    long lines = 0;
    try (Stream<Path> modules = Files.list(Path.of("..").toAbsolutePath().normalize())) {
      for (Path module : modules.toList()) {
        for (String name : knot.classes()) {
          lines += count(module.resolve(folder).resolve(name + ".java"));
        }
      }
    }
    return lines;
  }

  private static long count(Path file) {
    try (Stream<String> text = Files.exists(file) ? Files.lines(file) : Stream.empty()) {
      return text.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
