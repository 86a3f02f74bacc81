package im.zonda.module.admin;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import java.util.LinkedHashSet;
import java.util.Set;

/// The administrators of the host: those of the configuration, and those whom they have added.
///
/// @param context has the configuration
/// @param settings has those who were added
record Admins(ModuleContext context, HostSettings settings) {
  /// Whether commands may be run from that address.
  boolean contains(Jid address) {
    Jid account = address.bare();
    return configured().contains(account) || settings.values().admins().contains(account);
  }

  /// Those of the configuration.
  Set<Jid> configured() {
    Set<Jid> admins = new LinkedHashSet<>();
    context.config().services().administration().admins().forEach(each -> admins.add(Jid.of(each)));
    return admins;
  }

  /// All of them.
  Set<Jid> all() {
    Set<Jid> admins = configured();
    admins.addAll(settings.values().admins());
    return admins;
  }
}
