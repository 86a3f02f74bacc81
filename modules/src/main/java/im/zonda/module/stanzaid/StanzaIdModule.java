package im.zonda.module.stanzaid;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.stanza.Message;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Removes every forged `<stanza-id/>` in the name of the account or of the host. The router adds
/// the real one when it stores the message.
@Xep(number = 359, version = "0.7.0", title = "Unique and Stable Stanza IDs")
public final class StanzaIdModule implements XmppModule {
  private static final String NAMESPACE = StanzaIds.NAME.namespace();

  @Override
  public String name() {
    return "stanzaid";
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    context.advertiseForAccounts(NAMESPACE);
    Jid domain = context.domain();
    for (HookPoint point : HookPoint.values()) {
      context.onMessage(
          point, Phase.REWRITE, (message, home, session) -> removeForged(message, home, domain));
    }
  }

  private static Verdict removeForged(Message message, Home home, Jid domain) {
    if (!message.has(StanzaIds.NAME)) {
      return Verdict.pass();
    }
    Jid account = home.jid();
    Message clean = message.withoutPayloads(StanzaIds.NAME, id -> isForged(id, account, domain));
    return clean == message ? Verdict.pass() : Verdict.replace(clean);
  }

  private static boolean isForged(Element stanzaId, Jid account, Jid domain) {
    Jid by = jid(stanzaId.attribute("by"));
    return by != null && (by.equals(account) || by.equals(domain));
  }

  /// The normalized address, so that no other spelling passes, or null if it is not valid.
  private static @Nullable Jid jid(@Nullable String address) {
    if (address == null) {
      return null;
    }
    try {
      return Jid.of(address.strip());
    } catch (JidFormatException e) {
      return null;
    }
  }
}
