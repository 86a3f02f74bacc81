package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.config.accounts.LdapAccounts.Kind;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads entries of people and groups, by the kind of the directory. Immutable.
final class Entries {
  private static final String FOREVER_LOCKED = "000001010000Z";

  /// Attributes whose value is `local@domain`.
  private static final Set<String> ADDRESSES = Set.of("mail", "userprincipalname");

  /// The time of Active Directory counts 100 ns since 1601.
  private static final long TICKS_PER_MILLI = 10_000;

  private static final long MILLIS_FROM_1601_TO_1970 = 11_644_473_600_000L;
  private static final int ACCOUNT_DISABLE = 2;
  private static final int GUID_BYTES = 16;
  private static final long DAY_MILLIS = 86_400_000;

  private final boolean active;
  private final String attribute;
  private final Filter people;
  private final InstantSource clock;

  /// @throws IllegalArgumentException if a filter is none
  Entries(LdapAccounts settings, InstantSource clock) {
    this.active = settings.kind() == Kind.ACTIVE_DIRECTORY;
    String named = settings.attribute();
    this.attribute = named != null ? named : active ? "sAMAccountName" : "uid";
    this.people = filter(settings.filter());
    this.clock = clock;
  }

  /// Reads a filter of the settings.
  static Filter filter(String text) {
    try {
      return Filter.create(text);
    } catch (LDAPException e) {
      throw new IllegalArgumentException(text + " is not a filter", e);
    }
  }

  /// An entry that has no local part, or another one than was looked for.
  static final class NoAccountException extends Exception {
    private static final long serialVersionUID = 1;

    NoAccountException(String reason) {
      this(reason, null);
    }

    NoAccountException(String reason, @Nullable Throwable cause) {
      super(reason, cause);
    }
  }

  String attribute() {
    return attribute;
  }

  boolean isActiveDirectory() {
    return active;
  }

  /// Everyone.
  Filter everyone() {
    return Filter.createANDFilter(Filter.createPresenceFilter(attribute), people);
  }

  /// The entry of an account. The value is part of the request as it is, not of a text that the
  /// server parses.
  Filter account(String domain, String local) {
    String value = isAddress() ? local + '@' + domain : local;
    return Filter.createANDFilter(Filter.createEqualityFilter(attribute, value), people);
  }

  private boolean isAddress() {
    return ADDRESSES.contains(attribute.toLowerCase(Locale.ROOT));
  }

  /// What is read of an account. Attributes of the server's own must be named.
  List<String> attributes() {
    List<String> all = new ArrayList<>(List.of(attribute, "cn", "displayName", "mail"));
    all.addAll(stateAttributes());
    if (!active) {
      all.add("uid"); // of memberUid
    }
    all.add(active ? "objectGUID" : "entryUUID");
    if (!active) {
      all.add("nsUniqueId");
    }
    return all;
  }

  /// What says whether an account is disabled.
  List<String> stateAttributes() {
    return active
        ? List.of("userAccountControl", "accountExpires")
        : List.of("pwdAccountLockedTime", "nsAccountLock", "shadowExpire");
  }

  /// The account of an entry.
  ///
  /// @throws NoAccountException with a reason if it has none
  ProvidedAccount account(String domain, Entry entry) throws NoAccountException {
    String name = entry.getAttributeValue("displayName");
    return new ProvidedAccount(
        local(domain, entry),
        id(entry),
        isDisabled(entry),
        cut(name != null ? name : entry.getAttributeValue("cn")),
        cut(entry.getAttributeValue("mail")));
  }

  /// The local part of an entry. Of several values the one of its RDN counts: a person has one
  /// account.
  String local(String domain, Entry entry) throws NoAccountException {
    String[] values = entry.getAttributeValues(attribute);
    if (values == null || values.length == 0) {
      throw new NoAccountException(Failures.clean(entry.getDN()) + " has no " + attribute);
    }
    String value = values.length == 1 ? values[0] : named(entry, values);
    try {
      Jid jid = isAddress() ? Jid.of(value) : Jid.of(value, domain, null);
      if (jid.local() != null && jid.isBare() && jid.domain().equals(domain)) {
        return jid.local();
      }
      throw new NoAccountException(
          attribute + " of " + Failures.clean(entry.getDN()) + " is no account of " + domain);
    } catch (JidFormatException e) {
      throw new NoAccountException(
          attribute
              + " of "
              + Failures.clean(entry.getDN())
              + " cannot be the local part of an address: "
              + Failures.clean(value),
          e);
    }
  }

  private String named(Entry entry, String[] values) throws NoAccountException {
    try {
      RDN rdn = entry.getParsedDN().getRDN();
      String[] names = rdn == null ? new String[0] : rdn.getAttributeNames();
      for (int i = 0; rdn != null && i < names.length; i++) {
        if (names[i].equalsIgnoreCase(attribute)) {
          return rdn.getAttributeValues()[i];
        }
      }
    } catch (LDAPException e) {
      throw new NoAccountException("the server sends a name of an entry that is none", e);
    }
    throw new NoAccountException(
        Failures.clean(entry.getDN()) + " has " + values.length + " values of " + attribute);
  }

  /// What stays when the entry gets another name: `objectGUID`, `entryUUID` or `nsUniqueId`; null
  /// if the directory has none of them.
  @Nullable String id(Entry entry) throws NoAccountException {
    if (active) {
      byte[] bytes = entry.getAttributeValueBytes("objectGUID");
      return bytes == null ? null : guid(bytes);
    }
    String id = entry.getAttributeValue("entryUUID");
    if (id == null) {
      id = entry.getAttributeValue("nsUniqueId");
    }
    if (id != null && (id.isBlank() || id.length() > ProvidedAccount.MOST_CHARS)) {
      throw new NoAccountException("the id of " + Failures.clean(entry.getDN()) + " is not usable");
    }
    return id == null ? null : Failures.clean(id).toLowerCase(Locale.ROOT);
  }

  /// The text of an `objectGUID`, whose first three parts are little-endian.
  static String guid(byte[] bytes) throws NoAccountException {
    if (bytes.length != GUID_BYTES) {
      throw new NoAccountException("objectGUID has " + bytes.length + " bytes, not 16");
    }
    int[] order = {3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15};
    StringBuilder text = new StringBuilder();
    for (int at : order) {
      if (at < 0) {
        text.append('-');
      } else {
        text.append(Character.forDigit((bytes[at] >> 4) & 15, 16));
        text.append(Character.forDigit(bytes[at] & 15, 16));
      }
    }
    return text.toString();
  }

  /// Whether nobody may log in. A lock after wrong passwords, which ends by itself, is not that:
  /// otherwise anybody could sign out a person; the directory refuses the password meanwhile.
  boolean isDisabled(Entry entry) {
    if (active) {
      Integer control = entry.getAttributeValueAsInteger("userAccountControl");
      return (control != null && (control & ACCOUNT_DISABLE) != 0) || isExpired(entry);
    }
    Long days = entry.getAttributeValueAsLong("shadowExpire");
    return FOREVER_LOCKED.equals(entry.getAttributeValue("pwdAccountLockedTime"))
        || "true".equalsIgnoreCase(entry.getAttributeValue("nsAccountLock"))
        || (days != null && days > 0 && days <= clock.millis() / DAY_MILLIS);
  }

  private boolean isExpired(Entry entry) {
    Long ticks = entry.getAttributeValueAsLong("accountExpires");
    return ticks != null
        && ticks > 0
        && ticks != Long.MAX_VALUE
        && ticks / TICKS_PER_MILLI - MILLIS_FROM_1601_TO_1970 <= clock.millis();
  }

  static @Nullable String cut(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    int most = ProvidedAccount.MOST_CHARS;
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }

  /// Groups that may have members.
  Filter groups() {
    List<String> classes =
        active
            ? List.of("group")
            : List.of("groupOfNames", "groupOfUniqueNames", "groupOfMembers", "posixGroup");
    return Filter.createORFilter(
        classes.stream().map(each -> Filter.createEqualityFilter("objectClass", each)).toList());
  }

  /// A DN in a form that is the same for equal ones; null if it is none.
  static @Nullable String normal(String dn) {
    try {
      return dn.isBlank() ? null : DN.normalize(dn);
    } catch (LDAPException e) {
      return null;
    }
  }

  /// The values of an attribute; none if there is no such attribute.
  static List<String> values(Entry entry, String name) {
    Attribute found = entry.getAttribute(name);
    return found == null ? List.of() : List.of(found.getValues());
  }
}
