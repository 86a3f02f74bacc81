package im.zonda.app.transfer.prosody;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.NodeDrafts;
import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One account of a Prosody, from its stores.
///
/// @param now the time of items that have none
record ProsodyAccount(ProsodyData data, String host, String user, Instant now) {
  private static final int ENTRY_BYTES = 100;
  private static final int SHA_1_DIGITS = 40;

  /// The options of nodes whose names differ from those of their fields.
  private static final Map<String, String> OPTIONS =
      Map.of(
          "payload_type", "pubsub#type",
          "notify_items", "pubsub#deliver_notifications",
          "include_payload", "pubsub#deliver_payloads");

  private static final String ACCOUNTS = "accounts";

  /// Reads the account. A store that cannot be read is left out and reported, except for that with
  /// the password.
  ///
  /// @throws BadRecordException if the account cannot be taken
  ImportedAccount read(Jid jid, ImportSource.Receiver receiver)
      throws IOException, BadRecordException {
    AccountDraft draft = new AccountDraft(jid, data.where(host, user, ACCOUNTS), receiver);
    LuaValue.Table account = data.read(host, user, ACCOUNTS);
    if (account == null) {
      draft.unusableKeys("this Prosody does not keep passwords");
    } else {
      credentials(draft, account);
    }
    LuaValue.Table roster = find(draft, "roster");
    if (roster != null) {
      roster(draft, roster);
    }
    LuaValue.Table vcard = find(draft, "vcard");
    if (vcard != null && !vcard.named().isEmpty()) {
      Element element = element(draft, vcard, "the vCard");
      if (element != null) {
        draft.vcard(element);
      }
    }
    LuaValue.Table privateXml = find(draft, "private");
    for (LuaValue each : privateXml == null ? List.<LuaValue>of() : privateXml.named().values()) {
      Element element =
          each instanceof LuaValue.Table table ? element(draft, table, "private XML") : null;
      if (element != null) {
        draft.privateXml(element);
      }
    }
    blocked(draft);
    nodes(draft);
    return draft.build();
  }

  private LuaValue.@Nullable Table find(AccountDraft draft, String store) throws IOException {
    try {
      return data.read(host, user, store);
    } catch (BadRecordException e) {
      draft.omit("the store " + store, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static @Nullable Element element(AccountDraft draft, LuaValue.Table table, String what) {
    try {
      return StanzaTable.element(table);
    } catch (BadRecordException e) {
      draft.omit(what, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static void credentials(AccountDraft draft, LuaValue.Table account)
      throws BadRecordException {
    String password = account.text("password");
    String stored = account.text("stored_key");
    String server = account.text("server_key");
    String salt = account.text("salt");
    Double iterations = account.number("iteration_count");
    if (password != null && !password.isEmpty()) {
      draft.password(password);
    } else if (stored != null && server != null && salt != null && iterations != null) {
      keys(draft, stored, server, salt, iterations);
    }
    if (account.isTrue("disabled")) {
      draft.disable();
    }
    Double created = account.number("created");
    draft.created(created == null ? null : StoredTime.of(created));
  }

  /// The hash is in Prosody's configuration; the length of the keys tells which it is. The salt is
  /// text, not Base64.
  private static void keys(
      AccountDraft draft, String stored, String server, String salt, double iterations) {
    try {
      draft.keys(
          stored.length() == SHA_1_DIGITS ? "SHA-1" : "SHA-256",
          salt.getBytes(StandardCharsets.UTF_8),
          (long) iterations,
          HexFormat.of().parseHex(stored),
          HexFormat.of().parseHex(server));
    } catch (IllegalArgumentException e) {
      draft.unusableKeys("its keys are not hexadecimal digits");
    }
  }

  private static void roster(AccountDraft draft, LuaValue.Table roster) throws BadRecordException {
    for (Map.Entry<String, LuaValue> each : roster.named().entrySet()) {
      draft.charge(ENTRY_BYTES);
      if (!(each.getValue() instanceof LuaValue.Table item)
          || (each.getKey().equals("pending") && item.text("subscription") == null)) {
        continue;
      }
      draft.contact(
          each.getKey(),
          item.text("name"),
          item.text("subscription"),
          "subscribe".equals(item.text("ask")),
          item.isTrue("approved"),
          item.table("groups").keys());
    }
    LuaValue.Table whole =
        roster.atFalse() instanceof LuaValue.Table table ? table : LuaValue.Table.empty();
    for (LuaValue.Table pending : List.of(whole.table("pending"), old(roster))) {
      for (Map.Entry<String, LuaValue> each : pending.named().entrySet()) {
        draft.charge(ENTRY_BYTES);
        draft.request(
            each.getKey(),
            each.getValue() instanceof LuaValue.Table stanza && stanza.text("name") != null
                ? element(draft, stanza, "a contact request")
                : null);
      }
    }
  }

  /// Pending requests as old versions kept them, beside the contacts.
  private static LuaValue.Table old(LuaValue.Table roster) {
    LuaValue.Table pending = roster.table("pending");
    return pending.text("subscription") == null ? pending : LuaValue.Table.empty();
  }

  private void blocked(AccountDraft draft) throws IOException, BadRecordException {
    LuaValue.Table blocklist = find(draft, "blocklist");
    for (String address : blocklist == null ? List.<String>of() : blocklist.keys()) {
      draft.charge(ENTRY_BYTES);
      draft.block(address);
    }
    LuaValue.Table privacy = blocklist == null ? find(draft, "privacy") : null;
    String chosen = privacy == null ? null : privacy.text("default");
    if (privacy != null && chosen != null) {
      for (LuaValue each : privacy.table("lists").table(chosen).table("items").items()) {
        if (each instanceof LuaValue.Table item
            && "deny".equals(item.text("action"))
            && "jid".equals(item.text("type"))) {
          draft.block(String.valueOf(item.text("value")));
        }
      }
    }
  }

  private void nodes(AccountDraft draft) throws IOException, BadRecordException {
    LuaValue.Table pep = find(draft, "pep");
    if (pep == null) {
      return;
    }
    NodeDrafts nodes = new NodeDrafts(draft, now);
    for (Map.Entry<String, LuaValue> each : pep.named().entrySet()) {
      String node = each.getKey();
      LuaValue.Table settings =
          each.getValue() instanceof LuaValue.Table table ? table : LuaValue.Table.empty();
      settings(nodes, node, settings);
      items(draft, nodes, node);
    }
    nodes.finish();
  }

  private static void settings(NodeDrafts nodes, String node, LuaValue.Table settings)
      throws BadRecordException {
    nodes.option(node, "pubsub#node_type", List.of("leaf"));
    for (Map.Entry<String, LuaValue> option : settings.table("config").named().entrySet()) {
      List<String> values = new ArrayList<>();
      if (option.getValue() instanceof LuaValue.Table many) {
        many.items().forEach(value -> add(values, value));
      } else {
        add(values, option.getValue());
      }
      String name = option.getKey();
      nodes.option(node, OPTIONS.getOrDefault(name, "pubsub#" + name), values);
    }
    for (Map.Entry<String, LuaValue> user : settings.table("affiliations").named().entrySet()) {
      String word = LuaValue.text(user.getValue());
      nodes.affiliation(node, user.getKey(), word == null ? "" : word);
    }
    for (String subscriber : settings.table("subscribers").keys()) {
      nodes.subscription(node, subscriber);
    }
  }

  private static void add(List<String> values, LuaValue value) {
    String text = LuaValue.text(value);
    if (text != null) {
      values.add(text);
    }
  }

  private void items(AccountDraft draft, NodeDrafts nodes, String node)
      throws IOException, BadRecordException {
    String store = "pep_" + node;
    @Nullable BadRecordException[] tooMuch = new BadRecordException[1];
    ProsodyData.Items items =
        new ProsodyData.Items() {
          @Override
          public void item(String key, @Nullable Instant when, String with, Element payload) {
            Element item =
                Element.builder("http://jabber.org/protocol/pubsub", "item")
                    .attribute("id", key)
                    .attribute("publisher", with.isEmpty() ? null : with)
                    .child(payload)
                    .build();
            try {
              nodes.item(node, item, when);
            } catch (BadRecordException e) {
              tooMuch[0] = e;
            }
          }

          @Override
          public void damaged(String where, String why) {
            draft.omit("an item of the node " + node, where + ": " + why);
          }
        };
    try {
      data.list(host, user, store, items);
    } catch (BadRecordException e) {
      draft.omit("the rest of the node " + node, String.valueOf(e.getMessage()));
    }
    BadRecordException bad = tooMuch[0];
    if (bad != null) {
      throw bad;
    }
  }
}
