package im.zonda.app.operation;

import im.zonda.account.provider.ProviderException;
import im.zonda.config.accounts.SsoIssuer;
import im.zonda.config.accounts.SsoRole;
import im.zonda.console.login.Administrators;
import im.zonda.operation.Grant;
import im.zonda.operation.Role;
import im.zonda.provider.jwt.IssuerSignOn;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Roles of administrators whom an issuer knows (`[admin.sso.role]`): each has the first role of
/// [SsoRole.Role] that they have, at the hosts of all values that give it.
///
/// @param roles by the values of the issuer's claim
public record SsoRoles(Map<String, SsoRole> roles)
    implements Function<List<String>, @Nullable Grant> {
  private static final Duration TIME = Duration.ofSeconds(5);
  private static final Logger LOG = LoggerFactory.getLogger(SsoRoles.class);

  /// The issuer of the settings; null if they name none.
  static Administrators.@Nullable Sso issuer(SsoIssuer settings, InstantSource clock) {
    if (!settings.isOn()) {
      return null;
    }
    try {
      return new Administrators.Sso(
          IssuerSignOn.create(settings, TIME, clock), new SsoRoles(settings.role()));
    } catch (ProviderException e) {
      LOG.atError().addKeyValue("issuer", settings.issuer()).setCause(e).log("console_sso_off");
      return null;
    }
  }

  @Override
  public @Nullable Grant apply(List<String> values) {
    SsoRole.Role best = null;
    for (String value : values) {
      SsoRole role = roles.get(value);
      if (role != null && (best == null || role.role().compareTo(best) < 0)) {
        best = role.role();
      }
    }
    return best == null ? null : grant(best, values);
  }

  private @Nullable Grant grant(SsoRole.Role best, List<String> values) {
    boolean everywhere = false;
    Set<String> hosts = new TreeSet<>();
    for (String value : values) {
      SsoRole role = roles.get(value);
      if (role != null && role.role() == best) {
        everywhere |= role.hosts().isEmpty();
        hosts.addAll(role.hosts());
      }
    }
    Role role =
        switch (best) {
          case SERVER_ADMIN -> Role.SERVER_ADMIN;
          case HOST_ADMIN -> Role.HOST_ADMIN;
          case OPERATOR -> Role.OPERATOR;
          case READ_ONLY -> Role.READ_ONLY;
          case AUDITOR -> Role.AUDITOR;
        };
    if (everywhere && role.needsHosts()) {
      return null; // the settings are checked
    }
    return new Grant(role, everywhere ? null : hosts, null);
  }
}
