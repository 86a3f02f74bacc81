package im.zonda.storage.sql.account;

import im.zonda.storage.sql.database.SqlSyntax;
import java.util.List;

/// The statements of the stores of accounts that differ between kinds of databases.
///
/// @param addOwner adds an account or a room's owner unless it exists
/// @param putRosterItem adds or replaces a roster item
/// @param putRosterVersion sets a roster's version
/// @param putValue sets a value or replaces it
/// @param putRoom adds or replaces a room
/// @param putAffiliation adds or replaces a user's affiliation with a room
/// @param listedRooms public rooms whose name or local part contains a text, in order
public record AccountSql(
    String addOwner,
    String putRosterItem,
    String putRosterVersion,
    String putValue,
    String putRoom,
    String putAffiliation,
    String listedRooms) {
  /// The statements of a kind of database.
  public static AccountSql of(SqlSyntax syntax) {
    return new AccountSql(
        syntax.insertMissing(
            "account", List.of("domain", "local", "created"), List.of("domain", "local"), 1),
        syntax.put(
            "roster_item",
            List.of(
                "owner_id",
                "jid",
                "name",
                "subscription",
                "ask",
                "approved",
                "listed",
                "groups",
                "request"),
            List.of("owner_id", "jid")),
        syntax.put("roster_version", List.of("owner_id", "version"), List.of("owner_id")),
        syntax.put(
            "key_value",
            List.of("owner_id", "store", "\"key\"", "value"),
            List.of("owner_id", "store", "\"key\"")),
        syntax.put(
            "room",
            List.of(
                "owner_id",
                "domain",
                "local",
                "created",
                "persistent",
                "listed",
                "name",
                "settings",
                "folded",
                "creator"),
            List.of("owner_id")),
        syntax.put(
            "room_affiliation",
            List.of("owner_id", "jid", "affiliation", "nick", "reason"),
            List.of("owner_id", "jid")),
        "select local, created, persistent, listed, name, settings, creator from room"
            + " where domain = ? and local > ? and listed = 1 and "
            + syntax.contains("folded")
            + " order by local limit ?");
  }
}
