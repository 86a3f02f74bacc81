package im.zonda.operation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Where it is written who has changed what.
@FunctionalInterface
public interface AuditTrail {
  /// Who asked for what, and what became of it.
  ///
  /// @param time when it ended
  /// @param caller who asked
  /// @param operation the name of the operation
  /// @param host the host that it was about, or null
  /// @param subject the address or name that it was about, or null
  /// @param outcome a word: `done`, `partly`, `started`, or why it was refused
  /// @param detail the input without secrets, and what was changed, as JSON
  record Entry(
      Instant time,
      Caller caller,
      String operation,
      @Nullable String host,
      @Nullable String subject,
      String outcome,
      String detail) {}

  /// Writes an entry; durable when the call returns. Blocks.
  void write(Entry entry);
}
