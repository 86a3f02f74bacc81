package im.zonda.storage.sql.journal;

import im.zonda.jid.Jid;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// An address in two columns: the bare JID, which is searched for, and the resource.
final class AddressColumns {
  private AddressColumns() {}

  static @Nullable String bare(@Nullable Jid address) {
    return address == null ? null : address.bare().toString();
  }

  static @Nullable String resource(@Nullable Jid address) {
    return address == null ? null : address.resource();
  }

  /// The address in a column and the one behind it; null if there is none.
  static @Nullable Jid read(ResultSet row, int column) throws SQLException {
    String bare = row.getString(column);
    if (bare == null) {
      return null;
    }
    String resource = row.getString(column + 1);
    Jid address = Jid.stored(bare);
    return resource == null ? address : address.withResource(resource);
  }
}
