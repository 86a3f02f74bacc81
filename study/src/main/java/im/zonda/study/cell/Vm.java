package im.zonda.study.cell;

/// A virtual machine with its options.
///
/// @param home the name of a JDK or Java runtime that was given, or [#USUAL]
/// @param cache whether the server starts from an AOT cache
/// @param compactHeaders whether headers of objects have 8 bytes
public record Vm(
    String home,
    Jit jit,
    Collector collector,
    boolean cache,
    boolean compactHeaders,
    LargePages pages) {
  /// The name of the Java runtime of the study itself.
  public static final String USUAL = "";

  /// HotSpot with the options of the product, without its AOT cache.
  public static final Vm BASE =
      new Vm(USUAL, Jit.C2, Collector.SHIPPED, false, true, LargePages.SMALL);

  /// The same with another compiler.
  public Vm with(Jit other) {
    return new Vm(home, other, collector, cache, compactHeaders, pages);
  }

  /// The same with another collector.
  public Vm with(Collector other) {
    return new Vm(home, jit, other, cache, compactHeaders, pages);
  }

  /// The same with other pages.
  public Vm with(LargePages other) {
    return new Vm(home, jit, collector, cache, compactHeaders, other);
  }

  /// The same with an AOT cache.
  public Vm withCache() {
    return new Vm(home, jit, collector, true, compactHeaders, pages);
  }

  /// The same with headers of 12 bytes.
  public Vm withoutCompactHeaders() {
    return new Vm(home, jit, collector, cache, false, pages);
  }

  /// The same options on another Java runtime.
  public Vm at(String other) {
    return new Vm(other, jit, collector, cache, compactHeaders, pages);
  }
}
