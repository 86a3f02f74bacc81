package im.zonda.group;

import im.zonda.jid.Jid;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// A shared group as its source describes it.
///
/// @param id what stays the same when the group gets another name, unique on its host
/// @param source where it comes from
/// @param name the name that contact lists show
/// @param members its own members, bare addresses of the host
/// @param everyone whether all accounts of the host are members
/// @param groups ids of groups whose members are members too; unknown ones are ignored
/// @param hidden whether members do not see each other because of this group
/// @param seenBy ids of groups whose members see this group too; unknown ones are ignored
/// @param presenceLimit how many may see the group with everyone's presence
public record GroupDefinition(
    String id,
    Source source,
    String name,
    Set<Jid> members,
    boolean everyone,
    List<String> groups,
    boolean hidden,
    List<String> seenBy,
    int presenceLimit) {
  /// Where a group comes from.
  public enum Source {
    /// The settings.
    SETTINGS,
    /// The store, which administrators change.
    STORED,
    /// A provider of accounts.
    PROVIDER
  }

  /// Copies the collections.
  public GroupDefinition {
    members = Set.copyOf(members);
    groups = List.copyOf(groups);
    seenBy = List.copyOf(seenBy);
  }

  /// The same group with other members of its own.
  public GroupDefinition withMembers(Collection<Jid> others) {
    return new GroupDefinition(
        id, source, name, Set.copyOf(others), everyone, groups, hidden, seenBy, presenceLimit);
  }
}
