package im.zonda.bench.profile;

import im.zonda.bench.compare.Pairs;
import im.zonda.bench.compare.ServerTurn;
import im.zonda.bench.compare.StartedTarget;
import im.zonda.bench.compare.Turn;
import im.zonda.bench.result.Result;
import im.zonda.bench.statistics.Ratio;
import im.zonda.bench.target.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.IntConsumer;

/// The cost of the recording itself: turns of one load at one server, with and without it.
final class RecordingCost {
  private RecordingCost() {}

  /// Runs a load once.
  interface Load {
    /// Runs it.
    ///
    /// @param turn its number, from 1
    /// @throws IOException if the server or the load fails
    Result run(Target target, int turn) throws IOException, InterruptedException;
  }

  /// Runs the turns.
  ///
  /// @param target not started yet
  /// @param file where a recording may be kept for a moment
  /// @param done is given the number of pairs that are done
  /// @return the figure: by how much an operation costs more, in percent
  /// @throws Exception if the server or the load fails
  static Result.Figure measure(
      StartedTarget target, Path file, Load load, int pairs, IntConsumer done) throws Exception {
    RecordedTarget recorded = new RecordedTarget(target, file, InstantSource.system(), false);
    ServerTurn.Run turn =
        (_, side, number) ->
            side == Turn.Side.A ? load.run(target, number) : recorded(recorded, load, number);
    try (ServerTurn turns = new ServerTurn(target, recorded, turn, null)) {
      double _ = turns.run(Turn.Side.A);
      Ratio ratio = Pairs.run(turns, pairs, done).ratio();
      return new Result.Figure(
          "recording-cost",
          "CPU that the recording adds to an operation",
          percent(ratio.value()),
          "%",
          new Result.Interval(percent(ratio.low()), percent(ratio.high())));
    }
  }

  /// The recording begins with the turn and is thrown away.
  private static Result recorded(RecordedTarget target, Load load, int turn)
      throws IOException, InterruptedException {
    try {
      return load.run(target, turn);
    } finally {
      target.discard();
    }
  }

  private static double percent(double ratio) {
    return 100 * (ratio - 1);
  }
}
