package im.zonda.module.privilege;

import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.component.ComponentPrivilege.Access;
import im.zonda.config.component.ComponentPrivilege.Messages;
import im.zonda.config.component.ComponentPrivilege.PresenceOf;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The elements of privileged entities (XEP-0356) and of forwarded stanzas (XEP-0297).
final class PrivilegeXml {
  static final String NAMESPACE = "urn:xmpp:privilege:2";
  static final QName PRIVILEGE = new QName(NAMESPACE, "privilege");
  static final QName PRIVILEGED_IQ = new QName(NAMESPACE, "privileged_iq");

  private static final QName FORWARDED = new QName("urn:xmpp:forward:0", "forwarded");

  private PrivilegeXml() {}

  /// What a component is permitted.
  ///
  /// @param all whether to name also what is not permitted
  static Element permissions(ComponentPrivilege privilege, boolean all) {
    Element.Builder element = Element.builder(PRIVILEGE);
    if (all || privilege.roster() != Access.NONE) {
      element.child(
          permission("roster", privilege.roster())
              .attribute("push", String.valueOf(privilege.getsPushes()))
              .build());
    }
    if (all || privilege.message() != Messages.NONE) {
      element.child(permission("message", privilege.message()).build());
    }
    SortedSet<String> namespaces = new TreeSet<>(privilege.iqGet());
    namespaces.addAll(privilege.iqSet());
    if (all || !namespaces.isEmpty()) {
      Element.Builder iq = Element.builder(NAMESPACE, "perm").attribute("access", "iq");
      for (String namespace : namespaces) {
        iq.child(
            Element.builder(NAMESPACE, "namespace")
                .attribute("ns", namespace)
                .attribute("type", word(privilege.iq(namespace)))
                .build());
      }
      element.child(iq.build());
    }
    if (all || privilege.presence() != PresenceOf.NONE) {
      element.child(permission("presence", privilege.presence()).build());
    }
    return element.build();
  }

  private static Element.Builder permission(String access, Enum<?> type) {
    return Element.builder(NAMESPACE, "perm")
        .attribute("access", access)
        .attribute("type", word(type));
  }

  private static String word(Enum<?> type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  /// A stanza that is sent on behalf of others, or the answer to one.
  static Element forward(Element stanza) {
    return Element.builder(PRIVILEGE)
        .child(Element.builder(FORWARDED).child(stanza).build())
        .build();
  }

  /// The stanza in `<privilege><forwarded/></privilege>`; null if it is not exactly one.
  static @Nullable Element forwarded(Element privilege) {
    Element forwarded = only(privilege, FORWARDED);
    return forwarded == null ? null : only(forwarded, new QName(Namespaces.CLIENT, "message"));
  }

  private static @Nullable Element only(Element parent, QName name) {
    List<Element> found =
        parent.children().stream().filter(child -> child.name().equals(name)).toList();
    return found.size() == 1 ? found.getFirst() : null;
  }
}
