package im.zonda.app.transfer.destination;

import im.zonda.account.DisabledAccounts.Disabling;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.ImportedNode;
import im.zonda.app.transfer.Omission;
import im.zonda.auth.StoredDisabling;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.module.blocking.BlockingModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.vcard.VcardModule;
import im.zonda.store.PubSubStore;
import im.zonda.store.RosterItem;
import im.zonda.store.Stores;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Writes the data of an account, within the limits of the server. Thread-safe; calls block.
///
/// @param report counts what is written, and what is left out
record AccountData(ImportTarget target, ImportReport report) {
  private static final int ITEM_OVERHEAD = 200;

  /// The size of an account in memory, roughly.
  static long bytes(ImportedAccount account) {
    long bytes = (long) ITEM_OVERHEAD * account.roster().size();
    for (ImportedNode node : account.nodes()) {
      for (PubSubStore.Item item : node.items()) {
        bytes += ITEM_OVERHEAD + item.payload().length;
      }
    }
    Element vcard = account.vcard();
    bytes += vcard == null ? 0 : vcard.toString().length();
    for (Element each : account.privateXml()) {
      bytes += each.toString().length();
    }
    return bytes;
  }

  /// Counts what would be written.
  void count(ImportedAccount account) {
    countRoster(rosterOf(account));
    report.count(Kind.VCARDS, account.vcard() == null ? 0 : 1);
    report.count(Kind.PRIVATE_XML, account.privateXml().size());
    report.count(Kind.BLOCKED, blockedOf(account).size());
    for (ImportedNode node : nodesOf(account)) {
      report.count(Kind.NODES, 1);
      report.count(Kind.ITEMS, itemsOf(account, node).size());
    }
    report.count(Kind.ACCOUNTS, 1);
  }

  /// Writes everything except for keys and messages. May be called again after an interruption.
  void write(Stores stores, ImportedAccount account) {
    Jid jid = account.jid();
    if (account.disabled()) {
      new StoredDisabling(stores.keyValues(StoredDisabling.STORE), target.clock())
          .disable(jid, new Disabling(target.clock().instant(), null, "imported as disabled"));
    }
    List<RosterItem> roster = rosterOf(account);
    for (RosterItem item : roster) {
      long _ = stores.rosters().put(jid, item);
    }
    countRoster(roster);
    Element vcard = account.vcard();
    if (vcard != null) {
      String why =
          VcardModule.store(stores.keyValues(VcardModule.STORE), jid, vcard, limits().vcardBytes());
      report.count(Kind.VCARDS, why == null ? 1 : 0);
      if (why != null) {
        omit(account, "the vCard", why);
      }
    }
    List<Element> rejected =
        PrivateXmlModule.store(
            stores.keyValues(PrivateXmlModule.STORE),
            jid,
            account.privateXml(),
            limits().privateBytes());
    for (Element each : rejected) {
      omit(
          account,
          "private XML " + each.name().name() + " in " + each.name().namespace(),
          "the namespace is not allowed, or there is too much (limits.private-bytes)");
    }
    report.count(Kind.PRIVATE_XML, account.privateXml().size() - (long) rejected.size());
    Set<Jid> blocked = blockedOf(account);
    if (!blocked.isEmpty()) {
      BlockingModule.store(stores.keyValues(BlockingModule.STORE), jid, blocked);
      report.count(Kind.BLOCKED, blocked.size());
    }
    for (ImportedNode node : nodesOf(account)) {
      writeNode(stores, account, node);
    }
    report.count(Kind.ACCOUNTS, 1);
  }

  private Limits limits() {
    return target.config().limits();
  }

  private void omit(ImportedAccount account, String what, String why) {
    report.omit(new Omission(account.origin(), what + " of " + account.jid(), why));
  }

  private List<RosterItem> rosterOf(ImportedAccount account) {
    List<RosterItem> taken = new ArrayList<>();
    Set<Jid> seen = new LinkedHashSet<>();
    int most = limits().rosterItems();
    for (RosterItem item : account.roster()) {
      if (item.jid().equals(account.jid())) {
        continue; // no one is a contact of oneself
      }
      if (taken.size() >= most) {
        omit(
            account,
            "contacts beyond the first " + most,
            "too many; raise limits.roster-items first");
        break;
      }
      if (seen.add(item.jid())) {
        taken.add(item);
      }
    }
    return taken;
  }

  private void countRoster(List<RosterItem> roster) {
    report.count(Kind.CONTACTS, roster.stream().filter(RosterItem::listed).count());
    report.count(Kind.REQUESTS, roster.stream().filter(each -> each.request() != null).count());
  }

  private Set<Jid> blockedOf(ImportedAccount account) {
    int most = limits().blockedAddresses();
    Set<Jid> taken = new LinkedHashSet<>();
    for (Jid address : account.blocked()) {
      if (address.bare().equals(account.jid())) {
        continue;
      }
      if (taken.size() >= most) {
        omit(
            account,
            "blocked addresses beyond the first " + most,
            "too many; raise limits.blocked-addresses first");
        break;
      }
      taken.add(address);
    }
    return taken;
  }

  private List<ImportedNode> nodesOf(ImportedAccount account) {
    int most = limits().pubsub().nodes();
    List<ImportedNode> taken = new ArrayList<>();
    for (ImportedNode node : account.nodes()) {
      int length = node.name().getBytes(StandardCharsets.UTF_8).length;
      if (length == 0 || length > PubSubStore.MAX_NAME_BYTES) {
        omit(account, "a PEP node", "its name is empty or too long");
      } else if (taken.size() >= most) {
        omit(account, "PEP nodes beyond the first " + most, "too many; raise limits.pubsub.nodes");
        break;
      } else {
        taken.add(node);
      }
    }
    return taken;
  }

  private List<PubSubStore.Item> itemsOf(ImportedAccount account, ImportedNode node) {
    int most = limits().pubsub().itemBytes();
    List<PubSubStore.Item> taken = new ArrayList<>();
    for (PubSubStore.Item item : node.items()) {
      int length = item.id().getBytes(StandardCharsets.UTF_8).length;
      if (length == 0 || length > PubSubStore.MAX_NAME_BYTES || item.payload().length > most) {
        omit(
            account,
            "an item of the node " + node.name(),
            "it is too large (limits.pubsub.item-bytes), or its identifier is");
      } else {
        taken.add(item);
      }
    }
    int kept = limits().pubsub().items();
    return taken.size() > kept ? taken.subList(taken.size() - kept, taken.size()) : taken;
  }

  private void writeNode(Stores stores, ImportedAccount account, ImportedNode node) {
    List<PubSubStore.Item> items = itemsOf(account, node);
    PubSubModule.store(
        stores.pubSub(),
        new PubSubStore.Place(account.jid(), node.name()),
        node.options(),
        node.affiliations(),
        node.subscribers(),
        items,
        target.clock().instant(),
        limits().pubsub().items());
    report.count(Kind.NODES, 1);
    report.count(Kind.ITEMS, items.size());
  }
}
