package im.zonda.study.run;

import im.zonda.study.cell.Cell;
import im.zonda.study.load.LoadPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A study: cells in turns, so that what the machine does meanwhile touches all of them.
///
/// @param cells the cells, the one that others are compared with first
/// @param loads on them
/// @param starts how often each cell is started and stopped in a round
/// @param rounds how often all cells run
public record Study(List<Cell> cells, Loads loads, int starts, int rounds) {
  private static final double SECONDS_OF_START = 5;
  private static final int MAIN_CELLS = 6;

  /// Copies the lists.
  public Study {
    cells = List.copyOf(cells);
  }

  /// The loads.
  ///
  /// @param main on the cells in the document's form
  /// @param floor also on the first of them: what pages cost without the work of the page
  /// @param further on the others
  public record Loads(List<LoadPlan> main, List<LoadPlan> floor, List<LoadPlan> further) {
    /// Copies the lists.
    public Loads {
      main = List.copyOf(main);
      floor = List.copyOf(floor);
      further = List.copyOf(further);
    }
  }

  private List<LoadPlan> loads(Cell cell) {
    if (!cell.factor().equals(cells.getFirst().factor())) {
      return loads.further();
    }
    return cell.equals(cells.getFirst())
        ? Stream.concat(loads.main().stream(), loads.floor().stream()).toList()
        : loads.main();
  }

  private double seconds(Cell cell) {
    List<LoadPlan> ofCell = loads(cell);
    return (1 + starts + ofCell.size()) * SECONDS_OF_START
        + ofCell.stream().mapToDouble(LoadPlan::seconds).sum();
  }

  /// About how long what is left takes.
  Duration left(CellFile done) {
    double seconds = 0;
    for (int round = 1; round <= rounds; round++) {
      for (Cell cell : cells) {
        seconds += done.has(cell.name(), round) ? 0 : seconds(cell);
      }
    }
    return Duration.ofSeconds((long) seconds);
  }

  /// Prints all cells with their minutes.
  public void print(PrintWriter out, CellFile done) {
    for (Cell cell : cells) {
      out.printf(
          Locale.ROOT,
          "%-18s %-24s %-12s %5.1f min %s%n",
          cell.name(),
          cell.factor(),
          cell.jars().folder(),
          seconds(cell) / 60,
          loads(cell).stream().map(LoadPlan::name).toList());
    }
    out.printf(
        Locale.ROOT,
        "%d cells, %d of them in the form of the document, %d rounds: about %.0f min are left%n",
        cells.size(),
        Math.min(MAIN_CELLS, cells.size()),
        rounds,
        left(done).toSeconds() / 60.0);
    out.flush();
  }

  /// Runs the cells that have no file.
  void run(CellRunner runner, CellFile done, PrintWriter out) throws IOException {
    for (int round = 1; round <= rounds; round++) {
      for (Cell cell : cells) {
        if (done.has(cell.name(), round)) {
          continue;
        }
        out.printf(
            Locale.ROOT,
            "round %d: %s (about %.0f min are left)%n",
            round,
            cell.name(),
            left(done).toSeconds() / 60.0);
        out.flush();
        var result = runner.run(cell, starts, loads(cell));
        Object first = result.get("error");
        if (first != null) { // other work on the machine may have been the reason
          out.println("  once again: " + first);
          out.flush();
          result = runner.run(cell, starts, loads(cell));
          result.put("first-error", first);
        }
        result.put("round", round);
        done.write(cell.name(), round, result);
        Object error = result.get("error");
        if (error != null) {
          out.println("  does not work: " + error);
        }
      }
    }
  }
}
