package im.zonda.storage.sql;

import org.jspecify.annotations.Nullable;

/// The status of a database.
///
/// @param address its address, without user and password
/// @param product its kind and version
/// @param schema the version of its schema; 0 if it has no tables
/// @param newestSchema the version of the schema of this program
/// @param size its size on disk in bytes
/// @param taken whether a process uses it, as far as the database knows
/// @param copyOf the address of the database of which it is an unfinished copy, or null
/// @param counts the numbers of rows
/// @param indexes how far the indexes of the archive have got
public record DatabaseStatus(
    String address,
    String product,
    int schema,
    int newestSchema,
    long size,
    boolean taken,
    @Nullable String copyOf,
    Counts counts,
    Indexes indexes) {
  /// Numbers of rows.
  ///
  /// @param messages rows of the message log; a message between two accounts is one
  /// @param waiting messages that wait for delivery
  public record Counts(long accounts, long rooms, long messages, long waiting) {}

  /// How many rows of the message log an index has not got yet.
  ///
  /// @param archive the index by owner and other party
  /// @param words the index of words, or null if full-text search is off
  public record Indexes(long archive, @Nullable Long words) {}
}
