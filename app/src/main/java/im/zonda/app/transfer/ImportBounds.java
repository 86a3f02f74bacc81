package im.zonda.app.transfer;

/// Bounds of what is read from other servers: hostile or damaged data ends with an error, not with
/// the memory of the machine.
public final class ImportBounds {
  /// The maximum depth of elements and tables.
  public static final int DEPTH = 100;

  /// The maximum size of one element or value that is in memory at once, in bytes.
  public static final int VALUE_BYTES = 8 << 20;

  /// The maximum size of a message, in bytes.
  public static final int MESSAGE_BYTES = 1 << 20;

  /// The maximum number of children of one element, entries of one table, or contacts.
  public static final int ENTRIES = 100_000;

  /// The maximum number of attributes of one element.
  public static final int ATTRIBUTES = 200;

  /// The maximum size of all values of one account, in bytes.
  public static final long ACCOUNT_BYTES = 64L << 20;

  /// The maximum iteration count of keys: the server computes as many for each login with PLAIN.
  public static final int ITERATIONS = 1_000_000;

  /// The maximum number of messages that wait for one account.
  public static final int WAITING = 10_000;

  private ImportBounds() {}
}
