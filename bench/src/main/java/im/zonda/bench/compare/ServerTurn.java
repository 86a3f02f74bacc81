package im.zonda.bench.compare;

import im.zonda.bench.report.Figures;
import im.zonda.bench.result.Result;
import im.zonda.bench.target.Target;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns of a scenario at two servers that both run all the time. What a turn costs is a figure of
/// its result.
public final class ServerTurn implements Turn, AutoCloseable {
  /// Costs of an operation are figures with such names.
  private static final String COST = "cpu-per-";

  /// Runs the load once.
  public interface Run {
    /// Runs the load at a server.
    ///
    /// @param turn the number of the turn, from 1
    /// @throws IOException if the server or the load fails
    Result run(Target target, Side side, int turn) throws IOException, InterruptedException;
  }

  private final Map<Side, Target> targets = new EnumMap<>(Side.class);
  private final Map<Side, Result> last = new EnumMap<>(Side.class);
  private final Run run;
  private @Nullable String cost;
  private int turns;

  /// @param cost the name of the figure; null for the first CPU time of an operation
  public ServerTurn(Target a, Target b, Run run, @Nullable String cost) {
    targets.put(Side.A, new StartedTarget(a));
    targets.put(Side.B, new StartedTarget(b));
    this.run = run;
    this.cost = cost;
  }

  @Override
  public double run(Side side) throws IOException, InterruptedException {
    Target target = targets.get(side);
    if (target == null) {
      throw new IllegalStateException("no server " + side);
    }
    Result result = run.run(target, side, ++turns);
    last.put(side, result);
    double value = Figures.value(result, figure(result).name());
    if (!(value > 0)) {
      throw new IOException(
          "turn "
              + turns
              + " of "
              + side
              + " has no "
              + figure(result).name()
              + " above 0: is the process of the server known?");
    }
    return value;
  }

  /// The figure that is compared.
  private Result.Figure figure(Result result) throws IOException {
    String name = cost;
    for (Result.Figure figure : result.figures()) {
      if (name == null ? figure.name().startsWith(COST) : figure.name().equals(name)) {
        cost = figure.name();
        return figure;
      }
    }
    throw new IOException(
        result.run().scenario()
            + " has no figure "
            + (name == null ? COST + "…" : name)
            + " to compare; there are "
            + String.join(", ", result.figures().stream().map(Result.Figure::name).toList()));
  }

  /// The unit of a cost; after the first turn.
  public String unit() throws IOException {
    return figure(last(Side.A)).unit();
  }

  /// The last result of a side; after its first turn.
  public Result last(Side side) {
    Result result = last.get(side);
    if (result == null) {
      throw new IllegalStateException("no turn of " + side + " yet");
    }
    return result;
  }

  @Override
  public void close() {
    targets.values().forEach(Target::close);
  }
}
