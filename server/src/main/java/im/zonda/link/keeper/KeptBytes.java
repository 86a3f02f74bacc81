package im.zonda.link.keeper;

import java.util.concurrent.atomic.AtomicLong;

/// The bytes that all keepers of a process store. Any thread may call.
///
/// @param bytes the sum
/// @param most the bound; above it, each client may have little
public record KeptBytes(AtomicLong bytes, long most) {
  /// Nothing yet.
  public KeptBytes(long most) {
    this(new AtomicLong(), most);
  }

  void add(long more) {
    bytes.addAndGet(more);
  }

  boolean isTooMuch() {
    return bytes.get() > most;
  }
}
