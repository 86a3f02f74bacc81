package im.zonda.module.delegation;

import im.zonda.config.component.ComponentDelegation;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The elements of namespace delegation (XEP-0355) and of forwarded stanzas (XEP-0297).
final class DelegationXml {
  private static final QName DELEGATION = new QName(Delegations.NAMESPACE, "delegation");
  private static final QName FORWARDED = new QName("urn:xmpp:forward:0", "forwarded");
  private static final QName IQ = new QName(Namespaces.CLIENT, "iq");

  private DelegationXml() {}

  /// The namespaces that a component manages (section 4.2).
  static Element delegated(List<ComponentDelegation.Namespace> namespaces) {
    Element.Builder delegation = Element.builder(DELEGATION);
    for (ComponentDelegation.Namespace namespace : namespaces) {
      Element.Builder delegated =
          Element.builder(Delegations.NAMESPACE, "delegated")
              .attribute("namespace", namespace.name());
      for (String attribute : namespace.attributes()) {
        delegated.child(
            Element.builder(Delegations.NAMESPACE, "attribute")
                .attribute("name", attribute)
                .build());
      }
      delegation.child(delegated.build());
    }
    return delegation.build();
  }

  /// A request that is forwarded to the component (section 4.3).
  static Element forward(Iq request) {
    return Element.builder(DELEGATION)
        .child(Element.builder(FORWARDED).child(request.toElement()).build())
        .build();
  }

  /// The result that a component has forwarded; null if there is none that is valid.
  static @Nullable Iq forwarded(Iq answer) {
    Element delegation = answer.payload(DELEGATION);
    Element forwarded = delegation == null ? null : delegation.child(FORWARDED);
    Element iq = forwarded == null ? null : forwarded.child(IQ);
    try {
      return iq != null && Stanza.of(iq) instanceof Iq result && result.type() == Iq.Type.RESULT
          ? result
          : null;
    } catch (StanzaFormatException e) {
      return null;
    }
  }
}
