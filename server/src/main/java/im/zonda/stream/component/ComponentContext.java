package im.zonda.stream.component;

import im.zonda.config.component.Components;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.link.ComponentGate;
import im.zonda.module.IdSource;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stanza.Namespaces;
import im.zonda.stream.InputLimits;
import im.zonda.stream.ServedDomains;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.TlsStart;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The context that the streams of all components share. Immutable; any thread may call.
public final class ComponentContext {
  private final Components settings;
  private final Limits limits;
  private final ServedDomains served;
  private final Supplier<Jid> server;
  private final ComponentGate gate;
  private final IdSource ids;
  private final StreamProfile profile;

  /// What surrounds the streams.
  ///
  /// @param served the domains of this server, which no component can have
  /// @param server the address that pings of the server come from
  /// @param gate where the streams report
  public record Surroundings(ServedDomains served, Supplier<Jid> server, ComponentGate gate) {}

  public ComponentContext(
      Components settings, Limits limits, Surroundings surroundings, ServerRuntime runtime) {
    this.settings = settings;
    this.limits = limits;
    this.served = surroundings.served();
    this.server = surroundings.server();
    this.gate = surroundings.gate();
    this.ids = runtime.ids();
    this.profile =
        new StreamProfile(
            new StreamProfile.Headers(Namespaces.COMPONENT, false, false, Map.of()),
            new InputLimits(limits.beforeAuthentication(), limits.unauthenticatedBytes()),
            new StreamProfile.Times(limits.negotiationTime(), limits.idleTime(), limits.pingTime()),
            ids,
            runtime.workers(),
            TlsStart.server(List.of()),
            stream -> new ComponentStream(this, stream));
  }

  /// What streams of components have in common with streams of any other kind.
  public StreamProfile profile() {
    return profile;
  }

  Components settings() {
    return settings;
  }

  InputLimits authenticatedLimits() {
    return InputLimits.ofElements(limits.client());
  }

  ServedDomains served() {
    return served;
  }

  Jid server() {
    return server.get();
  }

  ComponentGate gate() {
    return gate;
  }

  IdSource ids() {
    return ids;
  }
}
