package im.zonda.module.bytestreams;

import im.zonda.bytestream.Bytestreams;
import im.zonda.config.Proxy;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.disco.RequestService;

/// Gives the users of the host the address of the proxy and activates their streams, if there is a
/// proxy.
@Xep(
    number = 65,
    version = "1.8.2",
    title = "SOCKS5 Bytestreams",
    note =
        "The proxy, without UDP. What a party sends before the activation is forwarded after it. In"
            + " a cluster, both parties connect to the node whose address they were given")
public final class BytestreamsModule implements XmppModule {
  @Override
  public String name() {
    return "bytestreams";
  }

  @Override
  public Ports ports() {
    return Ports.of(Bytestreams.class);
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.proxy().isOn() == after.proxy().isOn()
        && before.proxy().prefix().equals(after.proxy().prefix());
  }

  @Override
  public void install(ModuleContext context) {
    Proxy settings = context.config().proxy();
    if (settings.isOn()) {
      Jid domain = Jid.of(null, settings.prefix() + "." + context.domain().domain(), null);
      ProxyService proxy = new ProxyService(domain, context, context.port(Bytestreams.class));
      context.serve(new RequestService(domain, ProxyService.IDENTITY, context, proxy));
    }
  }
}
