package im.zonda.group;

import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The contacts that an account has because of the shared groups of its host. Cannot change.
public final class GroupContacts {
  /// No groups.
  public static final GroupContacts NONE = new GroupContacts(null, List.of(), List.of());

  private final @Nullable Jid account;
  private final List<SharedGroup> seen;
  private final List<SharedGroup> joined;

  /// @param seen the groups whose members the account sees
  /// @param joined the groups that the account is a member of
  GroupContacts(@Nullable Jid account, List<SharedGroup> seen, List<SharedGroup> joined) {
    this.account = account;
    this.seen = seen;
    this.joined = joined;
  }

  /// Whether no group concerns the account.
  public boolean isEmpty() {
    return seen.isEmpty() && joined.isEmpty();
  }

  /// The groups whose members the account sees.
  public List<SharedGroup> seen() {
    return seen;
  }

  /// The groups that the account is a member of.
  public List<SharedGroup> joined() {
    return joined;
  }

  /// The names of the groups in which the account sees a contact, each once.
  public List<String> names(Jid contact) {
    if (seen.isEmpty() || contact.equals(account)) {
      return List.of();
    }
    Set<String> names = new LinkedHashSet<>();
    for (SharedGroup each : seen) {
      if (each.members().contains(contact)) {
        names.add(each.name());
      }
    }
    return List.copyOf(names);
  }

  /// Whether the account has the contact in its list because of a group.
  public boolean sees(Jid contact) {
    return !contact.equals(account) && anySeen(contact, group -> true);
  }

  /// Whether the contact has the account in its list because of a group.
  public boolean isSeenBy(Jid contact) {
    return !contact.equals(account) && anyJoined(contact, group -> true);
  }

  /// Whether the account gets the contact's presence because of a group.
  public boolean seesPresenceOf(Jid contact) {
    return !contact.equals(account) && anySeen(contact, group -> !group.isLarge());
  }

  /// Whether the contact gets the account's presence because of a group.
  public boolean showsPresenceTo(Jid contact) {
    return !contact.equals(account) && anyJoined(contact, group -> !group.isLarge());
  }

  private boolean anySeen(Jid contact, Predicate<SharedGroup> which) {
    for (SharedGroup each : seen) {
      if (which.test(each) && each.members().contains(contact)) {
        return true;
      }
    }
    return false;
  }

  private boolean anyJoined(Jid contact, Predicate<SharedGroup> which) {
    for (SharedGroup each : joined) {
      if (which.test(each) && each.audience().contains(contact)) {
        return true;
      }
    }
    return false;
  }

  /// Passes on everyone whom the account sees, each once, in the order of the groups.
  public void forEachSeen(Consumer<Jid> action) {
    forEach(seen, SharedGroup::ordered, group -> true, action);
  }

  /// Passes on everyone whose presence the account gets, each once.
  public void forEachPresenceSeen(Consumer<Jid> action) {
    forEach(seen, SharedGroup::ordered, group -> !group.isLarge(), action);
  }

  /// Passes on everyone who gets the account's presence, each once.
  public void forEachPresenceShown(Consumer<Jid> action) {
    forEach(joined, SharedGroup::audience, group -> !group.isLarge(), action);
  }

  private void forEach(
      List<SharedGroup> groups,
      Function<SharedGroup, ? extends Iterable<Jid>> people,
      Predicate<SharedGroup> which,
      Consumer<Jid> action) {
    Set<Jid> passed = groups.size() > 1 ? new HashSet<>() : Set.of();
    for (SharedGroup group : groups) {
      if (!which.test(group)) {
        continue;
      }
      for (Jid each : people.apply(group)) {
        if (!each.equals(account) && (groups.size() == 1 || passed.add(each))) {
          action.accept(each);
        }
      }
    }
  }

  /// A hash of what the account's contact list shows of the groups; 0 without groups.
  public long digest() {
    long sum = 0;
    for (SharedGroup each : seen) {
      sum += each.digest();
    }
    for (SharedGroup each : joined) {
      sum += SharedGroup.mix(each.digest());
    }
    return sum;
  }

  /// The contacts for which something may be different, with those that were removed.
  ///
  /// @param before the same account's contacts before
  public List<Jid> changedSince(GroupContacts before) {
    Set<Jid> changed = new LinkedHashSet<>();
    different(before.seen, seen, SharedGroup::members, changed);
    different(before.joined, joined, SharedGroup::audience, changed);
    if (account != null) {
      changed.remove(account);
    }
    if (before.account != null) {
      changed.remove(before.account);
    }
    return changed.stream().sorted().toList();
  }

  private static void different(
      List<SharedGroup> before,
      List<SharedGroup> after,
      Function<SharedGroup, Set<Jid>> people,
      Set<Jid> changed) {
    List<SharedGroup> added = new ArrayList<>(after);
    for (SharedGroup old : before) {
      if (added.remove(old)) {
        continue; // the same object: nothing has changed
      }
      SharedGroup same =
          added.stream().filter(each -> each.id().equals(old.id())).findFirst().orElse(null);
      if (same == null || same.isLarge() != old.isLarge() || !same.name().equals(old.name())) {
        changed.addAll(people.apply(old));
      } else {
        added.remove(same);
        addDifference(people.apply(old), people.apply(same), changed);
      }
    }
    added.forEach(each -> changed.addAll(people.apply(each)));
  }

  private static void addDifference(Set<Jid> before, Set<Jid> after, Set<Jid> changed) {
    if (before.equals(after)) {
      return;
    }
    before.stream().filter(each -> !after.contains(each)).forEach(changed::add);
    after.stream().filter(each -> !before.contains(each)).forEach(changed::add);
  }
}
