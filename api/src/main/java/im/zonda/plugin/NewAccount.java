package im.zonda.plugin;

import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An account that is to be created, with what is stored for it.
///
/// @param account its bare address
/// @param password its password
/// @param contacts its roster
/// @param vcard the element `vCard` of `vcard-temp` (XEP-0054), or null
/// @param values values of the plugin ([PluginStore]) that the account has from the start, by key;
///   to read them, the plugin needs the port of the store too
@Stable(since = "1.0")
public record NewAccount(
    Jid account,
    String password,
    List<Contact> contacts,
    @Nullable Element vcard,
    Map<String, byte[]> values) {
  /// Copies the list and the map.
  public NewAccount {
    contacts = List.copyOf(contacts);
    values = Map.copyOf(values);
  }

  /// An account without values.
  public NewAccount(Jid account, String password, List<Contact> contacts, @Nullable Element vcard) {
    this(account, password, contacts, vcard, Map.of());
  }

  /// A contact, subscribed both ways: the list of the other account is not changed, so that the one
  /// who creates accounts gives both sides.
  ///
  /// @param name for people, or null
  /// @param groups the groups of the roster
  public record Contact(Jid account, @Nullable String name, Set<String> groups) {
    /// Copies the set.
    public Contact {
      groups = Set.copyOf(groups);
    }
  }

  @Override
  public String toString() {
    return "account " + account;
  }
}
