package im.zonda.storage.sql.copy;

/// The size of what is copied in one transaction: it ends with the row that reaches a bound.
///
/// @param rows the number of rows
/// @param bytes the size in memory
public record PortionSize(int rows, int bytes) {
  /// Large enough that commits cost little.
  public static final PortionSize USUAL = new PortionSize(10_000, 8 << 20);
}
