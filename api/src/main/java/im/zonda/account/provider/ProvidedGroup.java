package im.zonda.account.provider;

import java.util.Set;

/// A group of accounts as a provider describes it.
///
/// @param id what stays the same when the group gets another name
/// @param name its name for people
/// @param members the local parts of its members, prepared; those of groups in it too
public record ProvidedGroup(String id, String name, Set<String> members) {
  /// Copies the set.
  public ProvidedGroup {
    members = Set.copyOf(members);
  }
}
