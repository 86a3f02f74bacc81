package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import java.util.List;

/// The role of administrators who have some value of a claim.
public record SsoRole(
    @Setting("their role: `server-admin`, `host-admin`, `operator`, `read-only` or `auditor`")
        Role role,
    @Setting("the hosts to which it is limited; empty for all, which `host-admin` cannot be")
        List<String> hosts) {
  /// Nothing is set: the role that may change nothing.
  public static final SsoRole NONE = new SsoRole(Role.READ_ONLY, List.of());

  /// The roles of administrators.
  public enum Role {
    SERVER_ADMIN,
    HOST_ADMIN,
    OPERATOR,
    READ_ONLY,
    AUDITOR
  }

  /// Copies the list.
  public SsoRole {
    hosts = List.copyOf(hosts);
  }
}
