package im.zonda.group;

import im.zonda.jid.Jid;
import java.util.List;
import java.util.Set;

/// A shared group with everyone who belongs to it; members of groups in it included. Compared by
/// identity: a group that has not changed is the same object in the next [GroupDirectory].
public final class SharedGroup {
  private final GroupDefinition definition;
  private final Set<Jid> members;
  private final Set<Jid> audience;
  private final List<Jid> ordered;
  private final long digest;

  /// @param members all members
  /// @param audience who sees them
  SharedGroup(GroupDefinition definition, Set<Jid> members, Set<Jid> audience) {
    this.definition = definition;
    this.members = members;
    this.audience = audience;
    this.ordered = members.stream().sorted().toList();
    this.digest = digest(definition.name(), members, audience);
  }

  private static long digest(String name, Set<Jid> members, Set<Jid> audience) {
    long sum = 0;
    for (Jid each : members) {
      sum += mix(each.hashCode());
    }
    long seen = 0;
    for (Jid each : audience) {
      seen += mix(each.hashCode());
    }
    return mix(mix(sum ^ name.hashCode()) + seen);
  }

  /// Spreads similar values.
  static long mix(long value) {
    long mixed = (value + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return mixed ^ (mixed >>> 29);
  }

  /// What its source says about it.
  public GroupDefinition definition() {
    return definition;
  }

  /// The id.
  public String id() {
    return definition.id();
  }

  /// The name that contact lists show.
  public String name() {
    return definition.name();
  }

  /// All members, also those of groups in it.
  public Set<Jid> members() {
    return members;
  }

  /// All members in the order of their addresses.
  public List<Jid> ordered() {
    return ordered;
  }

  /// Those who have the members in their contact lists.
  public Set<Jid> audience() {
    return audience;
  }

  /// Whether the group has so many people that they get each other's presence only after one has
  /// written to the other.
  public boolean isLarge() {
    return Math.max(members.size(), audience.size()) > definition.presenceLimit();
  }

  /// A hash of what contact lists show of it.
  public long digest() {
    return digest;
  }

  /// Whether contact lists show the same of both.
  boolean looksLike(SharedGroup other) {
    return definition.equals(other.definition)
        && members.equals(other.members)
        && audience.equals(other.audience);
  }

  @Override
  public String toString() {
    return definition.id() + " (" + members.size() + ")";
  }
}
