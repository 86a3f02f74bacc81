package im.zonda.storage.sql.account;

import im.zonda.storage.sql.database.SqlSyntax;
import java.util.List;

/// Statements of the stores of accounts that are made for a kind of database.
///
/// @param addOwner adds an account or a room's owner unless it exists
/// @param putRosterItem adds or replaces a roster item
/// @param putRosterVersion sets a roster's version
/// @param putValue sets a value or replaces it
/// @param putRoom adds or replaces a room
/// @param putAffiliation adds or replaces a user's affiliation with a room
/// @param putPubSubAffiliation adds or replaces a user's affiliation with a node
/// @param putPubSubSubscription adds or replaces a subscription to a node
/// @param listedRooms public rooms whose name or local part contains a text, in order
/// @param searchAccounts local parts of a domain's accounts that contain a text, in order
/// @param findValues values of a domain's accounts that contain a text, in order
/// @param findDisabled the same for the store of disabled accounts, which are few: an index has
///   them, and no others are read
public record AccountSql(
    String addOwner,
    PutRow putRosterItem,
    PutRow putRosterVersion,
    PutRow putValue,
    PutRow putRoom,
    PutRow putAffiliation,
    PutRow putPubSubAffiliation,
    PutRow putPubSubSubscription,
    String listedRooms,
    String searchAccounts,
    String findValues,
    String findDisabled) {
  /// The statements of a kind of database.
  public static AccountSql of(SqlSyntax syntax) {
    return new AccountSql(
        syntax.insertMissing(
            "account", List.of("domain", "local", "created"), List.of("domain", "local"), 1),
        PutRow.of(
            "roster_item",
            List.of("owner_id", "jid"),
            List.of("name", "subscription", "ask", "approved", "listed", "groups", "request")),
        PutRow.of("roster_version", List.of("owner_id"), List.of("version")),
        PutRow.of("key_value", List.of("owner_id", "store", "\"key\""), List.of("value")),
        PutRow.of(
            "room",
            List.of("owner_id"),
            List.of(
                "domain",
                "local",
                "created",
                "persistent",
                "listed",
                "name",
                "settings",
                "folded",
                "creator")),
        PutRow.of(
            "room_affiliation",
            List.of("owner_id", "jid"),
            List.of("affiliation", "nick", "reason")),
        PutRow.of("pubsub_affiliation", List.of("node_id", "jid"), List.of("affiliation")),
        PutRow.of(
            "pubsub_subscription", List.of("node_id", "subid"), List.of("jid", "state", "options")),
        "select local, created, persistent, listed, name, settings, creator from room"
            + " where domain = ? and local > ? and listed = 1 and "
            + syntax.contains("folded")
            + " order by local limit ?",
        // The condition that most rows fail comes first: SQLite evaluates them in this order.
        "select local from account where domain = ? and local > ? and "
            + syntax.contains("local")
            + " and local not like '/%'"
            + " and not exists (select 1 from room where owner_id = account.id)"
            + " order by local limit ?",
        "select local, value from account join key_value on owner_id = id"
            + " where domain = ? and local > ? and local not like '/%'"
            + " and store = ? and \"key\" = ? and "
            + syntax.containsBytes("value")
            + " order by local limit ?",
        // SQLite reads the tables in this order, and compares this condition with that of the
        // index.
        "select local, value from key_value cross join account"
            + " where store = 'disabled' and owner_id = id"
            + " and domain = ? and local > ? and local not like '/%'"
            + " and store = ? and \"key\" = ? and "
            + syntax.containsBytes("value")
            + " order by local limit ?");
  }
}
