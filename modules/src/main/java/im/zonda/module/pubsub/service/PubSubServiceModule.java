package im.zonda.module.pubsub.service;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.pubsub.owner.NotificationBudgets;
import im.zonda.store.PubSubStore;
import im.zonda.store.RosterStore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/// The publish-subscribe service of a virtual host, at a domain of its own (XEP-0060).
@Xep(
    number = 248,
    version = "0.5.0",
    title = "PubSub Collection Nodes",
    note =
        "At the service. Items are not retrieved from collections, nobody subscribes to the root, and"
            + " the children of a collection that is deleted stay")
public final class PubSubServiceModule implements XmppModule {
  @Override
  public String name() {
    return "pubsub-service";
  }

  @Override
  public Ports ports() {
    return Ports.of(PubSubStore.class, RosterStore.class);
  }

  @Override
  public void install(ModuleContext context) {
    String prefix = context.config().services().pubsub().prefix();
    Jid domain = Jid.of(null, prefix + "." + context.domain().domain(), null);
    PubSubStore store = context.port(PubSubStore.class);
    ServiceNodes nodes =
        new ServiceNodes(
            context,
            domain,
            store,
            context.port(RosterStore.class),
            new PresenceInterest(context, store, domain),
            Collections.synchronizedSet(Collections.newSetFromMap(new OldestForgotten())),
            new NotificationBudgets(
                context.domain().domain(),
                context.clock(),
                () -> context.config().limits().pubsub().notifications()),
            new AtomicReference<>());
    new LocalPresence(nodes).watch();
    nodes.homes().set(context.serve(new PubSubService(nodes)));
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.services().pubsub().prefix().equals(after.services().pubsub().prefix());
  }

  /// Keeps the entries that were added last.
  private static final class OldestForgotten extends LinkedHashMap<Jid, Boolean> {
    private static final long serialVersionUID = 1L;
    private static final int MOST = 10_000;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Jid, Boolean> eldest) {
      return size() > MOST;
    }
  }
}
