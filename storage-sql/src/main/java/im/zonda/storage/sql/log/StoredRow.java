package im.zonda.storage.sql.log;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// A row of the table `message`: one message in the log of its receiver, in the archive of its
/// sender, or in both.
///
/// @param id the id of the entry, for both
/// @param ownerId the receiver; the sender if the row is its copy alone
/// @param peer the other party of the owner
/// @param waiting whether it waits for delivery to the owner
/// @param archive whether it is in the owner's archive
/// @param stanza the message as delivered to the owner
/// @param checksum the checksum of the parts above that do not change
/// @param senderId the sender, if it has the message in its archive in this row; otherwise
///   [OwnerIds#NONE]
/// @param replaced the sender's part, if its message differs
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredRow(
    long id,
    long ownerId,
    String peer,
    boolean waiting,
    boolean archive,
    byte[] stanza,
    long checksum,
    long senderId,
    @Nullable Replaced replaced) {
  /// Selects rows; a condition for the id follows.
  public static final String SELECT =
      """
      select id, owner_id, peer, waiting, archive, stanza, checksum, sender_id, sender_peer,
        sender_stanza, sender_checksum
      from message where id
      """;

  /// Selects a row by its id.
  public static final String BY_ID = SELECT + "= ?";

  /// The sender's part of a row, after the message of either part has been replaced.
  ///
  /// @param peer the other party of the sender
  /// @param stanza its message
  /// @param checksum their checksum
  public record Replaced(String peer, byte[] stanza, long checksum) {}

  /// Reads a row of [#SELECT].
  public static StoredRow of(ResultSet row) throws SQLException {
    long sender = row.getLong(8);
    boolean alone = row.wasNull();
    byte[] replaced = row.getBytes(10);
    return new StoredRow(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        row.getInt(4) != 0,
        row.getInt(5) != 0,
        row.getBytes(6),
        row.getLong(7),
        alone ? OwnerIds.NONE : sender,
        replaced == null ? null : new Replaced(row.getString(9), replaced, row.getLong(11)));
  }

  /// Whether it is in that owner's archive.
  public boolean isArchivedBy(long owner) {
    return (archive && ownerId == owner) || senderId == owner;
  }
}
