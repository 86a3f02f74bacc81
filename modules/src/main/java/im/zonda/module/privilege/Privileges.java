package im.zonda.module.privilege;

import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.component.ComponentPrivilege.PresenceOf;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The permissions that the configuration grants to the components of one host. Immutable; any
/// thread may call.
final class Privileges {
  private final Map<Jid, ComponentPrivilege> byComponent = new LinkedHashMap<>();
  private final ExternalComponents components;

  /// @param permitted what is permitted, by the domains of components
  Privileges(Map<String, ComponentPrivilege> permitted, ExternalComponents components) {
    this.components = components;
    permitted.forEach((domain, privilege) -> byComponent.put(Jid.of(domain), privilege));
  }

  /// The components that are named.
  Set<Jid> named() {
    return byComponent.keySet();
  }

  /// What is permitted to a component, whether it is connected or not.
  ComponentPrivilege of(Jid component) {
    return byComponent.getOrDefault(component, ComponentPrivilege.NONE);
  }

  /// What is permitted to the sender of a stanza, which must be the component itself and not an
  /// address at it; null if it is none that is named.
  @Nullable ComponentPrivilege ofSender(@Nullable Jid from) {
    return from != null && components.isConnected(from) ? byComponent.get(from) : null;
  }

  /// Calls `action` for every connected component whose privilege matches.
  void forEachConnected(Predicate<ComponentPrivilege> which, Consumer<Jid> action) {
    byComponent.forEach((component, privilege) -> {
      if (which.test(privilege) && components.isConnected(component)) {
        action.accept(component);
      }
    });
  }

  /// Whether a component gets presence of the contacts of accounts.
  boolean coverContacts() {
    return byComponent.values().stream().anyMatch(Privileges::coversContacts);
  }

  /// Whether it includes presence of contacts.
  static boolean coversContacts(ComponentPrivilege privilege) {
    return privilege.presence() == PresenceOf.ROSTER && privilege.roster().get();
  }

  /// Whether it includes presence of accounts.
  static boolean coversAccounts(ComponentPrivilege privilege) {
    return privilege.presence() != PresenceOf.NONE;
  }
}
