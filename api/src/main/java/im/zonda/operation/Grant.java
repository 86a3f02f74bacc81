package im.zonda.operation;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rights that someone was given.
///
/// @param role the role
/// @param hosts the domains of the hosts to which it is limited; null for the whole server
/// @param rights the rights to which it is limited, beside those of the role; null for all. It may
///   name [Right#CONTENT], which no role has
public record Grant(Role role, @Nullable Set<String> hosts, @Nullable Set<Right> rights) {
  /// The user of the operating system that runs the server, who could change its files.
  public static final Grant ALL = new Grant(Role.SERVER_ADMIN, null, null);

  /// Copies the sets.
  ///
  /// @throws IllegalArgumentException if the role is for hosts and none is named
  public Grant {
    if (role.needsHosts() && hosts == null) {
      throw new IllegalArgumentException("the role " + role + " is for some hosts");
    }
    hosts = hosts == null ? null : Set.copyOf(hosts);
    rights = rights == null ? null : rights.isEmpty() ? Set.of() : EnumSet.copyOf(rights);
  }

  /// Whether it has an operation.
  ///
  /// @param host the host that the operation is about; null if it is about the server
  public boolean allows(Operation<?, ?> operation, @Nullable String host) {
    return allows(operation.right(), operation.kind())
        && (hosts == null || (host != null && hosts.contains(host)));
  }

  private boolean allows(Right right, Kind kind) {
    if (right == Right.CONTENT) {
      return rights != null && rights.contains(right);
    }
    return role.allows(right, kind) && (rights == null || rights.contains(right));
  }

  /// Whether everything that `other` has is also in this one: no one can give what they do not
  /// have.
  public boolean covers(Grant other) {
    if (hosts != null && (other.hosts == null || !hosts.containsAll(other.hosts))) {
      return false;
    }
    for (Right right : Right.values()) {
      for (Kind kind : Kind.values()) {
        if (other.allows(right, kind) && !allows(right, kind)) {
          return false;
        }
      }
    }
    return true;
  }
}
