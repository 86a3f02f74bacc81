package im.zonda.home.account;

import im.zonda.home.component.ComponentHomes;
import im.zonda.home.request.ServerRequests;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.session.Home;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The external components, as the modules of all hosts see them.
public final class HostComponents implements ExternalComponents, ComponentHomes.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(HostComponents.class);

  private final ComponentHomes components;
  private final ServerRequests requests;
  private final Map<Jid, HostAccounts> hosts;

  /// @param hosts the hosts at present
  public HostComponents(
      ComponentHomes components, ServerRequests requests, Map<Jid, HostAccounts> hosts) {
    this.components = components;
    this.requests = requests;
    this.hosts = hosts;
  }

  /// The domains of the connected components that a host lists: those below its own domain, and
  /// those that are below no host's.
  public List<Jid> connectedAt(Jid host) {
    return components.connected().stream()
        .filter(component ->
            isBelow(component, host)
                || hosts.keySet().stream().noneMatch(other -> isBelow(component, other)))
        .toList();
  }

  private static boolean isBelow(Jid component, Jid host) {
    return component.domain().endsWith("." + host.domain());
  }

  // ---- for modules

  @Override
  public boolean isConnected(Jid domain) {
    return components.isConnected(domain);
  }

  @Override
  public void sendToEachConnection(Stanza stanza) {
    components.sendToEachConnection(stanza);
  }

  @Override
  public void request(Iq request, Jid requester, Duration patience, Consumer<Iq> answered) {
    requests.send(request, requester, patience, answered);
  }

  @Override
  public @Nullable Jid requesterOf(Iq request) {
    return requests.requesterOf(request);
  }

  @Override
  public void atLoadedHomes(Jid host, Consumer<Home> task) {
    HostAccounts accounts = hosts.get(host);
    if (accounts != null) {
      for (Jid account : accounts.homes().addresses()) {
        boolean _ = accounts.homes().submitIfLoaded(account, task::accept);
      }
    }
  }

  // ---- from the homes of components

  @Override
  public void connected(Jid component, Consumer<Stanza> connection) {
    notifyEach(component, extension -> extension.connected(component, connection));
  }

  @Override
  public void disconnected(Jid component) {
    notifyEach(component, extension -> extension.disconnected(component));
  }

  private void notifyEach(Jid component, Consumer<Extension> event) {
    for (HostAccounts host : hosts.values()) {
      for (Extension extension : host.dispatch().extensions()) {
        try {
          event.accept(extension);
        } catch (RuntimeException e) {
          // The others are notified still, and the component is served.
          LOG.atError()
              .addKeyValue("component", component)
              .addKeyValue("host", host.dispatch().domain())
              .setCause(e)
              .log("component_extension_failed");
        }
      }
    }
  }
}
