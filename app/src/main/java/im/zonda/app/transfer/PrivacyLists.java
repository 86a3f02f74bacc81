package im.zonda.app.transfer;

import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// Privacy lists (XEP-0016), of which this server keeps what the block list can say (XEP-0191).
public final class PrivacyLists {
  private static final String NAMESPACE = "jabber:iq:privacy";

  private PrivacyLists() {}

  /// Blocks the addresses that the default list denies everything; reports the rest.
  public static void addTo(AccountDraft account, Element query) {
    Element chosen = query.child(new QName(NAMESPACE, "default"));
    String name = chosen == null ? null : chosen.attribute("name");
    for (Element list : query.children()) {
      if (!list.name().name().equals("list")) {
        continue;
      }
      String listed = list.attribute("name");
      if (listed == null || !listed.equals(name)) {
        account.omit("the privacy list \"" + listed + "\"", "it is not the default list");
        continue;
      }
      for (Element item : list.children()) {
        String type = item.attribute("type");
        String value = item.attribute("value");
        if (isDenied(item.attribute("action")) && "jid".equals(type) && value != null) {
          if (item.children().isEmpty() || blocksMessages(item)) {
            account.block(value);
            continue;
          }
        }
        if (isDenied(item.attribute("action"))) {
          account.omit(
              "a rule of the privacy list \"" + listed + "\"", "this server blocks addresses only");
        }
      }
    }
  }

  private static boolean isDenied(@Nullable String action) {
    return "deny".equals(action);
  }

  private static boolean blocksMessages(Element item) {
    return item.children().stream().anyMatch(each -> each.name().name().equals("message"));
  }
}
