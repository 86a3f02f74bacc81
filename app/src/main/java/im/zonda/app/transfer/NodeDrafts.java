package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The nodes of an account while they are read, from the elements of XEP-0060: their configuration
/// and their items come in any order.
public final class NodeDrafts {
  private static final String OWNER = "http://jabber.org/protocol/pubsub#owner";
  private static final QName FORM = new QName("jabber:x:data", "x");

  private final AccountDraft account;
  private final Instant now;
  private final Map<String, Draft> drafts = new LinkedHashMap<>();

  private static final class Draft {
    private final Map<String, List<String>> options = new LinkedHashMap<>();
    private final Map<Jid, String> affiliations = new LinkedHashMap<>();
    private final List<Jid> subscribers = new ArrayList<>();
    private final List<PubSubStore.Item> items = new ArrayList<>();
  }

  /// Begins with no nodes.
  ///
  /// @param now the time of items that have none
  public NodeDrafts(AccountDraft account, Instant now) {
    this.account = account;
    this.now = now;
  }

  private Draft draft(String node) throws BadRecordException {
    account.charge(node.length());
    if (drafts.size() >= ImportBounds.ENTRIES) {
      throw new BadRecordException("more than " + ImportBounds.ENTRIES + " nodes");
    }
    return drafts.computeIfAbsent(node, name -> new Draft());
  }

  /// Adds the children of a `pubsub` element, of either namespace (XEP-0227, section 4.8).
  public void add(Element pubsub) throws BadRecordException {
    for (Element part : pubsub.children()) {
      String node = part.attribute("node");
      if (node == null || node.isEmpty()) {
        account.omit("a PEP node", "it has no name");
        continue;
      }
      switch (part.name().name()) {
        case "configure" -> configure(node, part);
        case "affiliations" -> affiliations(node, part);
        case "subscriptions" -> subscriptions(node, part);
        case "items" -> items(node, part);
        default -> account.omit(part.name().name() + " of the node " + node, "unknown");
      }
    }
  }

  private void configure(String node, Element part) throws BadRecordException {
    Draft draft = draft(node);
    Element form = part.child(FORM);
    for (Element field : form == null ? List.<Element>of() : form.children()) {
      String name = field.attribute("var");
      if (name != null && field.name().name().equals("field")) {
        List<String> values = new ArrayList<>();
        for (Element value : field.children()) {
          if (value.name().name().equals("value")) {
            values.add(value.text());
          }
        }
        option(draft, name, values);
      }
    }
  }

  private static void option(Draft draft, String field, List<String> values) {
    if (field.startsWith("pubsub#")) {
      draft.options.put(field, values);
    }
  }

  /// Adds an option of a node.
  ///
  /// @param field the name in the form, such as `pubsub#access_model`
  public void option(String node, String field, List<String> values) throws BadRecordException {
    option(draft(node), field, values);
  }

  private void affiliations(String node, Element part) throws BadRecordException {
    for (Element each : part.children()) {
      affiliation(node, text(each.attribute("jid")), text(each.attribute("affiliation")));
    }
  }

  /// Adds an affiliation with a node.
  public void affiliation(String node, String address, String word) throws BadRecordException {
    Jid user = account.address(address, "an affiliation with the node " + node);
    if (user != null && !user.equals(account.jid())) {
      draft(node).affiliations.put(user, word);
    }
  }

  private void subscriptions(String node, Element part) throws BadRecordException {
    for (Element each : part.children()) {
      if ("subscribed".equals(each.attribute("subscription"))) {
        subscription(node, text(each.attribute("jid")));
      }
    }
  }

  /// Adds a subscription to a node.
  public void subscription(String node, String address) throws BadRecordException {
    Jid user = account.address(address, "a subscription to the node " + node);
    if (user != null) {
      draft(node).subscribers.add(user);
    }
  }

  private void items(String node, Element part) throws BadRecordException {
    Draft draft = draft(node);
    if (part.name().namespace().equals(OWNER)) {
      return;
    }
    for (Element item : part.children()) {
      if (item.name().name().equals("item")) {
        item(node, draft, item, null);
      }
    }
  }

  /// Adds an item of a node, after those before.
  ///
  /// @param published when it was published, or null if that is unknown
  public void item(String node, Element item, @Nullable Instant published)
      throws BadRecordException {
    item(node, draft(node), item, published);
  }

  private void item(String node, Draft draft, Element item, @Nullable Instant published)
      throws BadRecordException {
    String id = item.attribute("id");
    if (id == null || id.isEmpty()) {
      account.omit("an item of the node " + node, "it has no identifier");
      return;
    }
    byte[] payload =
        item.children().isEmpty() ? new byte[0] : ElementBytes.of(item.children().getFirst());
    account.charge(payload.length + id.length());
    String publisher = item.attribute("publisher");
    Jid by = publisher == null ? null : account.address(publisher, "the publisher of an item");
    // Items of one moment keep their order.
    Instant time = published == null ? now.plusNanos(draft.items.size() * 1_000L) : published;
    draft.items.removeIf(before -> before.id().equals(id));
    draft.items.add(new PubSubStore.Item(id, by == null ? account.jid() : by, time, payload));
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  /// Adds the nodes to the account.
  public void finish() {
    for (Map.Entry<String, Draft> each : drafts.entrySet()) {
      Draft draft = each.getValue();
      account.node(
          new ImportedNode(
              each.getKey(), draft.options, draft.affiliations, draft.subscribers, draft.items));
    }
  }
}
