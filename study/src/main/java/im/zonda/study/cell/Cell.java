package im.zonda.study.cell;

/// A cell of the study.
///
/// @param name unique; lower-case words joined by hyphens
/// @param factor the factor in which it differs from the first cell, for people
public record Cell(String name, String factor, Jars jars, Vm vm) {
  /// The cell that all others are compared with.
  public static final String BASE = "c2-plain";
}
