package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.NodeDrafts;
import im.zonda.app.transfer.StoredXml;
import im.zonda.app.transfer.erlang.Term;
import im.zonda.app.transfer.erlang.TermReader;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One account of an ejabberd.
///
/// @param now the time of items that have none
record EjabberdAccount(EjabberdTables tables, String host, String user, Instant now) {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";

  /// The types of rows with credentials in newer schemas.
  private static final int PLAIN = 1;

  private static final List<String> HASHES = List.of("", "", "SHA-1", "SHA-256", "SHA-512");

  /// Reads the account.
  ///
  /// @throws BadRecordException if it cannot be taken
  ImportedAccount read(Jid jid, String where, ImportSource.Receiver receiver)
      throws IOException, BadRecordException {
    AccountDraft draft = new AccountDraft(jid, where, receiver);
    credentials(draft);
    new AccountTables(tables, host, user).addTo(draft);
    if (database().hasTable("pubsub_node")) {
      nodes(draft);
    }
    return draft.build();
  }

  private ForeignDatabase database() {
    return tables.database();
  }

  // ---- passwords

  private void credentials(AccountDraft draft) throws IOException {
    String type = database().hasColumn("users", "type") ? "type" : "0";
    tables.query(
        "select password, serverkey, salt, iterationcount, " + type + " from users where %s",
        row -> {
          String password = String.valueOf(row.text(1));
          String server = row.text(2);
          int kind = (int) row.number(5);
          if (kind == PLAIN || server == null || server.isEmpty()) {
            draft.password(password);
          } else {
            keys(draft, kind, password, server, String.valueOf(row.text(3)), row.number(4));
          }
          return true;
        },
        host,
        user);
  }

  /// Older versions put the hash before the key, or have SHA-1 only.
  private static void keys(
      AccountDraft draft, int kind, String stored, String server, String salt, long iterations) {
    String hash = kind > PLAIN && kind < HASHES.size() ? HASHES.get(kind) : "SHA-1";
    String key = stored;
    for (String other : List.of("SHA-256", "SHA-512")) {
      String prefix = other.replace("-", "").toLowerCase(Locale.ROOT) + ":";
      if (stored.startsWith(prefix)) {
        hash = other;
        key = stored.substring(prefix.length());
      }
    }
    Base64.Decoder base64 = Base64.getDecoder();
    try {
      draft.keys(hash, base64.decode(salt), iterations, base64.decode(key), base64.decode(server));
    } catch (IllegalArgumentException e) {
      draft.unusableKeys("its keys are not Base64");
    }
  }

  // ---- personal eventing

  private void nodes(AccountDraft draft) throws IOException, BadRecordException {
    Map<Long, String> names = new LinkedHashMap<>();
    database()
        .query(
            "select nodeid, node from pubsub_node where host = ? order by node",
            row -> {
              names.put(row.number(1), String.valueOf(row.text(2)));
              return true;
            },
            draft.jid().toString());
    NodeDrafts nodes = new NodeDrafts(draft, now);
    for (Map.Entry<Long, String> each : names.entrySet()) {
      List<BadRecordException> tooMuch = new ArrayList<>();
      node(nodes, each.getKey(), each.getValue(), tooMuch);
      if (!tooMuch.isEmpty()) {
        throw tooMuch.getFirst();
      }
    }
    nodes.finish();
  }

  private void node(NodeDrafts nodes, long id, String node, List<BadRecordException> tooMuch)
      throws IOException {
    each(
        tooMuch,
        "select name, val from pubsub_node_option where nodeid = ?",
        id,
        row ->
            nodes.option(
                node,
                "pubsub#" + row.text(1),
                Term.texts(TermReader.read(String.valueOf(row.text(2))))));
    each(
        tooMuch,
        "select jid, affiliation, subscriptions from pubsub_state where nodeid = ?",
        id,
        row -> {
          String jid = String.valueOf(row.text(1));
          nodes.affiliation(node, jid, affiliation(String.valueOf(row.text(2)).strip()));
          if (String.valueOf(row.text(3)).startsWith("s")) {
            nodes.subscription(node, jid);
          }
        });
    each(
        tooMuch,
        "select itemid, publisher, modification, payload from pubsub_item"
            + " where nodeid = ? order by modification",
        id,
        row -> {
          Element.Builder item =
              Element.builder(PUBSUB, "item")
                  .attribute("id", row.text(1))
                  .attribute("publisher", row.text(2));
          String payload = row.text(4);
          if (payload != null && !payload.isEmpty()) {
            item.child(StoredXml.read(payload));
          }
          nodes.item(node, item.build(), time(String.valueOf(row.text(3))));
        });
  }

  private interface Reading {
    void read(ForeignDatabase.Row row) throws IOException, BadRecordException;
  }

  private void each(List<BadRecordException> tooMuch, String sql, long id, Reading reading)
      throws IOException {
    database()
        .query(
            sql,
            row -> {
              try {
                reading.read(row);
              } catch (BadRecordException | IllegalArgumentException e) {
                tooMuch.add(new BadRecordException(String.valueOf(e.getMessage())));
              }
              return tooMuch.isEmpty();
            },
            id);
  }

  private static String affiliation(String letter) {
    return switch (letter) {
      case "o" -> "owner";
      case "p" -> "publisher";
      case "u" -> "publish-only";
      case "m" -> "member";
      case "c" -> "outcast";
      default -> "none";
    };
  }

  /// A time as `megaseconds:seconds:microseconds`; null if it is none.
  private static @Nullable Instant time(String text) {
    String[] parts = text.split(":", -1);
    return parts.length == 3 ? MnesiaRecord.time(parts[0], parts[1], parts[2]) : null;
  }
}
