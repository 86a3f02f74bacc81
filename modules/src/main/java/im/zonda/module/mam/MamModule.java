package im.zonda.module.mam;

import im.zonda.config.ServerConfig;
import im.zonda.module.Addressee;
import im.zonda.module.IqHandler;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.AccountAddresses;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.RoomStore;
import im.zonda.store.StanzaIds;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// Answers queries of users for the archive of their messages.
///
/// Everyone else is answered `forbidden`, whether or not the account exists. On a server without
/// durable storage or without an archive nothing is advertised. Must be installed before all
/// modules whose rules store messages.
@Xep(
    number = 313,
    version = "1.1.3",
    title = "Message Archive Management",
    note = "Room messages are not kept in the archives of accounts")
@Xep(
    number = 59,
    version = "1.0",
    title = "Result Set Management",
    note = "In the archive: without counts, and without pages by position")
@Xep(number = 82, version = "1.1.1", title = "XMPP Date and Time Profiles")
@Xep(number = 431, version = "0.2.0", title = "Full Text Search in MAM")
@Xep(number = 441, version = "0.2.0", title = "Message Archive Management Preferences")
public final class MamModule implements XmppModule {
  static final String NAMESPACE = "urn:xmpp:mam:2";

  private final RosterModule roster;
  private volatile @Nullable Retention retention;
  private volatile @Nullable IqHandler nodes;

  /// @param roster the module whose rosters decide who is a contact; must be installed before
  public MamModule(RosterModule roster) {
    this.roster = roster;
  }

  /// Sets what answers requests for the archives of accounts' nodes, of the owner and of others;
  /// null for nothing.
  public void answerForNodes(@Nullable IqHandler handler) {
    nodes = handler;
  }

  @Override
  public String name() {
    return "mam";
  }

  @Override
  public Ports ports() {
    return Ports.of(MessageArchive.class, StanzaIds.class, AccountAddresses.class, RoomStore.class)
        .withKeyValues("mam");
  }

  @Override
  public void install(ModuleContext context) {
    if (!ArchiveQueries.available(context.config())) {
      return;
    }
    ArchiveQueries queries = ArchiveQueries.ofAccounts(context);
    queries.features().forEach(context::advertiseForAccounts);
    // Section 7 requires it for the account, but some clients only ask the server.
    queries.archiveFeatures().forEach(context::advertise);
    forOwnerOrNode(context, Iq.Type.SET, request -> page(queries, request));
    forOwnerOrNode(context, Iq.Type.GET, request -> queries.form());
    forOwner(
        context,
        Iq.Type.GET,
        ArchiveQueries.METADATA,
        request -> queries.metadata(request.home().jid()));
    PreferenceRule preferences = new PreferenceRule(context, roster.rosters());
    forOwner(context, Iq.Type.GET, PreferencesXml.PREFS, preferences::get);
    forOwner(context, Iq.Type.SET, PreferencesXml.PREFS, preferences::set);
    context.onStorage(preferences);
    Retention started = new Retention(context);
    started.start();
    retention = started;
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    Retention started = retention;
    if (started != null) {
      started.start();
    }
    return true;
  }

  private static IqReply page(ArchiveQueries queries, IqRequest request) {
    Session session = request.session();
    if (session == null) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    return queries.page(request.home().jid(), request.iq(), Entry::message, session::send);
  }

  /// A query that names a node is answered by those who have the nodes (XEP-0442).
  private void forOwnerOrNode(ModuleContext context, Iq.Type type, IqHandler handler) {
    IqHandler forbidden = request -> IqReply.refuse(ErrorCondition.FORBIDDEN);
    context.onIq(
        type, ArchiveQueries.QUERY, Addressee.OWN_ACCOUNT, request -> answer(request, handler));
    context.onIq(
        type, ArchiveQueries.QUERY, Addressee.OTHER_ACCOUNT, request -> answer(request, forbidden));
  }

  private IqReply answer(IqRequest request, IqHandler withoutNode) {
    IqHandler withNode = nodes;
    boolean named = request.payload().attribute("node") != null;
    return named && withNode != null ? withNode.handle(request) : withoutNode.handle(request);
  }

  private static void forOwner(
      ModuleContext context, Iq.Type type, QName payload, IqHandler handler) {
    context.onIq(type, payload, Addressee.OWN_ACCOUNT, handler);
    context.onIq(
        type,
        payload,
        Addressee.OTHER_ACCOUNT,
        request -> IqReply.refuse(ErrorCondition.FORBIDDEN));
  }
}
