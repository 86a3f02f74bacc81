package im.zonda.module.mam;

import im.zonda.config.ServerConfig;
import im.zonda.module.Addressee;
import im.zonda.module.IqHandler;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.QName;

/// Gives an account's owner the archive of its messages.
///
/// Nobody else may ask: all others are answered `forbidden`, whether the account exists or not. On
/// a server that does not keep messages, or not all of them, there is no archive and none is
/// advertised. Must be installed before all modules whose rules let messages be stored.
@Xep(
    number = 313,
    version = "1.1.3",
    title = "Message Archive Management",
    note = "Room messages are not kept in the archives of accounts; ids can be guessed")
@Xep(
    number = 59,
    version = "1.0",
    title = "Result Set Management",
    note = "In the archive: without counts, and without pages by position")
@Xep(number = 431, version = "0.2.0", title = "Full Text Search in MAM")
@Xep(number = 441, version = "0.2.0", title = "Message Archive Management Preferences")
public final class MamModule implements XmppModule {
  static final String NAMESPACE = "urn:xmpp:mam:2";

  private static final QName QUERY = new QName(NAMESPACE, "query");
  private static final QName METADATA = new QName(NAMESPACE, "metadata");
  private static final String FULL_TEXT = "urn:xmpp:fulltext:0";

  private final RosterModule roster;

  /// An archive whose preferences look into that roster; to be installed after it.
  public MamModule(RosterModule roster) {
    this.roster = roster;
  }

  @Override
  public String name() {
    return "mam";
  }

  @Override
  public void install(ModuleContext context) {
    ServerConfig.Storage storage = context.config().storage();
    if (!storage.archive() || !storage.durable()) {
      return;
    }
    context.advertiseForAccounts(NAMESPACE);
    context.advertiseForAccounts(NAMESPACE + "#extended");
    context.advertiseForAccounts(NAMESPACE + "#groupchat-field");
    context.advertiseForAccounts(ResultSetRequest.NAMESPACE);
    if (context.stores().archive().searches()) {
      context.advertiseForAccounts(FULL_TEXT);
    }
    Queries queries = new Queries(context);
    forOwner(context, Iq.Type.SET, QUERY, queries::page);
    forOwner(context, Iq.Type.GET, QUERY, queries::form);
    forOwner(context, Iq.Type.GET, METADATA, queries::metadata);
    PreferenceRule preferences = new PreferenceRule(context, roster.rosters());
    forOwner(context, Iq.Type.GET, PreferencesXml.PREFS, preferences::get);
    forOwner(context, Iq.Type.SET, PreferencesXml.PREFS, preferences::set);
    context.onStorage(preferences);
    new Retention(context).begin();
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
