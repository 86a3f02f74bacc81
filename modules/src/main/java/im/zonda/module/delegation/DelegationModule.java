package im.zonda.module.delegation;

import im.zonda.config.ServerConfig;
import im.zonda.config.component.ComponentDelegation;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ExternalComponents.Decision;
import im.zonda.module.HostInfo;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Has external components answer the requests of the namespaces that the configuration delegates
/// to them.
///
/// A component learns its namespaces over each of its connections, and again when they change.
/// Requests of the component itself are answered by the server.
@Xep(
    number = 355,
    version = "0.5",
    title = "Namespace Delegation",
    note = "Admin mode, for external components")
public final class DelegationModule implements XmppModule {
  /// What was announced to the components that are connected. Guarded by its monitor.
  private final Map<Jid, List<ComponentDelegation.Namespace>> announced = new HashMap<>();

  @Override
  public String name() {
    return "delegation";
  }

  @Override
  public Ports ports() {
    return Ports.of(ExternalComponents.class);
  }

  @Override
  public void install(ModuleContext context) {
    ExternalComponents components = context.port(ExternalComponents.class);
    Delegations delegations =
        new Delegations(context.config().component().delegationsAt(context.domain().domain()));
    ManagedFeatures features = new ManagedFeatures(context, components);
    if (!delegations.isEmpty()) {
      context.advertise(Delegations.NAMESPACE);
      context.extend(new Managing(context, delegations, features, components));
    }
    // When the module has been installed while the server runs, components are connected already.
    context
        .scheduler()
        .schedule(
            Duration.ZERO,
            () -> {
              for (Jid component : change(delegations, components)) {
                components.sendToEachConnection(message(context, component, delegations));
              }
              for (Jid component : delegations.named()) {
                if (components.isConnected(component)) {
                  features.ask(component, delegations.described(component));
                }
              }
            });
  }

  private static Message message(ModuleContext context, Jid component, Delegations delegations) {
    return Message.of(
        Message.Type.NORMAL,
        context.domain(),
        component,
        context.ids().next(),
        List.of(DelegationXml.delegated(delegations.of(component))));
  }

  /// Takes over other delegations; returns the connected components to which they are announced.
  private Set<Jid> change(Delegations delegations, ExternalComponents components) {
    synchronized (announced) {
      Set<Jid> changed = new HashSet<>(announced.keySet());
      changed.addAll(delegations.named());
      changed.removeIf(component ->
          !components.isConnected(component)
              || delegations.of(component).equals(announced.getOrDefault(component, List.of())));
      changed.forEach(component -> announced.put(component, delegations.of(component)));
      return changed;
    }
  }

  /// What is done for components.
  private final class Managing implements ExternalComponents.Extension {
    private final ModuleContext context;
    private final Delegations delegations;
    private final ManagedFeatures features;
    private final ExternalComponents components;
    private final DelegatedRequests requests;
    private final List<String> described;

    Managing(
        ModuleContext context,
        Delegations delegations,
        ManagedFeatures features,
        ExternalComponents components) {
      this.context = context;
      this.delegations = delegations;
      this.features = features;
      this.components = components;
      this.requests = new DelegatedRequests(context, components);
      this.described = delegations.described();
    }

    @Override
    public void connected(Jid component, Consumer<Stanza> connection) {
      if (delegations.named().contains(component)) {
        synchronized (announced) {
          announced.put(component, delegations.of(component));
        }
        connection.accept(message(context, component, delegations));
        features.ask(component, delegations.described(component));
      }
    }

    @Override
    public void disconnected(Jid component) {
      synchronized (announced) {
        announced.remove(component);
      }
      features.forget(component);
    }

    @Override
    public Decision decide(IqRequest request, Addressee addressee) {
      Delegations.Delegated delegated = delegations.find(request.payload(), addressee);
      return delegated == null || isFrom(delegated.component(), request.iq())
          ? Decision.PASS
          : new Decision.Answer(requests.forward(request, delegated.component()));
    }

    /// Whether a component has sent the request, also as a privileged entity in the name of an
    /// account (XEP-0355, section 4.3.1): it would be forwarded without end.
    private boolean isFrom(Jid component, Iq request) {
      Jid from = request.from();
      return (from != null && from.domain().equals(component.domain()))
          || component.equals(components.requesterOf(request));
    }

    @Override
    public HostInfo describe(HostInfo host) {
      return new NestedInfo(host, described, features);
    }
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.component().delegation().equals(after.component().delegation());
  }
}
