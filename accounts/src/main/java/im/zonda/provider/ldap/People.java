package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.provider.ldap.Entries.NoAccountException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds people in the directory. Immutable.
final class People {
  private final LdapAccounts settings;
  private final Entries entries;
  private final @Nullable Membership required;

  /// Somebody.
  ///
  /// @param dn the name of the entry; not empty
  /// @param uids the names in groups that list names
  record Person(String dn, ProvidedAccount account, List<String> uids) {
    Person disabled() {
      return new Person(
          dn,
          new ProvidedAccount(account.local(), account.id(), true, account.name(), account.email()),
          uids);
    }
  }

  People(LdapAccounts settings, Entries entries) {
    this.settings = settings;
    this.entries = entries;
    String group = settings.requiredGroup();
    this.required = group == null ? null : new Membership(entries, group, settings.groupBase());
  }

  /// Whether a text is the local part of an address, prepared. Others are not looked for.
  static boolean isLocal(String domain, String local) {
    try {
      return local.equals(Jid.of(local, domain, null).local());
    } catch (JidFormatException e) {
      return false;
    }
  }

  /// The one entry of an account; null if there is none.
  ///
  /// @throws NoAccountException if there are two, or the entry cannot be an account
  @Nullable Person find(Link link, String domain, String local)
      throws LDAPException, ProviderException, NoAccountException {
    List<SearchResultEntry> found = entries(link, domain, local);
    if (found.isEmpty()) {
      return null;
    }
    if (found.size() > 1) {
      throw new NoAccountException(
          "two entries have the "
              + entries.attribute()
              + " of "
              + local
              + ": "
              + Failures.clean(found.get(0).getDN())
              + " and "
              + Failures.clean(found.get(1).getDN()));
    }
    Entry entry = found.getFirst();
    if (Entries.normal(entry.getDN()) == null) {
      // A bind without a name succeeds with any password.
      throw new NoAccountException("the server sends an entry without a name");
    }
    ProvidedAccount account = entries.account(domain, entry);
    if (!account.local().equals(local)) {
      return null; // the server's comparison is wider, such as without accents
    }
    return new Person(entry.getDN(), account, Entries.values(entry, "uid"));
  }

  private List<SearchResultEntry> entries(Link link, String domain, String local)
      throws LDAPException, ProviderException {
    try {
      return Search.below(settings.base(), entries.account(domain, local), entries.attributes())
          .two(link);
    } catch (LDAPException e) {
      if (e.getResultCode().equals(ResultCode.NO_SUCH_OBJECT)) {
        throw new ProviderException("the directory has no " + settings.base(), e);
      }
      throw e;
    }
  }

  /// Whether only members of a group may log in.
  boolean requiresGroup() {
    return required != null;
  }

  /// The person, disabled if it is not in the group that the settings require.
  Person admitted(Link link, Person person)
      throws LDAPException, ProviderException, InterruptedException {
    return required == null || required.has(link, person.dn, person.uids)
        ? person
        : person.disabled();
  }
}
