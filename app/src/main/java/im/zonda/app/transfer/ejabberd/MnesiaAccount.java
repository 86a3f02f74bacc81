package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.NodeDrafts;
import im.zonda.app.transfer.erlang.Term;
import im.zonda.app.transfer.erlang.XmlTerm;
import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One account in a dump of ejabberd's own database.
///
/// @param owner its address, as the dump has it
/// @param now the time of items that have none
record MnesiaAccount(MnesiaIndex index, String owner, Instant now) {
  private static final int ENTRY_BYTES = 100;
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";

  /// Reads the account.
  ///
  /// @throws BadRecordException if it cannot be taken
  ImportedAccount read(Jid jid, String where, ImportSource.Receiver receiver)
      throws IOException, BadRecordException {
    AccountDraft draft = new AccountDraft(jid, where, receiver);
    NodeDrafts nodes = new NodeDrafts(draft, now);
    for (int number : index.records(owner).toArray()) {
      MnesiaTable table = index.table(number);
      draft.charge(table == MnesiaTable.ROSTER ? ENTRY_BYTES : 0);
      if (table != MnesiaTable.OFFLINE_MSG && table != MnesiaTable.ARCHIVE_MSG) {
        try {
          take(draft, nodes, table, index.read(number));
        } catch (BadRecordException e) {
          omit(draft, number, e);
        }
      }
    }
    draft.charge(0);
    nodes.finish();
    return draft.build();
  }

  private void omit(AccountDraft draft, int number, BadRecordException cause) {
    draft.omit(index.table(number).what(), index.where(number) + ": " + cause.getMessage());
  }

  private void take(AccountDraft draft, NodeDrafts nodes, MnesiaTable table, MnesiaRecord row)
      throws IOException, BadRecordException {
    switch (table) {
      case PASSWD -> password(draft, row.get("password"));
      case ROSTER -> contact(draft, row);
      case VCARD -> draft.vcard(XmlTerm.read(row.get("vcard")));
      case PRIVATE_STORAGE -> draft.privateXml(XmlTerm.read(row.get("xml")));
      case PRIVACY -> blocked(draft, row);
      case PUBSUB_NODE -> node(draft, nodes, row);
      case OFFLINE_MSG, ARCHIVE_MSG, MUC_ROOM, PUBSUB_STATE, PUBSUB_ITEM -> {
        // Messages are another pass; the others do not belong to accounts.
      }
    }
  }

  // ---- passwords

  /// The password itself, or `{scram, StoredKey, ServerKey, Salt, Hash, Iterations}`, in old
  /// versions without the hash.
  private static void password(AccountDraft draft, Term password) {
    if (!(password instanceof Term.Tuple(List<Term> parts))) {
      String words = Term.words(password);
      if (words != null && !words.isEmpty()) {
        draft.password(words);
      }
      return;
    }
    String hash =
        switch (parts.size() == 6 ? String.valueOf(Term.words(parts.get(4))) : "sha") {
          case "sha" -> "SHA-1";
          case "sha256" -> "SHA-256";
          case "sha512" -> "SHA-512";
          default -> "an unknown hash";
        };
    Base64.Decoder base64 = Base64.getDecoder();
    try {
      draft.keys(
          hash,
          base64.decode(String.valueOf(Term.words(parts.get(3)))),
          Long.parseLong(String.valueOf(Term.words(parts.getLast()))),
          base64.decode(String.valueOf(Term.words(parts.get(1)))),
          base64.decode(String.valueOf(Term.words(parts.get(2)))));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      draft.unusableKeys("its keys are damaged");
    }
  }

  // ---- contacts

  private static void contact(AccountDraft draft, MnesiaRecord row) throws BadRecordException {
    String jid = MnesiaRecord.address(row.get("jid"));
    String name = row.words("name");
    String state = row.words("subscription");
    String ask = row.words("ask");
    List<String> groups = Term.texts(row.find("groups"));
    boolean asked = ask.equals("in") || ask.equals("both");
    boolean requestOnly = state.equals("none") && ask.equals("in") && name.isEmpty();
    if (!requestOnly || !groups.isEmpty()) {
      draft.contact(
          jid,
          name,
          state,
          ask.equals("out") || ask.equals("both") || ask.equals("subscribe"),
          row.words("approved").equals("true"),
          groups);
    }
    if (asked) {
      draft.request(jid, AccountTables.request(row.words("askmessage")));
    }
  }

  // ---- blocked addresses

  /// The lists are pairs of a name and its items: `{listitem, Type, Value, Action, Order, All, Iq,
  /// Message, PresenceIn, PresenceOut}`.
  private static void blocked(AccountDraft draft, MnesiaRecord row) throws BadRecordException {
    String chosen = row.words("default");
    for (Term list : items(row.find("lists"))) {
      if (!(list instanceof Term.Tuple(List<Term> pair)) || pair.size() != 2) {
        throw new BadRecordException("a list is damaged");
      }
      String name = String.valueOf(Term.words(pair.getFirst()));
      if (!name.equals(chosen)) {
        draft.omit("the privacy list \"" + name + "\"", "it is not the default list");
        continue;
      }
      for (Term item : items(pair.get(1))) {
        if (!(item instanceof Term.Tuple(List<Term> parts)) || parts.size() < 8) {
          throw new BadRecordException("an item of a list is damaged");
        }
        try {
          blocked(draft, parts);
        } catch (BadRecordException e) {
          draft.omit("a rule of the default privacy list", String.valueOf(e.getMessage()));
        }
      }
    }
  }

  private static void blocked(AccountDraft draft, List<Term> item) throws BadRecordException {
    if (!"deny".equals(Term.words(item.get(3)))) {
      return;
    }
    boolean all = "true".equals(Term.words(item.get(5))) || "true".equals(Term.words(item.get(7)));
    if (all && "jid".equals(Term.words(item.get(1)))) {
      draft.block(MnesiaRecord.address(item.get(2)));
    } else {
      draft.omit("a rule of the default privacy list", "this server blocks addresses only");
    }
  }

  private static List<Term> items(@Nullable Term term) {
    return term instanceof Term.Items(List<Term> all) ? all : List.of();
  }

  // ---- personal eventing

  private void node(AccountDraft draft, NodeDrafts nodes, MnesiaRecord row)
      throws IOException, BadRecordException {
    String node =
        row.get("nodeid") instanceof Term.Tuple(List<Term> id) && id.size() == 2
            ? Term.words(id.get(1))
            : null;
    if (node == null) {
      throw new BadRecordException("it has no name");
    }
    for (Term option : items(row.find("options"))) {
      if (option instanceof Term.Tuple(List<Term> pair) && pair.size() == 2) {
        nodes.option(node, "pubsub#" + Term.words(pair.getFirst()), Term.texts(pair.get(1)));
      }
    }
    List<Item> published = new ArrayList<>();
    for (int number : index.records(MnesiaTable.node(row.get("id"))).toArray()) {
      try {
        if (index.table(number) == MnesiaTable.PUBSUB_STATE) {
          state(nodes, node, index.read(number));
        } else {
          Item item = item(index.read(number));
          draft.charge(item.element.toString().length());
          published.add(item);
        }
      } catch (BadRecordException e) {
        omit(draft, number, e);
      }
    }
    published.sort(Comparator.comparing(each -> each.time == null ? Instant.MIN : each.time));
    for (Item each : published) {
      nodes.item(node, each.element, each.time);
    }
  }

  private static void state(NodeDrafts nodes, String node, MnesiaRecord row)
      throws BadRecordException {
    if (!(row.get("stateid") instanceof Term.Tuple(List<Term> id))) {
      throw new BadRecordException("it has no address");
    }
    String jid = MnesiaRecord.address(id.getFirst());
    nodes.affiliation(node, jid, row.words("affiliation").replace('_', '-'));
    for (Term each : items(row.find("subscriptions"))) {
      if (each instanceof Term.Tuple tuple && tuple.is("subscribed", 2)) {
        nodes.subscription(node, jid);
      }
    }
  }

  private record Item(Element element, @Nullable Instant time) {}

  private static Item item(MnesiaRecord row) throws BadRecordException {
    String id =
        row.get("itemid") instanceof Term.Tuple(List<Term> parts)
            ? Term.words(parts.getFirst())
            : null;
    Instant time = null;
    String publisher = null;
    if (row.find("modification") instanceof Term.Tuple(List<Term> change) && change.size() == 2) {
      time = MnesiaRecord.time(change.get(0));
      publisher = MnesiaRecord.address(change.get(1));
    }
    try {
      Element.Builder item =
          Element.builder(PUBSUB, "item").attribute("id", id).attribute("publisher", publisher);
      for (Term payload : items(row.find("payload"))) {
        item.child(XmlTerm.read(payload));
      }
      return new Item(item.build(), time);
    } catch (IllegalArgumentException e) {
      throw new BadRecordException("an item is not XML: " + e.getMessage());
    }
  }
}
