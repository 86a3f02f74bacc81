package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import im.zonda.account.provider.ProviderException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Whether somebody is in a group, or in one of the groups that are in it. Active Directory finds
/// that by itself; otherwise the groups of the person are looked up, then the groups of those, so
/// that the members of a large group are never read.
final class Membership {
  /// Matches the members of the members too ([MS-ADTS], 3.1.1.3.4.4).
  static final String IN_CHAIN = "1.2.840.113556.1.4.1941";

  private static final int MOST_LEVELS = 10;
  private static final int MOST_GROUPS = 1_000;

  /// The most groups that one filter names.
  private static final int AT_ONCE = 50;

  private static final List<String> NOTHING = List.of(SearchRequest.NO_ATTRIBUTES);

  private final Entries entries;
  private final String group;
  private final String base;

  /// @param group the DN of the group
  /// @param base where groups are; null for the place of the group itself
  Membership(Entries entries, String group, @Nullable String base) {
    this.entries = entries;
    this.group = group;
    this.base = base != null ? base : parent(group);
  }

  private static String parent(String dn) {
    try {
      DN parent = new DN(dn).getParent();
      return parent == null ? dn : parent.toString();
    } catch (LDAPException e) {
      throw new IllegalArgumentException(dn + " is not a DN", e);
    }
  }

  /// Looks it up.
  ///
  /// @param dn the person's entry
  /// @param uids the names of the person in groups that list names (`memberUid`)
  boolean has(Link link, String dn, List<String> uids)
      throws LDAPException, ProviderException, InterruptedException {
    if (entries.isActiveDirectory() && isInChain(link, dn)) {
      return true;
    }
    String wanted = Entries.normal(group);
    Set<String> seen = new HashSet<>();
    List<String> level = List.of(dn);
    for (int i = 0; i < MOST_LEVELS && !level.isEmpty(); i++) {
      List<String> parents = new ArrayList<>();
      for (int from = 0; from < level.size(); from += AT_ONCE) {
        Filter members =
            members(
                level.subList(from, Math.min(level.size(), from + AT_ONCE)),
                i == 0 ? uids : List.of());
        if (exists(link, members)) {
          return true;
        }
        above(
            link,
            members,
            parent -> {
              String normal = Entries.normal(parent);
              if (normal != null && seen.add(normal)) {
                parents.add(parent);
              }
            });
      }
      if (wanted != null && seen.contains(wanted)) {
        return true;
      }
      level = parents;
    }
    return false;
  }

  private boolean isInChain(Link link, String dn) throws LDAPException, ProviderException {
    Filter filter = Filter.createExtensibleMatchFilter("memberOf", IN_CHAIN, false, group);
    try {
      return !Search.of(dn, filter, NOTHING).two(link).isEmpty();
    } catch (LDAPException e) {
      if (Links.isBroken(e)) {
        throw e;
      }
      return false; // the server has no such rule
    }
  }

  private Filter members(List<String> dns, List<String> uids) {
    List<Filter> any = new ArrayList<>();
    for (String dn : dns) {
      any.add(Filter.createEqualityFilter("member", dn));
      if (!entries.isActiveDirectory()) {
        any.add(Filter.createEqualityFilter("uniqueMember", dn));
      }
    }
    uids.forEach(uid -> any.add(Filter.createEqualityFilter("memberUid", uid)));
    return Filter.createORFilter(any);
  }

  /// Whether the group itself has one of the members.
  private boolean exists(Link link, Filter members) throws LDAPException, ProviderException {
    try {
      return !Search.of(group, members, NOTHING).two(link).isEmpty();
    } catch (LDAPException e) {
      if (e.getResultCode().equals(ResultCode.NO_SUCH_OBJECT)) {
        throw new ProviderException("there is no group " + group, e);
      }
      throw e;
    }
  }

  private void above(Link link, Filter members, Consumer<String> parents)
      throws LDAPException, ProviderException, InterruptedException {
    Filter filter = Filter.createANDFilter(entries.groups(), members);
    Search.below(base, filter, NOTHING)
        .all(
            link,
            new Budget(MOST_GROUPS, Links.ANSWER_BYTES),
            entry -> parents.accept(entry.getDN()));
  }
}
