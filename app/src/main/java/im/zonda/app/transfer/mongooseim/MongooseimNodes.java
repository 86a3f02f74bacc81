package im.zonda.app.transfer.mongooseim;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportedMessages;
import im.zonda.app.transfer.NodeDrafts;
import im.zonda.app.transfer.StoredXml;
import im.zonda.app.transfer.erlang.Term;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The PEP nodes of an account, of the module `mod_pubsub` up to version 6.6, and of the one that
/// has replaced it.
final class MongooseimNodes {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";

  private static final List<String> AFFILIATIONS =
      List.of("none", "owner", "publisher", "publish-only", "member", "outcast");

  private final ForeignDatabase database;
  private final AccountDraft account;
  private final NodeDrafts nodes;
  private final String user;
  private final String host;

  /// Those of an account.
  ///
  /// @param now the time of items that have none
  MongooseimNodes(ForeignDatabase database, AccountDraft account, Instant now) {
    this.database = database;
    this.account = account;
    this.nodes = new NodeDrafts(account, now);
    this.user = String.valueOf(account.jid().local());
    this.host = account.jid().domain();
  }

  /// Adds the nodes to the account. What is damaged costs itself only.
  ///
  /// @throws BadRecordException if they are too large
  void read() throws IOException, BadRecordException {
    if (database.hasTable("pubsub_nodes")) {
      for (Map.Entry<Long, String> each : earlierNodes().entrySet()) {
        earlierNode(each.getKey(), each.getValue());
      }
    }
    if (database.hasTable("pubsub_node") && database.hasColumn("pubsub_node", "service_user")) {
      nodes();
    }
    account.charge(0);
    nodes.finish();
  }

  private interface Reading {
    void read(ForeignDatabase.Row row) throws IOException, BadRecordException;
  }

  private void each(String what, String sql, Reading reading, Object... parameters)
      throws IOException {
    database.query(
        sql,
        row -> {
          try {
            reading.read(row);
          } catch (BadRecordException e) {
            account.omit(what, String.valueOf(e.getMessage()));
          } catch (IllegalArgumentException e) {
            account.omit(what, "not XML: " + e.getMessage());
          }
          return true;
        },
        parameters);
  }

  // ---- up to 6.6

  private Map<Long, String> earlierNodes() throws IOException {
    Map<Long, String> names = new LinkedHashMap<>();
    each(
        "a PEP node",
        "select nidx, name, options from pubsub_nodes where p_key = ? order by name",
        row -> {
          String node = String.valueOf(row.text(2));
          names.put(row.number(1), node);
          for (Term option : JsonTerm.read(String.valueOf(row.text(3))).terms()) {
            if (option instanceof Term.Tuple(List<Term> pair)) {
              nodes.option(
                  node, "pubsub#" + Term.words(pair.getFirst()), Term.texts(pair.getLast()));
            }
          }
        },
        user + "@" + host);
    return names;
  }

  private void earlierNode(long id, String node) throws IOException {
    each(
        "an affiliation with the node " + node,
        "select luser, lserver, aff from pubsub_affiliations where nidx = ?",
        row -> {
          int number = (int) row.number(3);
          if (number > 0 && number < AFFILIATIONS.size()) {
            nodes.affiliation(node, row.text(1) + "@" + row.text(2), AFFILIATIONS.get(number));
          }
        },
        id);
    each(
        "a subscription to the node " + node,
        "select luser, lserver from pubsub_subscriptions where nidx = ? and type = 3",
        row -> nodes.subscription(node, row.text(1) + "@" + row.text(2)),
        id);
    each(
        "an item of the node " + node,
        """
        select itemid, publisher, modified_luser, modified_lserver, modified_at, payload
        from pubsub_items where nidx = ? order by modified_at
        """,
        row -> {
          String publisher = row.text(2);
          item(
              node,
              row.text(1),
              publisher == null ? row.text(3) + "@" + row.text(4) : publisher,
              row.number(5),
              contentOf(StoredXml.read(String.valueOf(row.text(6)))));
        },
        id);
  }

  /// The stored element is an `item` around the payload.
  private static @Nullable Element contentOf(Element stored) {
    return stored.children().isEmpty() ? null : stored.children().getFirst();
  }

  private void item(
      String node, @Nullable String id, String publisher, long micros, @Nullable Element payload)
      throws BadRecordException {
    Element.Builder item =
        Element.builder(PUBSUB, "item").attribute("id", id).attribute("publisher", publisher);
    if (payload != null) {
      item.child(payload);
    }
    nodes.item(node, item.build(), ImportedMessages.ofMicros(micros));
  }

  // ---- later

  private void nodes() throws IOException {
    each(
        "a PEP node",
        """
        select node_id, access_model, max_items from pubsub_node
        where service_domain = ? and service_user = ? order by node_id
        """,
        row -> {
          String node = String.valueOf(row.text(1));
          nodes.option(node, "pubsub#access_model", List.of(String.valueOf(row.text(2))));
          String most = row.text(3);
          nodes.option(node, "pubsub#max_items", List.of(most == null ? "max" : most));
        },
        host,
        user);
    each(
        "a subscription to a PEP node",
        """
        select node_id, subscriber_user, subscriber_domain from pubsub_subscription
        where service_domain = ? and service_user = ?
        """,
        row -> nodes.subscription(String.valueOf(row.text(1)), row.text(2) + "@" + row.text(3)),
        host,
        user);
    each(
        "an item of a PEP node",
        """
        select node_id, item_id, publisher_user, publisher_domain, published_at, payload
        from pubsub_item
        where service_domain = ? and service_user = ? order by node_id, published_at
        """,
        row ->
            item(
                String.valueOf(row.text(1)),
                row.text(2),
                row.text(3) + "@" + row.text(4),
                row.number(5),
                StoredXml.read(String.valueOf(row.text(6)))),
        host,
        user);
  }
}
