package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.StoredXml;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.xml.Element;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what ejabberd's tables have of one account besides its password and its nodes: contacts,
/// the vCard, private XML and blocked addresses.
public record AccountTables(EjabberdTables tables, String host, String user) {
  private static final int ENTRY_BYTES = 100;
  private static final String STATUS = "status";

  /// Denied by a privacy list, and blocked with XEP-0191 in MongooseIM.
  private static final List<String> DENIALS = List.of("d", "b");

  /// Adds all of it.
  ///
  /// @throws BadRecordException if the account cannot be taken
  public void addTo(AccountDraft draft) throws IOException, BadRecordException {
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

  /// The request that has that text; null if it has none.
  static @Nullable Element request(String status) {
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
    if (!DENIALS.contains(String.valueOf(row.text(3)).strip())) {
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
}
