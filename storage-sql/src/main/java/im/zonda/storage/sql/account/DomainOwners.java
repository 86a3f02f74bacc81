package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.WriterConnection;
import java.sql.SQLException;

/// Owners that are the domain of a host or of a service: they become owners with the first thing
/// that is stored for them.
final class DomainOwners {
  private DomainOwners() {}

  /// The id of an owner. A domain that is none becomes one.
  ///
  /// @param micros the time, in microseconds since 1970
  /// @return [OwnerIds#NONE] if there is no such account or room
  static long idOf(WriterConnection connection, AccountSql sql, Jid owner, long micros)
      throws SQLException {
    long id = connection.ownerIds().idOf(owner);
    if (id != OwnerIds.NONE || owner.local() != null) {
      return id;
    }
    connection
        .handle()
        .createUpdate(sql.addOwner())
        .bind(0, owner.domain())
        .bind(1, OwnerIds.localOf(owner))
        .bind(2, micros)
        .execute();
    return connection.ownerIds().idOf(owner);
  }
}
