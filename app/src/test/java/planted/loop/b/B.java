package planted.loop.b;

import planted.loop.a.A;

/// Needs A, which needs B.
public final class B {
  private B() {}

  /// Runs in circles.
  public static int depth(int from) {
    return from == 0 ? 0 : A.depth(from - 1);
  }
}
