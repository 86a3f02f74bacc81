package im.zonda.study.cell;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/// All cells, in the order in which they run.
public final class Matrix {
  private static final String MAIN = "compiler and bytecode";

  private Matrix() {}

  /// The six cells in the form of the document, and one for each further factor.
  ///
  /// @param homes the names of further Java runtimes
  public static List<Cell> cells(Collection<String> homes) {
    List<Cell> cells = new ArrayList<>();
    for (Jit jit : List.of(Jit.C2, Jit.GRAAL)) {
      for (Jars jars : List.of(Jars.PLAIN, Jars.STRIPPED, Jars.OPTIMISED)) {
        String name = jit.name().toLowerCase(Locale.ROOT) + "-" + jars.folder();
        cells.add(new Cell(name, MAIN, jars, Vm.BASE.with(jit)));
      }
    }
    cells.add(new Cell("c1", "compiler", Jars.PLAIN, Vm.BASE.with(Jit.C1)));
    for (Collector collector : Collector.values()) {
      if (collector != Collector.SHIPPED) {
        String name = collector.name().toLowerCase(Locale.ROOT);
        cells.add(new Cell(name, "collector", Jars.PLAIN, Vm.BASE.with(collector)));
      }
    }
    cells.add(new Cell("aot-cache", "AOT cache", Jars.PLAIN, Vm.BASE.withCache()));
    cells.add(
        new Cell(
            "large-headers", "headers of objects", Jars.PLAIN, Vm.BASE.withoutCompactHeaders()));
    cells.add(new Cell("thp", "pages", Jars.PLAIN, Vm.BASE.with(LargePages.TRANSPARENT)));
    cells.add(new Cell("huge-pages", "pages", Jars.PLAIN, Vm.BASE.with(LargePages.RESERVED)));
    for (Jars jars : List.of(Jars.NO_DEBUG, Jars.DRIVER, Jars.NAMES, Jars.SHRUNK)) {
      cells.add(new Cell(jars.folder(), "bytecode", jars, Vm.BASE));
    }
    for (String home : homes) {
      cells.add(new Cell("jvm-" + home, "build of the JVM", Jars.PLAIN, Vm.BASE.at(home)));
    }
    return List.copyOf(cells);
  }
}
