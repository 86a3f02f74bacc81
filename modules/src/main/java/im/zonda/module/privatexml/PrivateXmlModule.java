package im.zonda.module.privatexml;

import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Stores XML for the clients of an account, by the name and namespace of its root element.
///
/// A set replaces everything that was stored under the names it contains. A get contains the wanted
/// names, all in one namespace; the answer has an empty element for each that was never stored.
@Xep(number = 49, version = "1.2", title = "Private XML Storage")
public final class PrivateXmlModule implements XmppModule {
  private static final String NAMESPACE = "jabber:iq:private";
  private static final QName QUERY = new QName(NAMESPACE, "query");

  /// The overhead that is counted for every entry.
  private static final int ENTRY_BYTES = 128;

  /// The maximum size of a name with its namespace, which is the key in the store, in bytes.
  private static final int KEY_BYTES = 512;

  @Override
  public String name() {
    return "privatexml";
  }

  @Override
  public Ports ports() {
    return Ports.NONE.withKeyValues("private");
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    KeyValueStore store = context.keyValues("private");
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
      if (kept == null) {
        result.child(Element.of(name));
      } else {
        result.children(read(kept).children());
      }
    }
    return IqReply.result(result.build());
  }

  private static IqReply set(IqRequest request, KeyValueStore store, int most) {
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
    entries.forEach((key, value) -> store.put(request.home().jid(), key, value));
    return IqReply.empty();
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

  private static Element read(byte[] kept) {
    try {
      return XmlReader.read(kept);
    } catch (XmlException e) {
      throw new StoreException(StoreException.Category.DAMAGED, "stored XML is no XML", e);
    }
  }

  private static String key(QName name) {
    return "{" + name.namespace() + "}" + name.name();
  }
}
