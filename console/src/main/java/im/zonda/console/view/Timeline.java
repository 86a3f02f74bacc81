package im.zonda.console.view;

import java.util.List;

/// Steps in time, each with a bar from the step before it to itself.
///
/// @param steps in their order
public record Timeline(List<Step> steps) {
  /// Copies the list.
  public Timeline {
    steps = List.copyOf(steps);
  }

  /// A step.
  ///
  /// @param place where it was, in words
  /// @param text what has happened
  /// @param tone what that means
  /// @param node the node of the cluster; empty without one
  /// @param after how long after the first step, in words
  /// @param took how long after the step before, in words
  /// @param bar where its bar is
  public record Step(
      String place, String text, Tone tone, String node, String after, String took, Bar bar) {}

  /// A bar in a drawing that is [#WIDTH] wide.
  ///
  /// @param start where it begins
  /// @param width how long it is, at least 1
  public record Bar(int start, int width) {
    /// The width of the drawing.
    public static final int WIDTH = 1_000;

    /// A bar from one time to another.
    ///
    /// @param all the last time of all; the first is 0
    public static Bar of(long from, long to, long all) {
      if (all <= 0) {
        return new Bar(0, 1);
      }
      int start = Math.clamp(from * WIDTH / all, 0, WIDTH - 4);
      int end = Math.clamp(to * WIDTH / all, 0, WIDTH);
      return new Bar(start, Math.max(4, end - start));
    }
  }
}
