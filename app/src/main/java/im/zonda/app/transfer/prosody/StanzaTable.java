package im.zonda.app.transfer.prosody;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportBounds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlNamespaces;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Elements as Prosody stores them: tables with the name, the attributes, and what is inside.
final class StanzaTable {
  private static final String CLIENT = "jabber:client";
  private static final String LANG = "xml:lang";

  private StanzaTable() {}

  /// The element of a table.
  ///
  /// @throws BadRecordException if it is none
  static Element element(LuaValue.Table table) throws BadRecordException {
    return element(table, CLIENT, 0, false);
  }

  /// The element of an item in a list, without the time that Prosody adds to its attributes.
  static Element item(LuaValue.Table table) throws BadRecordException {
    return element(table, CLIENT, 0, true);
  }

  private static Element element(LuaValue.Table table, String around, int depth, boolean isItem)
      throws BadRecordException {
    String name = table.text("name");
    if (name == null || depth > ImportBounds.DEPTH) {
      throw new BadRecordException(
          name == null ? "a stanza without a name" : "a stanza is nested too deep");
    }
    LuaValue.Table attributes = table.table("attr");
    String own = attributes.text("xmlns");
    String namespace = own == null ? around : own;
    try {
      Element.Builder element = Element.builder(namespace, name);
      for (Map.Entry<String, LuaValue> each : attributes.named().entrySet()) {
        boolean added = isItem && each.getKey().equals("stamp");
        QName attribute = attribute(each.getKey());
        String value = LuaValue.text(each.getValue());
        if (attribute != null && value != null && !added) {
          element.attribute(attribute, value);
        }
      }
      for (LuaValue child : table.items()) {
        if (child instanceof LuaValue.Table inner) {
          element.child(element(inner, namespace, depth + 1, false));
        } else {
          element.text(checked(LuaValue.text(child)));
        }
      }
      return element.build();
    } catch (IllegalArgumentException e) {
      throw new BadRecordException("not XML: " + e.getMessage());
    }
  }

  private static String checked(@Nullable String text) {
    // The check of attributes is that of text, too.
    Element _ = Element.builder("", "t").attribute("t", text).build();
    return text == null ? "" : text;
  }

  /// The name of an attribute; null for the declaration of a namespace and for prefixes.
  private static @Nullable QName attribute(String name) {
    int bar = name.indexOf('|');
    if (bar < 0) {
      bar = name.indexOf('\u0001');
    }
    if (bar >= 0) {
      return new QName(name.substring(0, bar), name.substring(bar + 1));
    }
    if (name.equals(LANG)) {
      return new QName(XmlNamespaces.XML, "lang");
    }
    return name.equals("xmlns") || name.indexOf(':') >= 0 ? null : new QName("", name);
  }
}
