package im.zonda.module.pubsub.service;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.store.PubSubStore;
import java.util.concurrent.atomic.AtomicReference;

/// The publish-subscribe service of a virtual host, at a domain of its own (XEP-0060).
public final class PubSubServiceModule implements XmppModule {
  @Override
  public String name() {
    return "pubsub-service";
  }

  @Override
  public Ports ports() {
    return Ports.of(PubSubStore.class);
  }

  @Override
  public void install(ModuleContext context) {
    String prefix = context.config().services().pubsub().prefix();
    Jid domain = Jid.of(null, prefix + "." + context.domain().domain(), null);
    ServiceNodes nodes =
        new ServiceNodes(context, domain, context.port(PubSubStore.class), new AtomicReference<>());
    nodes.homes().set(context.serve(new PubSubService(nodes)));
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.services().pubsub().prefix().equals(after.services().pubsub().prefix());
  }
}
