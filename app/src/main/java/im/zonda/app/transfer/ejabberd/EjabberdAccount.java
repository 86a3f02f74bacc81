package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.NodeDrafts;
import im.zonda.app.transfer.StoredXml;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One account of an ejabberd.
///
/// @param now the time of items that have none
record EjabberdAccount(EjabberdTables tables, String host, String user, Instant now) {
  private static final int ENTRY_BYTES = 100;
  private static final String STATUS = "status";
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
    roster(draft);
    if (database().hasTable("vcard")) {
      each(draft, "the vCard", "select vcard from vcard where %s", draft::vcard);
    }
    if (database().hasTable("private_storage")) {
      each(
          draft,
          "private XML",
          "select data from private_storage where %s order by namespace",
          draft::privateXml);
    }
    if (database().hasTable("privacy_list")) {
      blocked(draft);
    }
    if (database().hasTable("pubsub_node")) {
      nodes(draft);
    }
    return draft.build();
  }

  private ForeignDatabase database() {
    return tables.database();
  }

  private interface Taking {
    void take(Element element) throws BadRecordException;
  }

  private void each(AccountDraft draft, String what, String sql, Taking taking) throws IOException {
    tables.query(
        sql,
        row -> {
          try {
            taking.take(StoredXml.read(String.valueOf(row.text(1))));
          } catch (BadRecordException e) {
            draft.omit(what, String.valueOf(e.getMessage()));
          }
          return true;
        },
        host,
        user);
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

  // ---- contacts

  private void roster(AccountDraft draft) throws IOException, BadRecordException {
    Map<String, List<String>> groups = new HashMap<>();
    draft.charge(0);
    tables.query(
        "select jid, grp from rostergroups where %s",
        row -> {
          groups
              .computeIfAbsent(String.valueOf(row.text(1)), jid -> new ArrayList<>())
              .add(String.valueOf(row.text(2)));
          return true;
        },
        host,
        user);
    List<BadRecordException> tooMuch = new ArrayList<>();
    String approved = database().hasColumn("rosterusers", "approved") ? "approved" : "''";
    tables.query(
        "select jid, nick, subscription, ask, askmessage, "
            + approved
            + " from rosterusers where %s order by jid",
        row -> {
          try {
            draft.charge(ENTRY_BYTES);
            contact(draft, row, groups);
            return true;
          } catch (BadRecordException e) {
            tooMuch.add(e);
            return false;
          }
        },
        host,
        user);
    if (!tooMuch.isEmpty()) {
      throw tooMuch.getFirst();
    }
  }

  private static void contact(
      AccountDraft draft, ForeignDatabase.Row row, Map<String, List<String>> groups)
      throws IOException {
    String jid = String.valueOf(row.text(1));
    String name = row.text(2);
    String ask = String.valueOf(row.text(4)).strip();
    String state = String.valueOf(row.text(3)).strip();
    String subscription =
        switch (state) {
          case "N" -> "none";
          case "T" -> "to";
          case "F" -> "from";
          case "B" -> "both";
          default -> state;
        };
    List<String> inGroups = groups.getOrDefault(jid, List.of());
    boolean asked = ask.equals("I") || ask.equals("B");
    boolean requestOnly = state.equals("N") && ask.equals("I") && (name == null || name.isEmpty());
    if (!requestOnly || !inGroups.isEmpty()) {
      String approved = String.valueOf(row.text(6));
      draft.contact(
          jid,
          name,
          subscription,
          ask.equals("O") || ask.equals("B"),
          List.of("1", "t", "true").contains(approved),
          inGroups);
    }
    if (asked) {
      draft.request(jid, request(String.valueOf(row.text(5))));
    }
  }

  private static @Nullable Element request(String status) {
    try {
      return status.isEmpty()
          ? null
          : Element.builder("jabber:client", "presence")
              .attribute("type", "subscribe")
              .child(StoredXml.text(STATUS, status))
              .build();
    } catch (BadRecordException e) {
      return null; // the request itself is taken
    }
  }

  // ---- blocked addresses

  private void blocked(AccountDraft draft) throws IOException {
    List<String> chosen = new ArrayList<>();
    tables.query(
        "select name from privacy_default_list where %s",
        row -> chosen.add(String.valueOf(row.text(1))), host, user);
    List<Long> lists = new ArrayList<>();
    tables.query(
        "select id, name from privacy_list where %s",
        row -> {
          String name = String.valueOf(row.text(2));
          if (chosen.contains(name)) {
            lists.add(row.number(1));
          } else {
            draft.omit("the privacy list \"" + name + "\"", "it is not the default list");
          }
          return true;
        },
        host,
        user);
    for (long list : lists) {
      database()
          .query(
              """
              select t, value, action, match_all, match_message from privacy_list_data
              where id = ? order by ord
              """,
              row -> {
                blocked(draft, row);
                return true;
              },
              list);
    }
  }

  private static void blocked(AccountDraft draft, ForeignDatabase.Row row) throws IOException {
    if (!"d".equals(String.valueOf(row.text(3)).strip())) {
      return;
    }
    boolean all = isTrue(row.text(4)) || isTrue(row.text(5));
    if (all && "j".equals(String.valueOf(row.text(1)).strip())) {
      draft.block(String.valueOf(row.text(2)));
    } else {
      draft.omit("a rule of the default privacy list", "this server blocks addresses only");
    }
  }

  private static boolean isTrue(@Nullable String value) {
    return value != null && List.of("1", "t", "true").contains(value);
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
                values(TermReader.read(String.valueOf(row.text(2))))));
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

  private static List<String> values(Term term) {
    List<String> values = new ArrayList<>();
    for (Term each : term instanceof Term.Items(List<Term> all) ? all : List.of(term)) {
      String words = Term.words(each);
      if (words != null) {
        values.add(words);
      }
    }
    return values;
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
    try {
      return parts.length == 3
          ? Instant.ofEpochSecond(
              Math.addExact(
                  Math.multiplyExact(Long.parseLong(parts[0]), 1_000_000L),
                  Long.parseLong(parts[1])),
              Math.multiplyExact(Long.parseLong(parts[2]), 1_000L))
          : null;
    } catch (NumberFormatException | ArithmeticException | DateTimeException e) {
      return null;
    }
  }
}
