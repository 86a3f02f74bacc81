package im.zonda.study.cell;

/// The compilers of a virtual machine.
public enum Jit {
  /// HotSpot's C1 and C2.
  C2,
  /// HotSpot's C1 alone.
  C1,
  /// C1, and the Graal compiler in place of C2.
  GRAAL
}
