package im.zonda.module.displayed;

import im.zonda.config.ServerConfig;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.pubsub.PepNodes;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Server assist: takes what a client says to its other clients out of a message to a contact and
/// publishes it in the account's private node. Does nothing while publish-subscribe is off.
@Xep(number = 490, version = "1.0.1", title = "Message Displayed Synchronization")
public final class DisplayedModule implements XmppModule {
  private static final String NODE = "urn:xmpp:mds:displayed:0";
  private static final String SERVER_ASSIST = "urn:xmpp:mds:server-assist:0";
  private static final QName DISPLAYED = new QName(NODE, "displayed");

  /// Larger elements are removed from the message and not published, in characters of XML.
  private static final int MAX_LENGTH = 4_096;

  private final PubSubModule pubsub;

  /// @param pubsub the module that has the nodes of accounts
  public DisplayedModule(PubSubModule pubsub) {
    this.pubsub = pubsub;
  }

  @Override
  public String name() {
    return "displayed";
  }

  @Override
  public void install(ModuleContext context) {
    PepNodes nodes = pubsub.nodes();
    if (!nodes.areOn()) {
      return;
    }
    context.advertiseForAccounts(SERVER_ASSIST);
    nodes.configure(
        NODE,
        Map.of(
            "pubsub#access_model",
            "whitelist",
            "pubsub#max_items",
            "max",
            "pubsub#send_last_published_item",
            "never"));
    context.onMessage(
        HookPoint.SENT_BY_CLIENT,
        Phase.REWRITE,
        (message, home, session) -> sent(message, home, session, context));
  }

  private Verdict sent(
      Message message, Home home, @Nullable Session session, ModuleContext context) {
    if (session == null || !message.has(DISPLAYED)) {
      return Verdict.pass();
    }
    Element displayed = message.payload(DISPLAYED);
    Jid account = home.jid();
    // The address as the client wrote it; a message without one is for the account itself.
    Jid chat = message.to() == null ? account : message.to();
    if (displayed != null && !message.isError()) {
      String id = String.valueOf(chat);
      context.atHome(account, again -> publish(again, id, displayed));
    }
    return Verdict.replace(message.withoutPayloads(payload -> payload.name().equals(DISPLAYED)));
  }

  private void publish(Home home, String id, Element displayed) {
    PepNodes nodes = pubsub.nodes();
    long size = displayed.toString().length() + (long) id.length();
    if (size <= MAX_LENGTH
        && id.getBytes(StandardCharsets.UTF_8).length <= PubSubStore.MAX_NAME_BYTES
        && nodes.hasRoom(home, size)) {
      nodes.publishPrivately(home, NODE, Map.of(id, displayed));
    }
  }

  /// What it does depends on which other modules are on.
  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.modulesOff().equals(after.modulesOff());
  }

  @Override
  public void stop() {
    pubsub.nodes().configure(NODE, Map.of());
  }
}
