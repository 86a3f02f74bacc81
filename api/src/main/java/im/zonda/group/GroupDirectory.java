package im.zonda.group;

import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// All shared groups of a host with their members, at one moment. Cannot change; its memory grows
/// with the number of memberships.
public final class GroupDirectory {
  /// No groups.
  public static final GroupDirectory EMPTY =
      new GroupDirectory(List.of(), Set.of(), Map.of(), Map.of());

  private final List<SharedGroup> all;
  private final Map<String, SharedGroup> groups;
  private final Set<Jid> accounts;
  private final Map<Jid, List<SharedGroup>> seen;
  private final Map<Jid, List<SharedGroup>> joined;

  private final boolean hasEveryone;

  private GroupDirectory(
      List<SharedGroup> all,
      Set<Jid> accounts,
      Map<Jid, List<SharedGroup>> seen,
      Map<Jid, List<SharedGroup>> joined) {
    this.all = all;
    this.groups = all.stream().collect(Collectors.toUnmodifiableMap(SharedGroup::id, each -> each));
    this.accounts = accounts;
    this.seen = seen;
    this.joined = joined;
    this.hasEveryone = all.stream().anyMatch(each -> each.definition().everyone());
  }

  /// Puts groups together: members of groups in groups become members, in a circle too.
  ///
  /// @param definitions the groups in their order; of several with one id the first counts
  /// @param accounts all accounts of the host, if a group has everyone; otherwise none
  /// @param before the directory before, whose groups that look the same are used again
  public static GroupDirectory of(
      Collection<GroupDefinition> definitions, Set<Jid> accounts, GroupDirectory before) {
    SequencedMap<String, GroupDefinition> byId = new LinkedHashMap<>();
    definitions.forEach(each -> byId.putIfAbsent(each.id(), each));
    Map<String, Set<Jid>> members = new HashMap<>();
    for (GroupDefinition each : byId.values()) {
      members.put(each.id(), membersOf(each, byId, accounts));
    }
    SequencedMap<String, SharedGroup> groups = new LinkedHashMap<>();
    for (GroupDefinition each : byId.values()) {
      Set<Jid> own = members.getOrDefault(each.id(), Set.of());
      SharedGroup group = new SharedGroup(each, own, audience(each, own, members));
      SharedGroup same = before.groups.get(each.id());
      groups.put(each.id(), same != null && same.looksLike(group) ? same : group);
    }
    Map<List<SharedGroup>, List<SharedGroup>> shared = new HashMap<>();
    Map<Jid, List<SharedGroup>> seen = new HashMap<>();
    Map<Jid, List<SharedGroup>> joined = new HashMap<>();
    for (SharedGroup each : groups.values()) {
      each.audience().forEach(account -> add(seen, account, each, shared));
      each.members().forEach(account -> add(joined, account, each, shared));
    }
    return new GroupDirectory(List.copyOf(groups.values()), Set.copyOf(accounts), seen, joined);
  }

  /// Adds a group to those of an account. Accounts in the same groups share one list.
  private static void add(
      Map<Jid, List<SharedGroup>> index,
      Jid account,
      SharedGroup group,
      Map<List<SharedGroup>, List<SharedGroup>> shared) {
    List<SharedGroup> more = new ArrayList<>(index.getOrDefault(account, List.of()));
    more.add(group);
    index.put(account, shared.computeIfAbsent(more, List::copyOf));
  }

  private static Set<Jid> membersOf(
      GroupDefinition group, Map<String, GroupDefinition> byId, Set<Jid> accounts) {
    if (group.groups().isEmpty() && !group.everyone()) {
      return group.members();
    }
    Set<Jid> all = new HashSet<>();
    Set<String> visited = new HashSet<>();
    List<GroupDefinition> open = new ArrayList<>(List.of(group));
    while (!open.isEmpty()) {
      GroupDefinition next = open.removeLast();
      if (!visited.add(next.id())) {
        continue; // groups may contain each other
      }
      all.addAll(next.members());
      if (next.everyone()) {
        all.addAll(accounts);
      }
      for (String inner : next.groups()) {
        GroupDefinition found = byId.get(inner);
        if (found != null) {
          open.add(found);
        }
      }
    }
    return Set.copyOf(all);
  }

  private static Set<Jid> audience(
      GroupDefinition group, Set<Jid> own, Map<String, Set<Jid>> members) {
    if (group.seenBy().isEmpty()) {
      return group.hidden() ? Set.of() : own;
    }
    Set<Jid> all = new HashSet<>(group.hidden() ? Set.of() : own);
    group.seenBy().forEach(each -> all.addAll(members.getOrDefault(each, Set.of())));
    return Set.copyOf(all);
  }

  /// The groups in their order.
  public List<SharedGroup> all() {
    return all;
  }

  /// The group with that id, or null.
  public @Nullable SharedGroup find(String id) {
    return groups.get(id);
  }

  /// Whether a group has all accounts as members, and this account was not there when the directory
  /// was made.
  public boolean misses(Jid account) {
    return hasEveryone() && !accounts.contains(account);
  }

  /// Whether a group has all accounts as members.
  public boolean hasEveryone() {
    return hasEveryone;
  }

  /// What the groups mean for an account.
  public GroupContacts of(Jid account) {
    List<SharedGroup> sees = seen.getOrDefault(account, List.of());
    List<SharedGroup> member = joined.getOrDefault(account, List.of());
    return sees.isEmpty() && member.isEmpty()
        ? GroupContacts.NONE
        : new GroupContacts(account, sees, member);
  }

  /// Everyone whose contact list may be different from what `before` says.
  public Set<Jid> concernedSince(GroupDirectory before) {
    Set<Jid> concerned = new HashSet<>();
    for (SharedGroup each : all) {
      if (before.groups.get(each.id()) != each) {
        concerned.addAll(each.members());
        concerned.addAll(each.audience());
      }
    }
    for (SharedGroup each : before.all) {
      if (groups.get(each.id()) != each) {
        concerned.addAll(each.members());
        concerned.addAll(each.audience());
      }
    }
    return concerned;
  }
}
