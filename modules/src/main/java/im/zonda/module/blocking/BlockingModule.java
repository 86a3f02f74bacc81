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

/// Lets an account block addresses: nothing of theirs reaches it, it can send them nothing, and to
/// them it looks as if it were away. Subscriptions stay as they are.
///
/// The account's own clients and its own server cannot be blocked: a block of the whole domain does
/// not hold for them.
@Xep(
    number = 191,
    version = "1.3",
    title = "Blocking Command",
    note = "Messages that wait since before the block are still delivered")
@Xep(
    number = 377,
    version = "0.4.1",
    title = "Blocking Command Reports",
    note = "A report becomes an event of the log; it is passed on to nobody")
public final class BlockingModule implements XmppModule {
  private static final String NAMESPACE = "urn:xmpp:blocking";
  private static final QName LIST = new QName(NAMESPACE, "blocklist");
  private static final QName BLOCK = new QName(NAMESPACE, "block");
  private static final QName UNBLOCK = new QName(NAMESPACE, "unblock");
  private static final QName ITEM = new QName(NAMESPACE, "item");

  /// The one key of an account in the store: a change of many addresses is kept whole or not at
  /// all.
  private static final String STORED = "list";

  private final SessionKey<Boolean> asked =
      new SessionKey<>("blocking", Boolean.class, String::valueOf, Boolean::valueOf);
  private final PresenceModule presence;

  /// Blocking that hides the presence of that module.
  public BlockingModule(PresenceModule presence) {
    this.presence = presence;
  }

  /// What all requests need.
  private record Parts(ModuleContext context, HomeKey<BlockList> key, KeyValueStore store) {
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
    return Ports.NONE.withKeyValues("blocking");
  }

  @Override
  public void install(ModuleContext context) {
    KeyValueStore store = context.keyValues("blocking");
    HomeKey<BlockList> key =
        new HomeKey<>("blocking", account -> BlockList.of(store.get(account, STORED)));
    Parts parts = new Parts(context, key, store);
    context.keep(key);
    context.advertise(NAMESPACE);
    context.advertise(Report.NAMESPACE);
    context.reserveIq(Iq.Type.SET, BLOCK);
    context.reserveIq(Iq.Type.SET, UNBLOCK);
    context.onIq(Iq.Type.GET, LIST, Addressee.OWN_ACCOUNT, request -> list(request, parts));
    context.onIq(Iq.Type.SET, BLOCK, Addressee.OWN_ACCOUNT, request -> block(request, parts));
    context.onIq(Iq.Type.SET, UNBLOCK, Addressee.OWN_ACCOUNT, request -> unblock(request, parts));
    Barrier barrier = new Barrier(key);
    barrier.install(context);
    presence.hideFrom(barrier::blocks);
  }

  private IqReply list(IqRequest request, Parts parts) {
    Session session = request.session();
    if (session != null) {
      session.set(asked, true);
    }
    return IqReply.result(element(LIST, parts.of(request.home()).addresses()));
  }

  private IqReply block(IqRequest request, Parts parts) {
    Home home = request.home();
    List<Element> items = items(request.payload());
    if (items.isEmpty()) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "nobody is named");
    }
    Set<Jid> wanted = new LinkedHashSet<>();
    IqReply refused = read(items, wanted);
    if (refused != null) {
      return refused;
    }
    if (wanted.stream().anyMatch(each -> each.bare().equals(home.jid()))) {
      return IqReply.refuse(ErrorCondition.NOT_ALLOWED, "nobody blocks themselves");
    }
    BlockList list = parts.of(home);
    Set<Jid> before = list.addresses();
    Set<Jid> after = new LinkedHashSet<>(before);
    after.addAll(wanted);
    int most = parts.context.config().limits().blockedAddresses();
    if (after.size() > most && after.size() > before.size()) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, "at most " + most + " addresses can be blocked");
    }
    int bytes = parts.context.config().limits().blockedBytes();
    if (BlockList.length(after) > Math.max(bytes, BlockList.length(before))) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, "the blocked addresses are too long together");
    }
    keep(home, parts, after);
    push(home, element(BLOCK, wanted), parts);
    presence.hide(home, difference(after, before), clients(wanted, before));
    items.forEach(item -> Report.log(item, home.jid()));
    return IqReply.empty();
  }

  private IqReply unblock(IqRequest request, Parts parts) {
    Home home = request.home();
    List<Element> items = items(request.payload());
    if (items.isEmpty() && !request.payload().children().isEmpty()) {
      // Whatever it was meant to be, it was not "all".
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "nobody is named");
    }
    Set<Jid> wanted = new LinkedHashSet<>();
    IqReply refused = read(items, wanted);
    if (refused != null) {
      return refused;
    }
    Set<Jid> before = parts.of(home).addresses();
    Set<Jid> after = new LinkedHashSet<>(before);
    if (items.isEmpty()) {
      after.clear();
    } else {
      after.removeAll(wanted);
    }
    keep(home, parts, after);
    push(home, element(UNBLOCK, wanted), parts);
    Set<Jid> free = new LinkedHashSet<>(before);
    free.removeAll(after);
    presence.show(home, difference(before, after), clients(free, after));
    return IqReply.empty();
  }

  private static List<Element> items(Element payload) {
    return payload.children().stream().filter(child -> child.name().equals(ITEM)).toList();
  }

  /// Reads the addresses; the refusal if one is not valid.
  private static @Nullable IqReply read(List<Element> items, Set<Jid> addresses) {
    for (Element item : items) {
      String jid = item.attribute("jid");
      if (jid == null) {
        return IqReply.refuse(ErrorCondition.BAD_REQUEST, "an item has no address");
      }
      try {
        addresses.add(Jid.of(jid));
      } catch (JidFormatException e) {
        return IqReply.refuse(ErrorCondition.JID_MALFORMED);
      }
    }
    return null;
  }

  /// First the store, then memory: if the store fails nothing has changed.
  private static void keep(Home home, Parts parts, Set<Jid> after) {
    BlockList list = parts.of(home);
    if (after.equals(list.addresses())) {
      return;
    }
    if (after.isEmpty()) {
      parts.store.remove(home.jid(), STORED);
    } else {
      parts.store.put(home.jid(), STORED, BlockList.stored(after));
    }
    list.replace(after);
  }

  /// Tells every client that has asked for the list. There is no `from`: it is the account itself
  /// that speaks.
  private void push(Home home, Element change, Parts parts) {
    for (Session session : home.sessions()) {
      if (session.get(asked) != null) {
        session.send(Iq.of(Iq.Type.SET, null, session.jid(), parts.context.ids().next(), change));
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

  /// Who is meant by the one list and not by the other.
  private static Predicate<Jid> difference(Set<Jid> one, Set<Jid> other) {
    return each -> BlockList.matches(one, each) && !BlockList.matches(other, each);
  }

  /// Single clients of others among the addresses, but for those that the other list means anyway.
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
