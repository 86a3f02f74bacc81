package im.zonda.module.last;

import im.zonda.group.SharedGroups;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.store.KeyValueStore;
import im.zonda.store.RosterStore;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Answers with the server's uptime and, to contacts that may see an account's presence, with the
/// time since its last session ended: 0 while it has one.
///
/// Everyone else is answered `forbidden`, whether or not the account exists, also for requests to
/// one of its clients. An account that never had a session answers `item-not-found`.
@Xep(
    number = 12,
    version = "2.0",
    title = "Last Activity",
    note = "Answers do not contain the last status message")
public final class LastModule implements XmppModule {
  private static final String NAMESPACE = "jabber:iq:last";
  private static final QName QUERY = new QName(NAMESPACE, "query");
  private static final String LOGOUT = "logout";

  private final SharedGroups groups;

  /// A host without shared groups.
  public LastModule() {
    this(SharedGroups.NONE);
  }

  /// @param groups the shared groups of the host
  public LastModule(SharedGroups groups) {
    this.groups = groups;
  }

  @Override
  public String name() {
    return "last";
  }

  @Override
  public Ports ports() {
    return Ports.of(RosterStore.class).withKeyValues("last");
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    context.advertiseForAccounts(NAMESPACE);
    InstantSource clock = context.clock();
    KeyValueStore store = context.keyValues("last");
    Instant start = clock.instant();
    context.onIq(
        Iq.Type.GET,
        QUERY,
        Addressee.SERVER,
        request -> IqReply.result(since(start, clock.instant())));
    context.onIq(
        Iq.Type.GET, QUERY, Addressee.OWN_ACCOUNT, request -> lastOf(request, store, clock));
    context.onIq(
        Iq.Type.GET,
        QUERY,
        Addressee.OTHER_ACCOUNT,
        request ->
            sees(request.home(), request.iq().from(), context)
                ? lastOf(request, store, clock)
                : IqReply.refuse(ErrorCondition.FORBIDDEN));
    context.onIq(
        HookPoint.ARRIVING, Phase.RECORD, (iq, home, session) -> arriving(iq, home, context));
    context.onSession(
        new SessionListener() {
          @Override
          public void ended(Home home, Session session) {
            if (home.sessions().isEmpty()) {
              Instant now = clock.instant();
              // Writing blocks, which a listener must not.
              context.atHome(home.jid(), later -> storeLogout(later, store, now));
            }
          }
        });
  }

  /// Requests to a client are only delivered from those who see the account's presence (section 4).
  /// That may have to be read from the store, which a filter must not do.
  private Verdict arriving(Iq iq, Home home, ModuleContext context) {
    Jid from = iq.from();
    Jid to = iq.to();
    if (from == null || to == null || !to.isFull() || !QUERY.equals(iq.payloadName())) {
      return Verdict.pass();
    }
    if (iq.type() != Iq.Type.GET || from.bare().equals(home.jid())) {
      return Verdict.pass();
    }
    context.atHome(
        home.jid(),
        later -> {
          try {
            deliver(iq, later, context);
          } catch (StoreException e) {
            // The requester is answered; the mailbox logs the failure.
            context.send(Iq.error(iq, StanzaError.of(ErrorCondition.INTERNAL_SERVER_ERROR)));
            throw e;
          }
        });
    return Verdict.handled();
  }

  private void deliver(Iq iq, Home home, ModuleContext context) {
    Jid from = Objects.requireNonNull(iq.from());
    String resource = Objects.requireNonNull(Objects.requireNonNull(iq.to()).resource());
    Session session = home.session(resource);
    if (!sees(home, from, context)) {
      context.send(Iq.error(iq, StanzaError.of(ErrorCondition.FORBIDDEN)));
    } else if (session == null) {
      context.send(Iq.error(iq, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE)));
    } else {
      session.send(iq);
    }
  }

  /// Stores the time of the logout, unless the account has a session again or was removed.
  private static void storeLogout(Home home, KeyValueStore store, Instant logout) {
    if (home.exists() && home.sessions().isEmpty()) {
      byte[] seconds = Long.toString(logout.getEpochSecond()).getBytes(StandardCharsets.US_ASCII);
      store.put(home.jid(), LOGOUT, seconds);
    }
  }

  private boolean sees(Home home, @Nullable Jid from, ModuleContext context) {
    return from != null
        && home.exists()
        && (groups.current().of(home.jid()).isSeenBy(from.bare())
            || context.port(RosterStore.class).subscription(home.jid(), from.bare()).from());
  }

  private static IqReply lastOf(IqRequest request, KeyValueStore store, InstantSource clock) {
    Home home = request.home();
    Instant now = clock.instant();
    if (!home.sessions().isEmpty()) {
      return IqReply.result(since(now, now));
    }
    byte[] logout = store.get(home.jid(), LOGOUT);
    Instant then = logout == null ? null : read(logout);
    return then == null
        ? IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND)
        : IqReply.result(since(then, now));
  }

  /// The time of a logout; null if it cannot be read.
  private static @Nullable Instant read(byte[] logout) {
    try {
      return Instant.ofEpochSecond(Long.parseLong(new String(logout, StandardCharsets.US_ASCII)));
    } catch (NumberFormatException | DateTimeException e) {
      return null;
    }
  }

  private static Element since(Instant then, Instant now) {
    // The clock may have been set back.
    long seconds = Math.max(0, Duration.between(then, now).toSeconds());
    return Element.builder(QUERY).attribute("seconds", Long.toString(seconds)).build();
  }
}
