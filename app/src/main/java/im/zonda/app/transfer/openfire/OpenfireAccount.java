package im.zonda.app.transfer.openfire;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.NodeDrafts;
import im.zonda.app.transfer.PrivacyLists;
import im.zonda.app.transfer.StoredXml;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One account of an Openfire.
///
/// @param now the time of items that have none
record OpenfireAccount(
    ForeignDatabase database, EncryptedPasswords passwords, String user, Instant now) {
  private static final int ENTRY_BYTES = 100;
  private static final String SCRAM = "SCRAM-";
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String PRIVACY = "jabber:iq:privacy";

  /// Columns of nodes, and the options that they are.
  private static final Map<String, String> OPTIONS =
      Map.of(
          "accessModel", "access_model",
          "publisherModel", "publish_model",
          "persistItems", "persist_items",
          "deliverPayloads", "deliver_payloads",
          "notifyDelete", "notify_delete",
          "notifyRetract", "notify_retract",
          "payloadType", "type",
          "description", "description",
          "name", "title");

  /// Reads the account.
  ///
  /// @throws BadRecordException if it cannot be taken
  ImportedAccount read(Jid jid, String where, ImportSource.Receiver receiver)
      throws IOException, BadRecordException {
    AccountDraft draft = new AccountDraft(jid, where, receiver);
    credentials(draft);
    roster(draft);
    database.query(
        "select vcard from ofVCard where username = ?",
        row -> {
          try {
            draft.vcard(StoredXml.read(String.valueOf(row.text(1))));
          } catch (BadRecordException e) {
            draft.omit("the vCard", String.valueOf(e.getMessage()));
          }
          return true;
        },
        user);
    if (database.hasTable("ofprivate")) {
      privateXml(draft);
    }
    if (database.hasTable("ofprivacylist")) {
      blocked(draft);
    }
    if (database.hasTable("ofpubsubnode")) {
      privateXmlInNodes(draft);
      nodes(draft);
    }
    return draft.build();
  }

  // ---- passwords

  private void credentials(AccountDraft draft) throws IOException {
    boolean own = database.hasColumn("ofuser", "storedkey");
    database.query(
        "select plainPassword, encryptedPassword, creationDate"
            + (own ? ", storedKey, serverKey, salt, iterations" : "")
            + " from ofUser where username = ?",
        row -> {
          String plain = row.text(1);
          String encrypted = row.text(2);
          draft.created(StoredMillis.of(row.text(3)));
          if (plain != null && !plain.isEmpty()) {
            draft.password(plain);
          } else if (encrypted != null && !encrypted.isEmpty()) {
            encrypted(draft, encrypted);
          }
          if (own) {
            keys(draft, "SHA-1", row, 4);
          }
          return false;
        },
        user);
    if (database.hasTable("ofuserscram")) {
      database.query(
          "select mechanism, storedKey, serverKey, salt, iterations from ofUserScram"
              + " where username = ?",
          row -> {
            String mechanism = String.valueOf(row.text(1));
            keys(
                draft,
                mechanism.startsWith(SCRAM) ? mechanism.substring(SCRAM.length()) : mechanism,
                row,
                2);
            return true;
          },
          user);
    }
    if (database.hasTable("ofuserflag")) {
      database.query(
          "select startTime, endTime from ofUserFlag where username = ? and name = 'lockout'",
          row -> {
            Instant start = StoredMillis.of(row.text(1));
            Instant end = StoredMillis.of(row.text(2));
            if ((start == null || !start.isAfter(now)) && (end == null || end.isAfter(now))) {
              draft.disable();
            }
            return true;
          },
          user);
    }
  }

  private void encrypted(AccountDraft draft, String digits) {
    try {
      draft.password(passwords.decrypt(digits));
    } catch (BadRecordException e) {
      draft.unusableKeys(String.valueOf(e.getMessage()));
    }
  }

  private static void keys(AccountDraft draft, String hash, ForeignDatabase.Row row, int from)
      throws IOException {
    String stored = row.text(from);
    String server = row.text(from + 1);
    String salt = row.text(from + 2);
    if (stored == null || server == null || salt == null || row.number(from + 3) == 0) {
      return;
    }
    Base64.Decoder base64 = Base64.getDecoder();
    try {
      draft.keys(
          hash,
          base64.decode(salt.strip()),
          row.number(from + 3),
          base64.decode(stored.strip()),
          base64.decode(server.strip()));
    } catch (IllegalArgumentException e) {
      draft.unusableKeys("its keys are not Base64");
    }
  }

  // ---- contacts

  private void roster(AccountDraft draft) throws IOException, BadRecordException {
    Map<Long, List<String>> groups = new HashMap<>();
    database.query(
        "select g.rosterID, g.groupName from ofRosterGroups g"
            + " join ofRoster r on r.rosterID = g.rosterID where r.username = ?"
            + " order by g.rosterID, g.groupName",
        row -> {
          groups
              .computeIfAbsent(row.number(1), id -> new ArrayList<>())
              .add(String.valueOf(row.text(2)));
          return true;
        },
        user);
    List<BadRecordException> tooMuch = new ArrayList<>();
    String stanza = database.hasColumn("ofroster", "stanza") ? "stanza" : "null";
    database.query(
        "select rosterID, jid, sub, ask, recv, nick, "
            + stanza
            + " from ofRoster where username = ? order by rosterID",
        row -> {
          try {
            draft.charge(ENTRY_BYTES);
            contact(draft, row, groups.getOrDefault(row.number(1), List.of()));
          } catch (BadRecordException e) {
            tooMuch.add(e);
          }
          return tooMuch.isEmpty();
        },
        user);
    if (!tooMuch.isEmpty()) {
      throw tooMuch.getFirst();
    }
  }

  private static void contact(AccountDraft draft, ForeignDatabase.Row row, List<String> groups)
      throws IOException {
    OpenfireContact.of(row.text(3), row.text(4), row.text(5))
        .addTo(draft, String.valueOf(row.text(2)), row.text(6), groups, request(row.text(7)));
  }

  private static @Nullable Element request(@Nullable String stanza) {
    try {
      return stanza == null || stanza.isBlank() ? null : StoredXml.read(stanza);
    } catch (BadRecordException e) {
      return null; // the request itself is taken
    }
  }

  // ---- private XML and blocked addresses

  /// Newer versions keep private XML in nodes that are named by its namespace.
  private void privateXmlInNodes(AccountDraft draft) throws IOException {
    database.query(
        """
        select i.nodeID, i.payload from ofPubsubItem i
        join ofPubsubNode n on n.serviceID = i.serviceID and n.nodeID = i.nodeID
        where i.serviceID = ? and i.id = 'current' and n.accessModel = 'whitelist'
        """,
        row -> {
          String node = String.valueOf(row.text(1));
          try {
            Element payload = StoredXml.read(String.valueOf(row.text(2)));
            if (payload.name().namespace().equals(node)) {
              draft.privateXml(payload);
            }
          } catch (BadRecordException e) {
            draft.omit("private XML", String.valueOf(e.getMessage()));
          }
          return true;
        },
        draft.jid().toString());
  }

  private void privateXml(AccountDraft draft) throws IOException {
    database.query(
        "select privateData from ofPrivate where username = ? order by namespace",
        row -> {
          try {
            draft.privateXml(StoredXml.read(String.valueOf(row.text(1))));
          } catch (BadRecordException e) {
            draft.omit("private XML", String.valueOf(e.getMessage()));
          }
          return true;
        },
        user);
  }

  private void blocked(AccountDraft draft) throws IOException {
    database.query(
        "select name, isDefault, list from ofPrivacyList where username = ? order by name",
        row -> {
          String name = String.valueOf(row.text(1));
          try {
            Element list = StoredXml.read(String.valueOf(row.text(3)));
            Element.Builder query = Element.builder(PRIVACY, "query");
            if (row.number(2) == 1) {
              query.child(
                  Element.builder(PRIVACY, "default")
                      .attribute("name", list.attribute("name"))
                      .build());
            }
            PrivacyLists.addTo(draft, query.child(list).build());
          } catch (BadRecordException | IllegalArgumentException e) {
            draft.omit("the privacy list \"" + name + "\"", String.valueOf(e.getMessage()));
          }
          return true;
        },
        user);
  }

  // ---- personal eventing

  private void nodes(AccountDraft draft) throws IOException, BadRecordException {
    String service = draft.jid().toString();
    NodeDrafts nodes = new NodeDrafts(draft, now);
    List<BadRecordException> tooMuch = new ArrayList<>();
    Map<String, String> columns = new LinkedHashMap<>(OPTIONS);
    database.query(
        "select nodeID, maxItems, "
            + String.join(", ", columns.keySet())
            + " from ofPubsubNode where serviceID = ? and leaf = 1 order by nodeID",
        row -> {
          try {
            options(nodes, row, List.copyOf(columns.values()));
          } catch (BadRecordException e) {
            tooMuch.add(e);
          }
          return tooMuch.isEmpty();
        },
        service);
    database.query(
        "select nodeID, jid, affiliation from ofPubsubAffiliation where serviceID = ?",
        row -> {
          try {
            nodes.affiliation(
                String.valueOf(row.text(1)),
                String.valueOf(row.text(2)),
                String.valueOf(row.text(3)));
          } catch (BadRecordException e) {
            tooMuch.add(e);
          }
          return tooMuch.isEmpty();
        },
        service);
    database.query(
        "select nodeID, id, jid, creationDate, payload from ofPubsubItem"
            + " where serviceID = ? order by nodeID, creationDate",
        row -> {
          try {
            item(nodes, row);
          } catch (BadRecordException e) {
            tooMuch.add(e);
          }
          return tooMuch.isEmpty();
        },
        service);
    if (!tooMuch.isEmpty()) {
      throw tooMuch.getFirst();
    }
    nodes.finish();
  }

  private static void options(NodeDrafts nodes, ForeignDatabase.Row row, List<String> options)
      throws IOException, BadRecordException {
    String node = String.valueOf(row.text(1));
    nodes.option(node, "pubsub#node_type", List.of("leaf"));
    long most = row.number(2);
    nodes.option(node, "pubsub#max_items", List.of(most > 0 ? Long.toString(most) : "max"));
    for (int i = 0; i < options.size(); i++) {
      String value = row.text(i + 3);
      if (value != null && !value.isEmpty()) {
        nodes.option(node, "pubsub#" + options.get(i), List.of(value));
      }
    }
  }

  private static void item(NodeDrafts nodes, ForeignDatabase.Row row)
      throws IOException, BadRecordException {
    try {
      Element.Builder item =
          Element.builder(PUBSUB, "item")
              .attribute(new QName("", "id"), row.text(2))
              .attribute("publisher", row.text(3));
      String payload = row.text(5);
      if (payload != null && !payload.isBlank()) {
        item.child(StoredXml.read(payload));
      }
      nodes.item(String.valueOf(row.text(1)), item.build(), StoredMillis.of(row.text(4)));
    } catch (IllegalArgumentException e) {
      throw new BadRecordException("an item is not XML: " + e.getMessage());
    }
  }
}
