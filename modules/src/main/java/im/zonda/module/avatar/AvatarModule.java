package im.zonda.module.avatar;

import im.zonda.config.ServerConfig;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.pubsub.PepNodes;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.vcard.VcardModule;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;

/// Makes one avatar of that in publish-subscribe and that in the vCard, and puts its hash into the
/// presence of clients. Does nothing unless both are on.
///
/// The picture is kept in the account's nodes. Who requests the vCard gets it with the picture if
/// the nodes allow access; nodes that are made from a vCard are open. Its hash is in directed
/// presence, as to rooms, if everyone may retrieve it, and in broadcasts if contacts may. When it
/// changes, the presence of available clients is broadcast again.
@Xep(number = 398, version = "1.0.0", title = "User Avatar to vCard-Based Avatars Conversion")
@Xep(number = 153, version = "1.1.1", title = "vCard-Based Avatars")
@Xep(number = 84, version = "1.1.4", title = "User Avatar")
public final class AvatarModule implements XmppModule {
  private static final String CONVERSION = "urn:xmpp:pep-vcard-conversion:0";

  private final PubSubModule pubsub;
  private final VcardModule vcards;
  private final PresenceModule presence;

  /// @param pubsub the module that has the nodes of accounts
  /// @param vcards the module that has the vCards
  /// @param presence the module that broadcasts presence
  public AvatarModule(PubSubModule pubsub, VcardModule vcards, PresenceModule presence) {
    this.pubsub = pubsub;
    this.vcards = vcards;
    this.presence = presence;
  }

  @Override
  public String name() {
    return "avatar";
  }

  @Override
  public void install(ModuleContext context) {
    PepNodes nodes = pubsub.nodes();
    if (!nodes.areOn() || !vcards.isOn()) {
      return;
    }
    HomeKey<Avatar> key = new HomeKey<>("avatar", account -> Avatar.load(nodes, account));
    context.addHomeState(key);
    context.advertiseForAccounts(CONVERSION);
    PhotoHashes hashes = new PhotoHashes(key, presence);
    AvatarSync sync =
        new AvatarSync(
            nodes,
            vcards,
            key,
            context.ids(),
            home -> context.atHome(home.jid(), hashes::broadcast));
    nodes.observe(Picture.METADATA, sync::metadataChanged);
    nodes.observe(Picture.DATA, sync::dataChanged);
    vcards.keepPhotos(sync);
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.REWRITE,
        (stanza, home, session) ->
            session == null ? Verdict.pass() : hashes.sent(stanza, home, session));
    context.onSession(
        new SessionListener() {
          @Override
          public void bound(Home home, Session session) {
            if (home.exists() && home.state(key).isFirstSession()) {
              context.atHome(home.jid(), sync::move);
            }
          }
        });
  }

  /// What it does depends on which other modules are on.
  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.modulesOff().equals(after.modulesOff());
  }

  @Override
  public void stop() {
    vcards.keepPhotos(null);
    pubsub.nodes().observe(Picture.METADATA, null);
    pubsub.nodes().observe(Picture.DATA, null);
  }
}
