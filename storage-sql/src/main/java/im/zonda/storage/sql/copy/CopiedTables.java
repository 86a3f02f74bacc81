package im.zonda.storage.sql.copy;

import java.util.ArrayList;
import java.util.List;

/// The tables that are copied; those that others refer to come first.
///
/// The index of words (`archive_text`) differs from one kind of database to another, and SQLite's
/// cannot be read. It is empty in the copy, its mark is 0, and the server fills it again.
final class CopiedTables {
  /// All tables.
  static final List<CopiedTable> ALL =
      List.of(
          unique("account", 1, "id I, domain T, local T, created I, archived_from I"),
          grouped(
              "scram_keys",
              "account_id I, hash T, salt B, iterations I, stored_key B, server_key B"),
          unique("roster_version", 1, "owner_id I, version I"),
          grouped(
              "roster_item",
              "owner_id I, jid T, name T, subscription T, ask I, approved I, listed I, groups T,"
                  + " request B"),
          grouped("key_value", "owner_id I, store T, key T, value B"),
          unique(
              "room",
              1,
              "owner_id I, domain T, local T, created I, persistent I, listed I, name T,"
                  + " settings T, folded T, creator T"),
          unique(
              "removed_room",
              1,
              "owner_id I, domain T, local T, removed I, created I, persistent I, listed I, name T,"
                  + " settings T, creator T"),
          grouped("room_affiliation", "owner_id I, jid T, affiliation T, nick T, reason T"),
          unique(
              "pubsub_node",
              1,
              "id I, owner_id I, name T, creator T, created I, settings T, items I, bytes I,"
                  + " listed I, entries I, presence I"),
          grouped("pubsub_affiliation", "node_id I, jid T, affiliation T"),
          grouped("pubsub_subscription", "node_id I, subid T, jid T, state T, options T"),
          grouped("pubsub_association", "collection_id I, child_id I"),
          unique(
              "pubsub_item",
              2,
              "node_id I, position I, item T, publisher T, published I, size I, payload B,"
                  + " first_position I"),
          unique(
              "upload",
              1,
              "id I, owner_id I, slot T, name T, type T, size I, hash T, created I, expires I"),
          unique(
              "audit_event",
              1,
              "id I, time I, caller T, via T, address T, operation T, area T, host T,"
                  + " subject T, outcome T, detail T"),
          unique(
              "journal_event",
              1,
              "id I, node T, place T, reason T, sender T, sender_resource T, receiver T,"
                  + " receiver_resource T, kind T, stanza T, identity I, detail T"),
          unique(
              "traced_message",
              1,
              "id I, trace I, chosen T, node T, sender T, sender_resource T, receiver T,"
                  + " receiver_resource T, kind T, stanza T"),
          unique(
              "trace_step",
              1,
              "id I, trace I, time I, node T, place T, verdict T, reason T, detail T"),
          grouped("meter_history", "since I, step I, node T, data B"),
          unique("removed_owner", 1, "owner_id I, erased_to I"),
          unique("message_id", 1, "one I, next I"),
          unique(
              "cluster_node",
              1,
              "number I, name T, generation I, next I, removals I, incarnation I, fenced I"),
          unique("cluster_setting", 1, "id I, name T, value T"),
          unique(
              "message",
              1,
              "id I, owner_id I, peer T, waiting I, archive I, stanza B, checksum I, sender_id I,"
                  + " sender_peer T, sender_stanza B, sender_checksum I, origin I"),
          unique(
              "archive_slice", 1, "slice I, level I, first_id I, last_id I, entries I, removed I"),
          unique("archive_chunk", 3, "slice I, last_key I, last_id I, data B"),
          unique("archive_mark", 1, "one I, indexed_to I, text_to -"));

  /// Tables with a row in each new database, which is replaced.
  static final List<String> NEVER_EMPTY = List.of("message_id", "archive_mark");

  private CopiedTables() {}

  private static CopiedTable unique(String name, int keys, String columns) {
    return new CopiedTable(name, keys, true, columns(columns));
  }

  /// A table that is read by its owners: the first column.
  private static CopiedTable grouped(String name, String columns) {
    return new CopiedTable(name, 1, false, columns(columns));
  }

  private static List<Column> columns(String text) {
    List<Column> columns = new ArrayList<>();
    for (String column : text.split(", ", -1)) {
      String[] parts = column.split(" ", -1);
      columns.add(
          new Column(
              parts[0],
              switch (parts[1]) {
                case "I" -> Column.Type.INTEGER;
                case "T" -> Column.Type.TEXT;
                case "B" -> Column.Type.BYTES;
                case "-" -> Column.Type.RESET;
                default -> throw new IllegalArgumentException(column);
              }));
    }
    return columns;
  }
}
