package im.zonda.module.mam;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads and writes preferences as XML (XEP-0441, section 2.1), for clients and for the store.
final class PreferencesXml {
  static final QName PREFS = new QName(MamModule.NAMESPACE, "prefs");

  private PreferencesXml() {}

  static Element write(Preferences preferences) {
    return Element.builder(PREFS)
        .attribute("default", preferences.defaultPolicy().name().toLowerCase(Locale.ROOT))
        .child(list("always", preferences.always()))
        .child(list("never", preferences.never()))
        .build();
  }

  private static Element list(String name, Set<Jid> addresses) {
    Element.Builder list = Element.builder(MamModule.NAMESPACE, name);
    addresses.stream().sorted().forEach(address -> list.child("jid", address.toString()));
    return list.build();
  }

  /// @param most the maximum number of addresses in both lists
  /// @throws RejectedException if they are invalid or too many
  static Preferences read(Element prefs, int most) throws RejectedException {
    Set<Jid> always = addresses(prefs.child("always"), false);
    Set<Jid> never = addresses(prefs.child("never"), false);
    if (always.size() + never.size() > most) {
      throw new RejectedException(
          ErrorCondition.RESOURCE_CONSTRAINT, "The lists may have at most " + most + " addresses.");
    }
    return new Preferences(defaultPolicy(prefs.attribute("default")), always, never);
  }

  /// Reads what was stored; an address that is damaged is skipped.
  ///
  /// @throws RejectedException if there is no default
  static Preferences readStored(Element prefs) throws RejectedException {
    return new Preferences(
        defaultPolicy(prefs.attribute("default")),
        addresses(prefs.child("always"), true),
        addresses(prefs.child("never"), true));
  }

  private static Preferences.DefaultPolicy defaultPolicy(@Nullable String value)
      throws RejectedException {
    return switch (value) {
      case "always" -> Preferences.DefaultPolicy.ALWAYS;
      case "never" -> Preferences.DefaultPolicy.NEVER;
      case "roster" -> Preferences.DefaultPolicy.ROSTER;
      case null, default ->
          throw new RejectedException(
              ErrorCondition.BAD_REQUEST, "The default must be always, never or roster.");
    };
  }

  private static Set<Jid> addresses(@Nullable Element list, boolean stored)
      throws RejectedException {
    Set<Jid> addresses = new LinkedHashSet<>();
    if (list == null) {
      return addresses;
    }
    for (Element jid : list.children()) {
      if (!jid.is(MamModule.NAMESPACE, "jid")) {
        continue;
      }
      try {
        String text = jid.text().strip();
        addresses.add(stored ? Jid.stored(text) : Jid.of(text));
      } catch (JidFormatException e) {
        if (stored) {
          continue;
        }
        throw new RejectedException(ErrorCondition.BAD_REQUEST, "A list contains an invalid JID.");
      }
    }
    return addresses;
  }
}
