package im.zonda.bench.compare;

import im.zonda.bench.statistics.Ratio;
import java.util.function.IntConsumer;

/// The costs of turns, by pairs.
///
/// @param a of A, in the order of the pairs
/// @param b of B
@SuppressWarnings("ArrayRecordComponent") // numbers by the thousand, which nobody changes
public record Pairs(double[] a, double[] b) {
  /// Runs turns in the order A B, B A, A B, B A: the two turns of a pair follow each other, and
  /// each side is as often the first. What a machine does slowly, it does to both.
  ///
  /// @param pairs how many; an odd number is made even
  /// @param done is given the number of pairs that are done
  public static Pairs run(Turn turn, int pairs, IntConsumer done) throws Exception {
    int even = pairs + pairs % 2;
    double[] a = new double[even];
    double[] b = new double[even];
    for (int i = 0; i < even; i++) {
      if (i % 2 == 0) {
        a[i] = turn.run(Turn.Side.A);
        b[i] = turn.run(Turn.Side.B);
      } else {
        b[i] = turn.run(Turn.Side.B);
        a[i] = turn.run(Turn.Side.A);
      }
      done.accept(i + 1);
    }
    return new Pairs(a, b);
  }

  /// Runs turns of A only, as if A were both: the difference that these show is the noise of the
  /// machine.
  public static Pairs ofSame(Turn turn, int pairs, IntConsumer done) throws Exception {
    return run(side -> turn.run(Turn.Side.A), pairs, done);
  }

  /// How many times as much B costs.
  public Ratio ratio() {
    return Ratio.ofPairs(a, b);
  }
}
