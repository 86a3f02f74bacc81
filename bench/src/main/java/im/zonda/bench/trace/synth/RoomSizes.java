package im.zonda.bench.trace.synth;

import java.util.Arrays;

/// Room sizes: a few large rooms and many small ones, by a formula, so that all runs have the same.
///
/// The room at index `i` of `n`, largest first, has `largest / (1 + c·i/n)²` occupants, with `c`
/// such that all rooms together have the given number of occupants. The distribution depends on the
/// mean and the largest size only: with ten times the occupants and rooms, each size occurs ten
/// times.
public final class RoomSizes {
  private static final int HALVINGS = 200;

  private RoomSizes() {}

  /// The sizes, the largest first.
  ///
  /// @param people how many in all
  /// @param rooms how many rooms
  /// @param largest the people in the largest room
  /// @throws IllegalArgumentException if the mean is below 2 or not below the largest
  public static int[] of(int people, int rooms, int largest) {
    if (rooms == 1 && people == largest) {
      return new int[] {people};
    }
    if (rooms < 1 || people < 2L * rooms || people >= (long) largest * rooms) {
      throw new IllegalArgumentException(
          people + " people do not fill " + rooms + " rooms of 2 to " + largest);
    }
    double[] wanted = wanted(people, rooms, largest);
    int[] sizes = new int[rooms];
    // The remaining fraction of the rooms so far is added to the next one.
    double pending = 0;
    for (int i = 0; i < rooms; i++) {
      pending += wanted[i];
      sizes[i] = (int) Math.round(pending);
      pending -= sizes[i];
    }
    sizes[rooms - 1] += people - Arrays.stream(sizes).sum();
    return sizes;
  }

  private static double[] wanted(int people, int rooms, int largest) {
    double low = 0;
    double high = 1e6;
    double[] sizes = new double[rooms];
    for (int i = 0; i < HALVINGS; i++) {
      double c = (low + high) / 2;
      Arrays.setAll(sizes, place -> size(largest, c, (double) place / rooms));
      if (Arrays.stream(sizes).sum() > people) {
        low = c;
      } else {
        high = c;
      }
    }
    return sizes;
  }

  private static double size(int largest, double c, double place) {
    return Math.max(1, largest / ((1 + c * place) * (1 + c * place)));
  }

  /// Average number of receivers of a message if all occupants send equally often.
  public static double copiesPerMessage(int[] sizes) {
    return Arrays.stream(sizes).mapToDouble(n -> (double) n * n).sum() / Arrays.stream(sizes).sum();
  }
}
