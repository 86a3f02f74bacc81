package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.provider.ldap.Entries.NoAccountException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Reads all groups of a directory with their members: people and groups are read once each, in
/// pages, and put together here. Confined to one thread.
final class Groups {
  /// The most bytes of one answer: all members of a group may be in one.
  static final int ANSWER_BYTES = 16 * 1024 * 1024;

  private static final int MOST_PEOPLE = 200_000;
  private static final int MOST_GROUPS = 20_000;

  /// The most members of all groups together, those of groups in groups too.
  private static final int MOST_MEMBERS = 2_000_000;

  private static final long MOST_BYTES = 256L * 1024 * 1024;
  private static final List<String> MEMBERS = List.of("member", "uniqueMember");

  private final LdapAccounts settings;
  private final Entries entries;
  private final String domain;
  private final Link link;

  /// Local parts by normalized DN, and by `uid` in lower case.
  private final Map<String, String> people = new HashMap<>();

  private final Map<String, String> byUid = new HashMap<>();

  /// By normalized DN.
  private final Map<String, Group> groups = new HashMap<>();

  private record Group(String dn, String id, String name, Set<String> members, Set<String> uids) {}

  Groups(LdapAccounts settings, Entries entries, String domain, Link link) {
    this.settings = settings;
    this.entries = entries;
    this.domain = domain;
    this.link = link;
  }

  /// Reads them.
  ///
  /// @param base where groups are
  List<ProvidedGroup> read(String base)
      throws LDAPException, ProviderException, InterruptedException {
    readPeople();
    readGroups(base);
    List<String> wanted = new ArrayList<>();
    Filter filter =
        Filter.createANDFilter(entries.groups(), Entries.filter(settings.groupFilter()));
    Search.below(base, filter, List.of(SearchRequest.NO_ATTRIBUTES))
        .all(link, new Budget(MOST_GROUPS, MOST_BYTES), entry -> wanted.add(entry.getDN()));
    List<ProvidedGroup> found = new ArrayList<>();
    int members = 0;
    for (String dn : wanted) {
      Group group = groups.get(Entries.normal(dn));
      if (group != null) {
        ProvidedGroup provided = new ProvidedGroup(group.id, group.name, membersOf(group));
        members += provided.members().size();
        if (members > MOST_MEMBERS) {
          throw new ProviderException("the groups have more than " + MOST_MEMBERS + " members");
        }
        found.add(provided);
      }
    }
    return found;
  }

  private void readPeople() throws LDAPException, ProviderException, InterruptedException {
    List<String> wanted = new ArrayList<>(entries.stateAttributes());
    wanted.add(entries.attribute());
    if (!entries.isActiveDirectory()) {
      wanted.add("uid");
    }
    Search.below(settings.base(), entries.everyone(), wanted)
        .all(link, new Budget(MOST_PEOPLE, MOST_BYTES), this::person);
  }

  private void person(SearchResultEntry entry) {
    String dn = Entries.normal(entry.getDN());
    try {
      if (dn != null && !entries.isDisabled(entry)) {
        String local = entries.local(domain, entry);
        people.put(dn, local);
        for (String uid : Entries.values(entry, "uid")) {
          byUid.put(uid.toLowerCase(Locale.ROOT), local);
        }
      }
    } catch (NoAccountException _) {
      // Cannot log in either, which says why.
    }
  }

  private void readGroups(String base)
      throws LDAPException, ProviderException, InterruptedException {
    List<String> wanted = new ArrayList<>(MEMBERS);
    wanted.addAll(
        List.of("memberUid", "cn", entries.isActiveDirectory() ? "objectGUID" : "entryUUID"));
    if (!entries.isActiveDirectory()) {
      wanted.add("nsUniqueId");
    }
    List<Entry> partial = new ArrayList<>();
    Search.below(base, entries.groups(), wanted)
        .all(
            link,
            new Budget(MOST_GROUPS, MOST_BYTES),
            entry -> {
              group(entry);
              if (RangedValues.isPartial(entry, "member")) {
                partial.add(entry);
              }
            });
    for (Entry entry : partial) {
      Group group = groups.get(Entries.normal(entry.getDN()));
      if (group != null) {
        RangedValues ranges = new RangedValues(link, entry.getDN(), "member", MOST_MEMBERS);
        ranges.read(entry, value -> add(group.members, value));
      }
    }
  }

  private void group(Entry entry) {
    String dn = Entries.normal(entry.getDN());
    if (dn == null) {
      return;
    }
    Set<String> members = new HashSet<>();
    for (String attribute : MEMBERS) {
      Entries.values(entry, attribute).forEach(value -> add(members, value));
    }
    String name = Entries.cut(entry.getAttributeValue("cn"));
    groups.put(
        dn,
        new Group(
            entry.getDN(),
            id(entry, dn),
            name == null ? entry.getDN() : name,
            members,
            new HashSet<>(Entries.values(entry, "memberUid"))));
  }

  private String id(Entry entry, String dn) {
    try {
      String id = entries.id(entry);
      return id == null ? dn : id;
    } catch (NoAccountException e) {
      return dn;
    }
  }

  private static void add(Set<String> members, String value) {
    String normal = Entries.normal(value);
    if (normal != null) {
      members.add(normal);
    }
  }

  /// The people of a group, and of the groups in it; a group that contains itself is read once.
  private Set<String> membersOf(Group first)
      throws LDAPException, ProviderException, InterruptedException {
    Set<String> found = new HashSet<>();
    Set<String> seen = new HashSet<>();
    Deque<Group> left = new ArrayDeque<>(List.of(first));
    boolean unknown = false;
    while (!left.isEmpty()) {
      Group group = left.removeLast();
      for (String uid : group.uids) {
        String local = byUid.get(uid.toLowerCase(Locale.ROOT));
        if (local != null) {
          found.add(local);
        }
      }
      for (String member : group.members) {
        String local = people.get(member);
        Group inner = groups.get(member);
        if (local != null) {
          found.add(local);
        } else if (inner == null) {
          unknown = true;
        } else if (seen.add(member)) {
          left.add(inner);
        }
      }
      Failures.interrupted();
    }
    if (unknown && entries.isActiveDirectory()) {
      elsewhere(first, found);
    }
    return found;
  }

  /// Members that are neither people nor groups below the bases may be groups of another place,
  /// which Active Directory resolves by itself.
  private void elsewhere(Group group, Set<String> found)
      throws LDAPException, ProviderException, InterruptedException {
    Filter chain =
        Filter.createExtensibleMatchFilter("memberOf", Membership.IN_CHAIN, false, group.dn);
    try {
      Search.below(
              settings.base(),
              Filter.createANDFilter(entries.everyone(), chain),
              List.of(SearchRequest.NO_ATTRIBUTES))
          .all(
              link,
              new Budget(MOST_PEOPLE, MOST_BYTES),
              entry -> {
                String dn = Entries.normal(entry.getDN());
                String local = dn == null ? null : people.get(dn);
                if (local != null) {
                  found.add(local);
                }
              });
    } catch (LDAPException e) {
      if (Links.isBroken(e)) {
        throw e;
      }
      // The server has no such rule: those members stay out.
    }
  }
}
