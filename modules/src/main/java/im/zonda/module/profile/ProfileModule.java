package im.zonda.module.profile;

import im.zonda.config.ServerConfig;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.pubsub.PepNodes;
import im.zonda.module.pubsub.PubSubModule;
import java.util.Map;

/// Configures the nodes for an account's vCard4, for vCards of its contacts and for its microblog
/// as their XEPs require when a client publishes to one that does not exist yet. Does nothing while
/// publish-subscribe is off.
@Xep(
    number = 292,
    version = "0.12.0",
    title = "vCard4 Over XMPP",
    note = "Kept beside `vcard-temp`; neither is converted to the other")
@Xep(number = 222, version = "1.0", title = "Persistent Storage of Public Data via PubSub")
@Xep(
    number = 277,
    version = "0.6.5",
    title = "Microblogging over XMPP",
    note = "The node is configured; notifications have no bodies, and posts get no links")
public final class ProfileModule implements XmppModule {
  private static final String VCARD4 = "urn:ietf:params:xml:ns:vcard-4.0";

  /// The nodes with the options in which they differ from other nodes.
  private static final Map<String, Map<String, String>> NODES =
      Map.of(
          // Anyone may read it (section 9); notifications have no payload (section 4.2.2).
          "urn:xmpp:vcard4",
          Map.of(
              "pubsub#access_model",
              "open",
              "pubsub#persist_items",
              "true",
              "pubsub#deliver_payloads",
              "false",
              "pubsub#send_last_published_item",
              "never"),
          "urn:xmpp:contacts",
          Map.of(
              "pubsub#access_model",
              "whitelist",
              "pubsub#persist_items",
              "true",
              "pubsub#max_items",
              "max",
              "pubsub#send_last_published_item",
              "never"),
          // XEP-0277, section 2.10, and the base profile of XEP-0472.
          "urn:xmpp:microblog:0",
          Map.of(
              "pubsub#type",
              "urn:xmpp:microblog:0",
              "pubsub#notify_retract",
              "true",
              "pubsub#persist_items",
              "true",
              "pubsub#max_items",
              "max",
              "pubsub#deliver_payloads",
              "false",
              "pubsub#send_last_published_item",
              "never"));

  private final PubSubModule pubsub;

  /// @param pubsub the module that has the nodes of accounts
  public ProfileModule(PubSubModule pubsub) {
    this.pubsub = pubsub;
  }

  @Override
  public String name() {
    return "profile";
  }

  @Override
  public void install(ModuleContext context) {
    PepNodes nodes = pubsub.nodes();
    if (!nodes.areOn()) {
      return;
    }
    context.advertise(VCARD4);
    context.advertiseForAccounts(VCARD4);
    NODES.forEach(nodes::configure);
  }

  /// What it does depends on which other modules are on.
  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.modulesOff().equals(after.modulesOff());
  }

  @Override
  public void stop() {
    NODES.keySet().forEach(node -> pubsub.nodes().configure(node, Map.of()));
  }
}
