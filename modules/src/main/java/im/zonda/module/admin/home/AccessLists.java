package im.zonda.module.admin.home;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.util.Set;

/// Keeps accounts of the host from exchanging stanzas with addresses of the blacklist and, unless
/// the whitelist is empty, with addresses that are not on it. Both lists work in both directions.
/// The host itself and what is below its domain is always allowed, unless it is on the blacklist.
///
/// @param host the host
/// @param settings the lists
public record AccessLists(Jid host, HostSettings settings) {
  public void install(ModuleContext context) {
    context.onMessage(
        HookPoint.SENT_BY_CLIENT, Phase.REFUSE, (message, home, session) -> sent(message));
    context.onPresence(
        HookPoint.SENT_BY_CLIENT, Phase.REFUSE, (presence, home, session) -> sent(presence));
    context.onIq(HookPoint.SENT_BY_CLIENT, Phase.REFUSE, (iq, home, session) -> sent(iq));
    context.onMessage(
        HookPoint.ARRIVING, Phase.REFUSE, (message, home, session) -> arriving(message));
    context.onPresence(
        HookPoint.ARRIVING, Phase.REFUSE, (presence, home, session) -> arriving(presence));
    context.onIq(HookPoint.ARRIVING, Phase.REFUSE, (iq, home, session) -> arriving(iq));
  }

  private Verdict sent(Stanza stanza) {
    Jid to = stanza.to();
    return to == null || isAllowed(to) ? Verdict.pass() : reject(stanza);
  }

  /// Answers pass: those to requests that were rejected here come in the name of their addressee.
  private Verdict arriving(Stanza stanza) {
    Jid from = stanza.from();
    boolean answer = stanza.isError() || (stanza instanceof Iq iq && !iq.isRequest());
    return from == null || answer || isAllowed(from) ? Verdict.pass() : reject(stanza);
  }

  /// What gets no answer is discarded.
  private static Verdict reject(Stanza stanza) {
    boolean answered =
        switch (stanza) {
          case Iq iq -> iq.isRequest();
          case Message message -> !message.isError();
          case Presence presence -> false;
        };
    return answered
        ? Verdict.refuse(ErrorCondition.NOT_ALLOWED, Reason.ACCESS_LIST)
        : new Verdict.Drop(Reason.ACCESS_LIST);
  }

  /// Whether stanzas are exchanged with that address.
  boolean isAllowed(Jid address) {
    HostSettings.Values values = settings.values();
    if (values.blacklist().isEmpty() && values.whitelist().isEmpty()) {
      return true;
    }
    if (matches(values.blacklist(), address)) {
      return false;
    }
    return values.whitelist().isEmpty()
        || address.domain().equals(host.domain())
        || address.domain().endsWith("." + host.domain())
        || matches(values.whitelist(), address);
  }

  /// In the order of XEP-0016, section 2.1: the address, its bare JID, its domain with the
  /// resource, its domain.
  private static boolean matches(Set<Jid> list, Jid address) {
    if (list.isEmpty()) {
      return false;
    }
    String resource = address.resource();
    return list.contains(address)
        || list.contains(address.bare())
        || (resource != null && list.contains(address.domainJid().withResource(resource)))
        || list.contains(address.domainJid());
  }
}
