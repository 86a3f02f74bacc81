package im.zonda.module.privatexml;

import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.KeyValueStore;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores XML for the clients of an account, by the name and namespace of its root element.
///
/// A set replaces everything that was stored under the names it contains. A get contains the wanted
/// names, all in one namespace; the answer has an empty element for each that was never stored.
@Xep(number = 49, version = "1.2", title = "Private XML Storage")
public final class PrivateXmlModule implements XmppModule {
  private static final Logger LOG = LoggerFactory.getLogger(PrivateXmlModule.class);

  /// The name of the key-value store.
  public static final String STORE = "private";

  private static final String NAMESPACE = "jabber:iq:private";
  private static final QName QUERY = new QName(NAMESPACE, "query");

  private static final Observer NOBODY =
      new Observer() {
        @Override
        public @Nullable IqReply refuse(Home home, Element element) {
          return null;
        }

        @Override
        public void stored(Home home, Element element) {}
      };

  /// The overhead that is counted for every entry.
  private static final int ENTRY_BYTES = 128;

  /// The maximum size of a name with its namespace, which is the key in the store, in bytes.
  private static final int KEY_BYTES = 512;

  /// Follows what clients store under one name. Called at the account's home; may block.
  public interface Observer {
    /// Why the element is rejected, or null. Called before anything is stored.
    @Nullable IqReply refuse(Home home, Element element);

    /// The element is stored; the client has not been answered.
    void stored(Home home, Element element);
  }

  private final Map<QName, Observer> observers = new ConcurrentHashMap<>();
  private volatile @Nullable KeyValueStore installed;

  /// Sets who follows what clients store under a name; null for nobody.
  public void observe(QName name, @Nullable Observer observer) {
    if (observer == null) {
      observers.remove(name);
    } else {
      observers.put(name, observer);
    }
  }

  /// Whether clients can store XML.
  public boolean isOn() {
    return installed != null;
  }

  /// What is stored under a name, or null. Blocks.
  public @Nullable Element find(Jid account, QName name) {
    KeyValueStore store = installed;
    byte[] kept = store == null ? null : store.get(account, key(name));
    return kept == null ? null : merged(name, read(account, kept));
  }

  /// Everything that is stored for an account. Blocks.
  public List<Element> findAll(Jid account) {
    KeyValueStore store = installed;
    return store == null
        ? List.of()
        : store.all(account).values().stream()
            .flatMap(kept -> read(account, kept).stream())
            .toList();
  }

  /// Stores an element as if the client had done it, without a limit. The observer is not called.
  /// Blocks.
  public void put(Jid account, Element element) {
    KeyValueStore store = installed;
    if (store != null) {
      entries(List.of(element)).forEach((key, value) -> store.put(account, key, value));
    }
  }

  /// Stores private XML of an account while no server runs. Blocks.
  ///
  /// @param kept the store named [#STORE]
  /// @param most the maximum size of all, in bytes
  /// @return the elements that are not stored: their names are not allowed, or too much came before
  public static List<Element> store(
      KeyValueStore kept, Jid account, List<Element> elements, int most) {
    List<Element> allowed = new ArrayList<>();
    List<Element> rejected = new ArrayList<>();
    for (Element element : elements) {
      allowed.add(element);
      if (check(List.of(element)) != null || cost(entries(allowed)) > most) {
        allowed.removeLast();
        rejected.add(element);
      }
    }
    entries(allowed).forEach((key, value) -> kept.put(account, key, value));
    return rejected;
  }

  /// Elements of one name as one element; null if there are none.
  private static @Nullable Element merged(QName name, List<Element> elements) {
    if (elements.size() < 2) {
      return elements.isEmpty() ? null : elements.getFirst();
    }
    Element.Builder all = Element.builder(name);
    elements.forEach(each -> all.children(each.children()));
    return all.build();
  }

  @Override
  public String name() {
    return "privatexml";
  }

  @Override
  public Ports ports() {
    return Ports.NONE.withKeyValues(STORE);
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    KeyValueStore store = context.keyValues(STORE);
    installed = store;
    IntSupplier most = () -> context.config().limits().privateBytes();
    context.onIq(Iq.Type.GET, QUERY, Addressee.OWN_ACCOUNT, request -> get(request, store));
    context.onIq(
        Iq.Type.SET, QUERY, Addressee.OWN_ACCOUNT, request -> set(request, store, most.getAsInt()));
    for (Iq.Type type : List.of(Iq.Type.GET, Iq.Type.SET)) {
      context.onIq(
          type,
          QUERY,
          Addressee.OTHER_ACCOUNT,
          request -> IqReply.refuse(ErrorCondition.FORBIDDEN));
    }
  }

  @Override
  public void stop() {
    installed = null;
  }

  private static IqReply get(IqRequest request, KeyValueStore store) {
    List<Element> wanted = request.payload().children();
    IqReply refused = check(wanted);
    if (refused != null) {
      return refused;
    }
    String namespace = wanted.getFirst().name().namespace();
    if (!wanted.stream().allMatch(each -> each.name().namespace().equals(namespace))) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST, "Only one namespace is allowed in a request.");
    }
    Element.Builder result = Element.builder(QUERY);
    for (QName name : wanted.stream().map(Element::name).distinct().toList()) {
      byte[] kept = store.get(request.home().jid(), key(name));
      List<Element> found = kept == null ? List.of() : read(request.home().jid(), kept);
      result.children(found.isEmpty() ? List.of(Element.of(name)) : found);
    }
    return IqReply.result(result.build());
  }

  private IqReply set(IqRequest request, KeyValueStore store, int most) {
    List<Element> given = request.payload().children();
    IqReply refused = check(given);
    if (refused != null) {
      return refused;
    }
    Map<String, byte[]> entries = entries(given);
    Map<String, byte[]> kept = store.all(request.home().jid());
    kept.keySet().removeAll(entries.keySet());
    if (cost(kept) + cost(entries) > most) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, "Private data may have at most " + most + " bytes.");
    }
    Map<QName, Element> observed = observed(given);
    for (Map.Entry<QName, Element> each : observed.entrySet()) {
      IqReply refusal = observer(each.getKey()).refuse(request.home(), each.getValue());
      if (refusal != null) {
        return refusal;
      }
    }
    entries.forEach((key, value) -> store.put(request.home().jid(), key, value));
    observed.forEach((name, element) -> observer(name).stored(request.home(), element));
    return IqReply.empty();
  }

  /// The elements under names that are followed.
  private Map<QName, Element> observed(List<Element> given) {
    Map<QName, Element> observed = new LinkedHashMap<>();
    for (QName name : observers.keySet()) {
      Element element =
          merged(name, given.stream().filter(each -> each.name().equals(name)).toList());
      if (element != null) {
        observed.put(name, element);
      }
    }
    return observed;
  }

  private Observer observer(QName name) {
    return observers.getOrDefault(name, NOBODY);
  }

  /// The error for these elements, or null if they are valid.
  private static @Nullable IqReply check(List<Element> elements) {
    if (elements.isEmpty()) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, "An element is missing.");
    }
    for (Element element : elements) {
      String namespace = element.name().namespace();
      if (namespace.isEmpty()
          || namespace.startsWith("jabber:")
          || namespace.startsWith("http://jabber.org/")
          || namespace.equals("vcard-temp")) {
        return IqReply.refuse(
            ErrorCondition.NOT_ACCEPTABLE, "The namespace is missing or reserved.");
      }
      if (key(element.name()).getBytes(StandardCharsets.UTF_8).length > KEY_BYTES) {
        return IqReply.refuse(
            ErrorCondition.NOT_ACCEPTABLE,
            "A name with its namespace may have at most " + KEY_BYTES + " bytes.");
      }
    }
    return null;
  }

  /// The entries to store: for each name one document with all elements of that name.
  private static Map<String, byte[]> entries(List<Element> elements) {
    Map<QName, Element.Builder> byName = new LinkedHashMap<>();
    for (Element element : elements) {
      byName.computeIfAbsent(element.name(), name -> Element.builder(QUERY)).child(element);
    }
    Map<String, byte[]> entries = new LinkedHashMap<>();
    byName.forEach((name, document) -> {
      ByteArraySink bytes = new ByteArraySink(1_024);
      XmlWriter.write(document.build(), "", bytes);
      entries.put(key(name), bytes.toByteArray());
    });
    return entries;
  }

  private static long cost(Map<String, byte[]> entries) {
    long cost = 0;
    for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
      cost += ENTRY_BYTES + entry.getKey().length() + entry.getValue().length;
    }
    return cost;
  }

  /// The elements of a value; none if it cannot be read.
  private static List<Element> read(Jid account, byte[] kept) {
    try {
      return XmlReader.read(kept).children();
    } catch (XmlException e) {
      LOG.atError().addKeyValue("account", account).setCause(e).log("private_xml_damaged");
      return List.of();
    }
  }

  private static String key(QName name) {
    return "{" + name.namespace() + "}" + name.name();
  }
}
