package im.zonda.module.admin.home;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Role;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The administrators of the host: those of the configuration, and those whom they have added.
///
/// A new account with the address of one that was removed is not an administrator.
///
/// @param context has the configuration
/// @param settings has those who were added
public record Admins(ModuleContext context, HostSettings settings) {
  /// Whether commands may be run from that address. May block.
  public boolean contains(Jid address) {
    Jid account = address.bare();
    return configured().contains(account) || isAdded(account);
  }

  /// Whether that account was added, and is still the same one.
  private boolean isAdded(Jid account) {
    Instant added = settings.values().admins().get(account);
    if (added == null || !isLocal(account)) {
      return added != null;
    }
    Instant created = created(account);
    return created != null && !created.isAfter(added);
  }

  /// Whether the account is of this host.
  public boolean isLocal(Jid account) {
    return account.domain().equals(context.domain().domain());
  }

  /// When an account of this host was created; null if there is none. Blocks.
  public @Nullable Instant created(Jid account) {
    return context.port(AccountRegistration.class).created(account);
  }

  /// When accounts of this host were created; those that do not exist are missing. Blocks.
  public Map<Jid, Instant> created(Set<Jid> accounts) {
    return context.port(AccountRegistration.class).created(context.domain().domain(), accounts);
  }

  /// Those of the configuration.
  public Set<Jid> configured() {
    Set<Jid> admins = new LinkedHashSet<>();
    context.config().services().administration().admins().forEach(each -> admins.add(Jid.of(each)));
    return admins;
  }

  /// Whether a caller of operations has all that an administrator of the host has: only then it may
  /// make one, or give one another password.
  public boolean mayAppoint(Caller caller) {
    return caller
        .grant()
        .covers(new Grant(Role.HOST_ADMIN, Set.of(context.domain().domain()), null));
  }

  /// All of them. May block.
  public Set<Jid> all() {
    Set<Jid> admins = configured();
    settings.values().admins().keySet().stream().filter(this::isAdded).forEach(admins::add);
    return admins;
  }
}
