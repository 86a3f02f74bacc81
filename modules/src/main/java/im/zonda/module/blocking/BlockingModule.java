package im.zonda.module.blocking;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.KeyValueStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Blocks addresses for an account: stanzas in both directions are rejected, and the account
/// appears unavailable to them. Subscriptions do not change.
///
/// The account's own clients and its own server are never blocked, not even by a block of their
/// domain.
@Xep(number = 191, version = "1.3", title = "Blocking Command")
@Xep(
    number = 377,
    version = "0.4.1",
    title = "Blocking Command Reports",
    note = "Reports are forwarded to the administrators of the host only")
public final class BlockingModule implements XmppModule {
  /// The name of the key-value store.
  public static final String STORE = "blocking";

  private static final String NAMESPACE = "urn:xmpp:blocking";
  private static final QName LIST = new QName(NAMESPACE, "blocklist");
  private static final QName BLOCK = new QName(NAMESPACE, "block");
  private static final QName UNBLOCK = new QName(NAMESPACE, "unblock");
  private static final QName ITEM = new QName(NAMESPACE, "item");

  /// The only key of an account in the store, so that a change of many addresses is atomic.
  private static final String STORED = "list";

  private final SessionKey<Boolean> asked =
      new SessionKey<>("blocking", Boolean.class, String::valueOf, Boolean::valueOf);
  private final PresenceModule presence;
  private final AdminModule admins;

  /// @param presence the module that hides the account's presence
  /// @param admins the module that forwards reports
  public BlockingModule(PresenceModule presence, AdminModule admins) {
    this.presence = presence;
    this.admins = admins;
  }

  /// The block lists in memory and in the store.
  private record BlockLists(ModuleContext context, HomeKey<BlockList> key, KeyValueStore store) {
    BlockList of(Home home) {
      return home.state(key);
    }
  }

  @Override
  public String name() {
    return "blocking";
  }

  @Override
  public Ports ports() {
    return Ports.NONE.withKeyValues(STORE);
  }

  @Override
  public void install(ModuleContext context) {
    KeyValueStore store = context.keyValues(STORE);
    HomeKey<BlockList> key =
        new HomeKey<>("blocking", account -> BlockList.of(account, store.get(account, STORED)));
    BlockLists lists = new BlockLists(context, key, store);
    context.addHomeState(key);
    context.advertise(NAMESPACE);
    context.advertise(Report.NAMESPACE);
    context.reserveIq(Iq.Type.SET, BLOCK);
    context.reserveIq(Iq.Type.SET, UNBLOCK);
    context.onIq(Iq.Type.GET, LIST, Addressee.OWN_ACCOUNT, request -> list(request, lists));
    context.onIq(Iq.Type.SET, BLOCK, Addressee.OWN_ACCOUNT, request -> block(request, lists));
    context.onIq(Iq.Type.SET, UNBLOCK, Addressee.OWN_ACCOUNT, request -> unblock(request, lists));
    BlockFilter filter = new BlockFilter(key);
    filter.install(context);
    presence.blockPresence(filter::blocks);
  }

  /// Stores the blocked addresses of an account while no server runs. Blocks.
  ///
  /// @param lists the store named [#STORE]
  public static void store(KeyValueStore lists, Jid account, Set<Jid> addresses) {
    lists.put(account, STORED, BlockList.stored(addresses));
  }

  private IqReply list(IqRequest request, BlockLists lists) {
    Session session = request.session();
    if (session != null) {
      session.set(asked, true);
    }
    return IqReply.result(element(LIST, lists.of(request.home()).addresses()));
  }

  private IqReply block(IqRequest request, BlockLists lists) {
    Home home = request.home();
    List<Element> items = items(request.payload());
    if (items.isEmpty()) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "The request contains no item.");
    }
    Set<Jid> wanted = new LinkedHashSet<>();
    IqReply refused = read(items, wanted);
    if (refused != null) {
      return refused;
    }
    if (wanted.stream().anyMatch(each -> each.bare().equals(home.jid()))) {
      return IqReply.refuse(ErrorCondition.NOT_ALLOWED, "You cannot block yourself.");
    }
    BlockList list = lists.of(home);
    Set<Jid> before = list.addresses();
    Set<Jid> after = new LinkedHashSet<>(before);
    after.addAll(wanted);
    int most = lists.context.config().limits().blockedAddresses();
    if (after.size() > most && after.size() > before.size()) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, "At most " + most + " addresses can be blocked.");
    }
    int bytes = lists.context.config().limits().blockedBytes();
    if (BlockList.length(after) > Math.max(bytes, BlockList.length(before))) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, "The blocked addresses are too long in total.");
    }
    keep(home, lists, after);
    push(home, element(BLOCK, wanted), lists);
    presence.hide(home, difference(after, before), clients(wanted, before));
    items.forEach(item -> Report.accept(item, home.jid(), admins));
    return IqReply.empty();
  }

  private IqReply unblock(IqRequest request, BlockLists lists) {
    Home home = request.home();
    List<Element> items = items(request.payload());
    if (items.isEmpty() && !request.payload().children().isEmpty()) {
      // A request that has only unknown elements must never unblock everyone.
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "The request contains no item.");
    }
    Set<Jid> wanted = new LinkedHashSet<>();
    IqReply refused = read(items, wanted);
    if (refused != null) {
      return refused;
    }
    Set<Jid> before = lists.of(home).addresses();
    Set<Jid> after = new LinkedHashSet<>(before);
    if (items.isEmpty()) {
      after.clear();
    } else {
      after.removeAll(wanted);
    }
    keep(home, lists, after);
    push(home, element(UNBLOCK, wanted), lists);
    Set<Jid> free = new LinkedHashSet<>(before);
    free.removeAll(after);
    presence.show(home, difference(before, after), clients(free, after));
    return IqReply.empty();
  }

  private static List<Element> items(Element payload) {
    return payload.children().stream().filter(child -> child.name().equals(ITEM)).toList();
  }

  /// Reads the addresses of the items; returns the error if one is not valid.
  private static @Nullable IqReply read(List<Element> items, Set<Jid> addresses) {
    for (Element item : items) {
      String jid = item.attribute("jid");
      if (jid == null) {
        return IqReply.refuse(ErrorCondition.BAD_REQUEST, "An item has no jid.");
      }
      try {
        addresses.add(Jid.of(jid));
      } catch (JidFormatException e) {
        return IqReply.refuse(ErrorCondition.JID_MALFORMED);
      }
    }
    return null;
  }

  /// Changes the store first and memory then, so that a failure of the store changes nothing.
  private static void keep(Home home, BlockLists lists, Set<Jid> after) {
    BlockList list = lists.of(home);
    if (after.equals(list.addresses())) {
      return;
    }
    if (after.isEmpty()) {
      lists.store.remove(home.jid(), STORED);
    } else {
      lists.store.put(home.jid(), STORED, BlockList.stored(after));
    }
    list.replace(after);
  }

  /// Pushes the change to every session that has requested the list. Without `from`, as it comes
  /// from the account itself.
  private void push(Home home, Element change, BlockLists lists) {
    for (Session session : home.sessions()) {
      if (session.get(asked) != null) {
        session.send(Iq.of(Iq.Type.SET, null, session.jid(), lists.context.ids().next(), change));
      }
    }
  }

  private static Element element(QName name, Set<Jid> addresses) {
    Element.Builder element = Element.builder(name);
    for (Jid each : addresses) {
      element.child(Element.builder(ITEM).attribute("jid", each.toString()).build());
    }
    return element.build();
  }

  /// Matches addresses that one list blocks and the other does not.
  private static Predicate<Jid> difference(Set<Jid> one, Set<Jid> other) {
    return each -> BlockList.matches(one, each) && !BlockList.matches(other, each);
  }

  /// The full addresses that the other list does not block.
  private static List<Jid> clients(Set<Jid> addresses, Set<Jid> other) {
    List<Jid> clients = new ArrayList<>();
    for (Jid each : addresses) {
      if (each.isFull() && !BlockList.matches(other, each)) {
        clients.add(each);
      }
    }
    return clients;
  }
}
