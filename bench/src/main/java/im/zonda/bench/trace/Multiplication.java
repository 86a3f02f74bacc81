package im.zonda.bench.trace;

/// The factors of a multiplication of a trace.
///
/// @param times clones of each player and room, at least 1
/// @param shift the most milliseconds by which a clone is moved; the part that passes the end is
///   the beginning then
/// @param speed divides all times
/// @param mix share of the players, from 0 to 1, whose clones exchange stays: they are in rooms of
///   two clones
/// @param maxRoom the most players that a room may have; 0 for no limit
/// @param seed chooses shifts and who exchanges
public record Multiplication(
    int times, long shift, double speed, double mix, int maxRoom, long seed) {
  /// The most clones.
  static final int MAX_TIMES = 1_000;

  /// Rejects values outside of their limits.
  ///
  /// @throws IllegalArgumentException with a sentence that says which
  public Multiplication {
    require(times >= 1 && times <= MAX_TIMES, "--times is not from 1 to " + MAX_TIMES);
    require(shift >= 0, "--shift is negative");
    require(speed >= 0.01 && speed <= 100, "--speed is not from 0.01 to 100");
    require(mix >= 0 && mix <= 1, "--mix is not from 0 to 100 %");
    require(maxRoom >= 0, "--max-room is negative");
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException(problem);
    }
  }
}
