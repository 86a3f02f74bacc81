package im.zonda.module.moved;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Scheduler;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.session.Home;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Approves the subscription request of a contact who has moved to another address, after the old
/// account has confirmed it, and revokes the subscription of the old address. A request that is not
/// confirmed is one like any other.
///
/// While the old account is asked, the request is stored in the roster, and no client gets it. What
/// was asked is in memory only: after a server was killed, clients get the request as one like any
/// other.
@Xep(
    number = 283,
    version = "0.2.0",
    title = "Moved",
    note =
        "The contact's server. The user's client publishes the statement and notifies the contacts;"
            + " an old account that was removed does not name the new one")
public final class MovedModule implements XmppModule {
  /// How long the old account has to answer.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// Requests that wait at a time; others are not verified.
  private static final int MOST = 1_000;

  /// Of one account.
  private static final int MOST_OF_ACCOUNT = 5;

  private static final String ID = "moved-";

  /// A request whose sender is being verified.
  ///
  /// @param known whether it was pending already, so that clients have received it or get it when
  ///   they become available
  private record Waiting(
      Jid account,
      Jid contact,
      Jid old,
      Presence request,
      boolean known,
      Scheduler.Cancellable timeout) {
    boolean isOf(Home home, Jid contact) {
      return account.equals(home.jid()) && this.contact.equals(contact);
    }

    void stop() {
      timeout.cancel();
    }
  }

  private final RosterModule roster;
  private final PresenceModule presence;

  /// By the identifier of the request to the old account.
  private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

  /// @param roster the module whose rosters say who is a contact
  /// @param presence the module that handles requests
  public MovedModule(RosterModule roster, PresenceModule presence) {
    this.roster = roster;
    this.presence = presence;
  }

  @Override
  public String name() {
    return "moved";
  }

  @Override
  public void install(ModuleContext context) {
    context.onPresence(
        HookPoint.ARRIVING,
        Phase.REWRITE,
        (request, home, session) -> arriving(request, home, context));
    context.onIq(
        HookPoint.ARRIVING, Phase.REWRITE, (iq, home, session) -> answered(iq, home, context));
    presence.holdRequests(this::isWaiting);
  }

  private Verdict arriving(Presence request, Home home, ModuleContext context) {
    Jid from = request.from();
    if (request.type() != Presence.Type.SUBSCRIBE
        || from == null
        || !request.has(MovedStatement.MOVED)
        || !home.exists()) {
      return Verdict.pass();
    }
    Jid old = MovedStatement.oldAddress(request.payload(MovedStatement.MOVED));
    Jid contact = from.bare();
    if (isWaiting(home, contact)) {
      return Verdict.handled();
    }
    if (old == null || !seesPresence(home, old) || seesPresence(home, contact)) {
      return Verdict.pass();
    }
    boolean known = presence.isRequestPending(home, contact);
    if (isFull(home) || !presence.keepRequest(home, request)) {
      return Verdict.pass();
    }
    Jid account = home.jid();
    String id = ID + context.ids().next();
    Scheduler.Cancellable timeout =
        context.scheduler().schedule(PATIENCE, () -> decide(id, null, context));
    waiting.put(id, new Waiting(account, contact, old, request, known, timeout));
    context.send(Iq.of(Iq.Type.GET, account, old, id, MovedStatement.request()));
    return Verdict.handled();
  }

  private boolean seesPresence(Home home, Jid contact) {
    RosterItem item = roster.rosters().of(home).find(contact);
    return item != null && item.listed() && item.subscription().from();
  }

  private boolean isWaiting(Home home, Jid contact) {
    return !waiting.isEmpty() && waiting.values().stream().anyMatch(e -> e.isOf(home, contact));
  }

  private boolean isFull(Home home) {
    return waiting.size() >= MOST
        || waiting.values().stream().filter(each -> each.account.equals(home.jid())).count()
            >= MOST_OF_ACCOUNT;
  }

  private Verdict answered(Iq iq, Home home, ModuleContext context) {
    Waiting asked = iq.isRequest() || !iq.id().startsWith(ID) ? null : waiting.get(iq.id());
    if (asked == null || !asked.account.equals(home.jid()) || !asked.old.equals(iq.from())) {
      return Verdict.pass();
    }
    decide(iq.id(), MovedStatement.newAddress(iq), context);
    return Verdict.handled();
  }

  /// @param confirmed the address that the old account has named, or null
  private void decide(String id, @Nullable Jid confirmed, ModuleContext context) {
    Waiting asked = waiting.get(id);
    if (asked == null) {
      return;
    }
    asked.stop();
    boolean moved = asked.contact.equals(confirmed == null ? null : confirmed.bare());
    boolean here = context.atHome(asked.account, home -> handle(id, moved, home));
    if (!here && waiting.remove(id) != null) {
      context.send(asked.request); // the home has moved, and asks again
    }
  }

  /// Handles the request unless the contact has withdrawn it or the user has answered it.
  private void handle(String id, boolean moved, Home home) {
    Waiting asked = waiting.remove(id);
    if (asked == null || !presence.isRequestPending(home, asked.contact)) {
      return;
    }
    boolean accepted = moved && presence.acceptMoved(home, asked.contact, asked.old);
    if (!accepted && !asked.known) {
      presence.releaseRequest(home, asked.request);
    }
  }

  @Override
  public void stop() {
    waiting.values().forEach(Waiting::stop);
    waiting.clear();
  }
}
