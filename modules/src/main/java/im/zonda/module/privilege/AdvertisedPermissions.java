package im.zonda.module.privilege;

import im.zonda.config.component.ComponentPrivilege;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.Message;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Remembers which rights were announced to the components that are connected (XEP-0356, section
/// 4.3). Any thread may call.
final class AdvertisedPermissions {
  // Guarded by this object's monitor.
  private final Map<Jid, ComponentPrivilege> announced = new HashMap<>();

  /// The message that announces rights to a component.
  ///
  /// @param all whether to name also what is not permitted
  static Message message(
      ModuleContext context, Jid component, ComponentPrivilege privilege, boolean all) {
    return Message.of(
        Message.Type.NORMAL,
        context.domain(),
        component,
        context.ids().next(),
        List.of(PrivilegeXml.permissions(privilege, all)));
  }

  /// The rights are announced to the component.
  synchronized void add(Jid component, ComponentPrivilege privilege) {
    announced.put(component, privilege);
  }

  /// The component is no longer connected.
  synchronized void remove(Jid component) {
    announced.remove(component);
  }

  /// Takes over other rights; returns the connected components to which they must be announced.
  synchronized Set<Jid> change(Privileges privileges, Predicate<Jid> connected) {
    Set<Jid> components = new HashSet<>(announced.keySet());
    components.addAll(privileges.named());
    components.removeIf(component ->
        !connected.test(component)
            || privileges
                .of(component)
                .equals(announced.getOrDefault(component, ComponentPrivilege.NONE)));
    components.forEach(component -> announced.put(component, privileges.of(component)));
    return components;
  }
}
