package im.zonda.storage.sql.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// A part of the index: the entries of many owners, sorted by key and id, in the rows of
/// `archive_chunk` with its number. A row of `archive_slice`.
///
/// @param number its number; a slice is written after those with lower numbers
/// @param level how often its entries have been merged, or [#WRITING] or [#RETIRED]
/// @param first the lowest id
/// @param last the highest id
/// @param entries the number of entries
/// @param removed about how many of them are of deleted messages
record Slice(long number, int level, long first, long last, long entries, long removed) {
  /// Level of a slice that is being written; not used by queries.
  static final int WRITING = -1;

  /// Level of a slice whose rows are to be deleted; not used by queries.
  static final int RETIRED = -2;

  /// Number of the slice for entries that were late. Its rows have one entry each; it has no row in
  /// `archive_slice` and is always complete.
  static final Slice LATE = new Slice(0, 0, Long.MIN_VALUE, Long.MAX_VALUE, 0, 0);

  private static final String ALL =
      """
      select slice, level, first_id, last_id, entries, removed from archive_slice order by slice
      """;

  /// Reads the slices in the order of their numbers.
  static List<Slice> readAll(Connection connection) throws SQLException {
    List<Slice> slices = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(ALL);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        slices.add(
            new Slice(
                row.getLong(1),
                row.getInt(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6)));
      }
    }
    return slices;
  }

  /// Whether it is complete and in use.
  boolean isLive() {
    return level >= 0;
  }

  /// Whether most of its entries are of deleted messages.
  boolean isMostlyRemoved() {
    return removed * 2 > entries;
  }
}
