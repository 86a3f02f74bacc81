package im.zonda.module.mam;

import im.zonda.hook.StorageRule;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.Message;
import im.zonda.store.KeyValueStore;
import im.zonda.store.RosterItem;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Applies the archiving preferences of accounts. Messages that must not be archived are still
/// stored until they have been delivered.
final class PreferenceRule implements StorageRule {
  private static final Logger LOG = LoggerFactory.getLogger(PreferenceRule.class);
  private static final String KEY = "prefs";

  /// The preferences of an account, kept with its home.
  private static final class AccountPreferences {
    private Preferences now;

    AccountPreferences(Preferences now) {
      this.now = now;
    }
  }

  private final KeyValueStore store;
  private final Rosters rosters;
  private final HomeKey<AccountPreferences> key;
  private final ModuleContext context;

  PreferenceRule(ModuleContext context, Rosters rosters) {
    this.rosters = rosters;
    store = context.keyValues("mam");
    key = new HomeKey<>("mam", account -> new AccountPreferences(load(account)));
    this.context = context;
    context.addHomeState(key);
  }

  private Preferences load(Jid account) {
    byte[] kept = store.get(account, KEY);
    if (kept == null) {
      return Preferences.DEFAULT;
    }
    try {
      return PreferencesXml.readStored(XmlReader.read(kept));
    } catch (XmlException | RejectedException e) {
      LOG.atError().addKeyValue("account", account).setCause(e).log("archive_preferences_damaged");
      return Preferences.DEFAULT;
    }
  }

  IqReply get(IqRequest request) {
    return IqReply.result(PreferencesXml.write(request.home().state(key).now));
  }

  IqReply set(IqRequest request) {
    Preferences wanted;
    try {
      wanted = PreferencesXml.read(request.payload(), context.config().limits().rosterItems());
    } catch (RejectedException e) {
      return e.reply();
    }
    ByteArraySink bytes = new ByteArraySink(256);
    XmlWriter.write(PreferencesXml.write(wanted), "", bytes);
    store.put(request.home().jid(), KEY, bytes.toByteArray());
    request.home().state(key).now = wanted;
    return get(request);
  }

  @Override
  public Decision decide(Message message) {
    return Decision.UNDECIDED;
  }

  @Override
  public Decision decide(Message message, Home home) {
    if (!home.exists()) {
      return Decision.UNDECIDED;
    }
    Preferences preferences = home.state(key).now;
    Jid from = message.from();
    if (preferences.everything() || from == null) {
      return Decision.UNDECIDED;
    }
    Jid to = message.to();
    Jid other = from.bare().equals(home.jid()) && to != null ? to : from;
    return preferences.archives(other, bare -> isContact(home, bare))
        ? Decision.UNDECIDED
        : Decision.UNTIL_DELIVERED;
  }

  private boolean isContact(Home home, Jid bare) {
    RosterItem item = rosters.of(home).find(bare);
    return item != null && item.listed();
  }
}
