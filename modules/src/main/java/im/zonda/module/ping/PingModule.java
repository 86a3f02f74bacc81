package im.zonda.module.ping;

import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.xml.QName;

/// Answers pings to the server and to the sender's own account.
@Xep(number = 199, version = "2.0.1", title = "XMPP Ping")
public final class PingModule implements XmppModule {
  private static final String NAMESPACE = "urn:xmpp:ping";
  private static final QName PING = new QName(NAMESPACE, "ping");

  @Override
  public String name() {
    return "ping";
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    context.onIq(Iq.Type.GET, PING, Addressee.SERVER, request -> IqReply.empty());
    context.onIq(Iq.Type.GET, PING, Addressee.OWN_ACCOUNT, request -> IqReply.empty());
  }
}
