package im.zonda.study.cell;

/// A garbage collector, with its options.
public enum Collector {
  /// G1 with the options of the product.
  SHIPPED,
  /// G1 without any option on the heap.
  G1,
  /// The serial one.
  SERIAL,
  /// The parallel one.
  PARALLEL,
  /// Z.
  ZGC,
  /// Shenandoah with generations.
  SHENANDOAH
}
