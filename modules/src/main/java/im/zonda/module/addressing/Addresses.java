package im.zonda.module.addressing;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The `<addresses/>` of a stanza that is to be sent to several receivers (XEP-0033, section 4).
/// Immutable.
final class Addresses {
  static final String NAMESPACE = "http://jabber.org/protocol/address";
  static final QName NAME = new QName(NAMESPACE, "addresses");

  private static final Set<String> RECEIVERS = Set.of("to", "cc", "bcc");
  private static final Set<String> OTHERS = Set.of("replyto", "replyroom", "noreply", "ofrom");

  /// One `<address/>`.
  ///
  /// @param element as every receiver sees it, with `delivered` if the stanza is sent to it
  /// @param receiver to whom the stanza is sent; null if it is not sent because of this address
  /// @param blind whether only the receiver itself may see it
  private record Address(Element element, @Nullable Jid receiver, boolean blind) {}

  private final List<Address> all;

  private Addresses(List<Address> all) {
    this.all = all;
  }

  /// The stanza cannot be sent to its addresses.
  static final class BadAddressException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient StanzaError error;

    private BadAddressException(ErrorCondition condition, String text) {
      super(text);
      this.error = StanzaError.of(condition).withText(text);
    }

    StanzaError error() {
      return error;
    }
  }

  /// Reads the addresses.
  ///
  /// @param most the maximum number of addresses
  /// @throws BadAddressException if there are more, one is invalid, or none is of a receiver
  static Addresses read(Element addresses, int most) throws BadAddressException {
    List<Address> all = new ArrayList<>();
    for (Element child : addresses.children()) {
      if (child.is(NAMESPACE, "address")) {
        if (all.size() == most) {
          throw new BadAddressException(
              ErrorCondition.NOT_ACCEPTABLE, "too many addresses; use at most " + most);
        }
        all.add(address(child));
      }
    }
    Addresses read = new Addresses(all);
    if (read.receivers().isEmpty()) {
      throw new BadAddressException(
          ErrorCondition.BAD_REQUEST, "there is no address to deliver the stanza to");
    }
    return read;
  }

  private static Address address(Element address) throws BadAddressException {
    String type = String.valueOf(address.attribute("type"));
    String jid = address.attribute("jid");
    String uri = address.attribute("uri");
    boolean receives = RECEIVERS.contains(type);
    if (!receives && !OTHERS.contains(type)) {
      throw new BadAddressException(
          ErrorCondition.BAD_REQUEST, "an address has an unknown type, or none");
    }
    if (uri != null && (jid != null || address.attribute("node") != null)) {
      throw new BadAddressException(
          ErrorCondition.BAD_REQUEST, "an address has a uri and a jid or node");
    }
    if (jid == null && uri == null && !type.equals("noreply")) {
      throw new BadAddressException(
          ErrorCondition.BAD_REQUEST, "an address has neither a jid nor a uri");
    }
    boolean blind = type.equals("bcc");
    if (!receives || "true".equals(address.attribute("delivered"))) {
      return new Address(address, null, blind);
    }
    if (jid == null) {
      throw new BadAddressException(
          ErrorCondition.JID_MALFORMED, "an address has a uri, which is not supported; use a jid");
    }
    try {
      Element shown = blind ? address : address.toBuilder().attribute("delivered", "true").build();
      return new Address(shown, Jid.of(jid), blind);
    } catch (JidFormatException e) {
      throw new BadAddressException(
          ErrorCondition.JID_MALFORMED, "an address has a jid that is malformed");
    }
  }

  /// The receivers, each once, with the `<addresses/>` that each of them gets: an address of type
  /// `bcc` is only in that of its own receiver.
  Map<Jid, Element> receivers() {
    Element shown = without(null);
    Map<Jid, Element> receivers = new LinkedHashMap<>();
    for (Address each : all) {
      if (each.receiver() != null && !each.blind()) {
        receivers.put(each.receiver(), shown);
      }
    }
    for (Address each : all) {
      if (each.receiver() != null && each.blind()) {
        receivers.putIfAbsent(each.receiver(), without(each));
      }
    }
    return receivers;
  }

  /// The addresses without those of type `bcc`, except one.
  private Element without(@Nullable Address except) {
    Element.Builder addresses = Element.builder(NAME);
    for (Address each : all) {
      if (!each.blind() || each.equals(except)) {
        addresses.child(each.element());
      }
    }
    return addresses.build();
  }
}
