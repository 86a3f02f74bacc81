package im.zonda.module.bookmarks;

import im.zonda.config.ServerConfig;
import im.zonda.hook.SessionListener;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.pubsub.PepNodes;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.xml.Element;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Unifies bookmarks: a client finds the same in whichever of the three places it looks. Does
/// nothing while publish-subscribe is off; without private XML storage the other two are unified.
@Xep(number = 402, version = "1.2.0", title = "PEP Native Bookmarks")
@Xep(number = 48, version = "1.2", title = "Bookmarks")
@Xep(number = 411, version = "1.1.0", title = "Bookmarks Conversion")
public final class BookmarksModule implements XmppModule {
  private static final String COMPAT = BookmarkXml.ITEMS + "#compat";
  private static final String COMPAT_PEP = BookmarkXml.ITEMS + "#compat-pep";
  private static final String CONVERSION = "urn:xmpp:bookmarks-conversion:0";

  private final PubSubModule pubsub;
  private final PrivateXmlModule privateXml;
  private volatile @Nullable BookmarkSync installedSync;

  /// @param pubsub the module that has the nodes of accounts
  /// @param privateXml the module that has private XML
  public BookmarksModule(PubSubModule pubsub, PrivateXmlModule privateXml) {
    this.pubsub = pubsub;
    this.privateXml = privateXml;
  }

  @Override
  public String name() {
    return "bookmarks";
  }

  @Override
  public void install(ModuleContext context) {
    PepNodes nodes = pubsub.nodes();
    if (!nodes.areOn()) {
      return;
    }
    BookmarkSync sync = new BookmarkSync(nodes, privateXml);
    installedSync = sync;
    context.advertiseForAccounts(COMPAT_PEP);
    if (privateXml.isOn()) {
      context.advertiseForAccounts(COMPAT);
      context.advertiseForAccounts(CONVERSION);
    }
    nodes.configure(BookmarkXml.ITEMS, BookmarkSync.options(false));
    nodes.configure(BookmarkXml.LIST, BookmarkSync.options(true));
    nodes.observe(BookmarkXml.ITEMS, sync::itemsChanged);
    nodes.observe(
        BookmarkXml.LIST,
        new PepNodes.Observer() {
          @Override
          public boolean accepts(Home home, Element payload) {
            return sync.fits(home, payload);
          }

          @Override
          public void changed(Home home, PepNodes.Change change) {
            sync.listChanged(home, change);
          }
        });
    privateXml.observe(
        BookmarkXml.STORAGE,
        new PrivateXmlModule.Observer() {
          @Override
          public @Nullable IqReply refuse(Home home, Element element) {
            return sync.refuse(home, element);
          }

          @Override
          public void stored(Home home, Element element) {
            sync.listStored(home, element);
          }
        });
    reconcileAtFirst(context, sync);
  }

  /// Adds a bookmark of a room that clients enter by themselves, unless there is one: a user may
  /// have changed it. Notifies clients. In a task of the account's home; blocks.
  ///
  /// @param nick the nickname in the room
  /// @return false if nothing was added: there are no bookmarks, or too many
  public boolean add(Home home, Jid room, String name, String nick) {
    BookmarkSync sync = installedSync;
    return sync != null && sync.add(home, room, BookmarkXml.item(name, nick));
  }

  /// Gives the bookmark of a room another name, unless a user has changed it. Notifies clients. In
  /// a task of the account's home; blocks.
  ///
  /// @param former the name that it must have
  public void rename(Home home, Jid room, String former, String name) {
    BookmarkSync sync = installedSync;
    if (sync != null) {
      sync.rename(home, room, former, name);
    }
  }

  /// Removes the bookmark of a room if there is one. Notifies clients. In a task of the account's
  /// home; blocks.
  public void remove(Home home, Jid room) {
    BookmarkSync sync = installedSync;
    if (sync != null) {
      sync.remove(home, room);
    }
  }

  /// Reconciles with the first session after the home was loaded, before its first request.
  private static void reconcileAtFirst(ModuleContext context, BookmarkSync sync) {
    HomeKey<AtomicBoolean> done = new HomeKey<>("bookmarks", account -> new AtomicBoolean());
    context.addHomeState(done);
    context.onSession(
        new SessionListener() {
          @Override
          public void bound(Home home, Session session) {
            if (home.exists() && !home.state(done).getAndSet(true)) {
              context.atHome(home.jid(), sync::reconcile);
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
    installedSync = null;
    for (String node : BookmarkSync.names()) {
      pubsub.nodes().observe(node, null);
      pubsub.nodes().configure(node, Map.of());
    }
    privateXml.observe(BookmarkXml.STORAGE, null);
  }
}
