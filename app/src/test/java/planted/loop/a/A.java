package planted.loop.a;

import planted.loop.b.B;

/// Needs B, which needs A.
public final class A {
  private A() {}

  /// Runs in circles.
  public static int depth(int from) {
    return from == 0 ? 0 : B.depth(from - 1);
  }
}
