package im.zonda.module.admin.home;

import im.zonda.account.AccountRegistration;
import im.zonda.account.DisabledAccounts;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.KeyValueStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The automatic part of administration at the homes of accounts: stores the times of logins, ends
/// sessions of disabled accounts, and sends users the message of the day and the welcome message
/// when they become available.
public final class AccountWatch implements SessionListener {
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");
  private static final QName SUBJECT = new QName(Namespaces.CLIENT, "subject");

  private final ModuleContext context;
  private final HostSettings settings;
  private final KeyValueStore store;
  private final HomeKey<AccountState> key;
  private final SessionKey<Instant> bound;
  private final SessionKey<long[]> active = new SessionKey<>("active-at", long[].class);

  /// @param bound when a session was bound
  public AccountWatch(ModuleContext context, HostSettings settings, SessionKey<Instant> bound) {
    this.context = context;
    this.settings = settings;
    this.bound = bound;
    store = context.keyValues(HostSettings.STORE);
    DisabledAccounts disabled = context.port(DisabledAccounts.class);
    key =
        new HomeKey<>(
            "administration",
            each -> AccountState.load(each, store, disabled, context.clock().millis()));
  }

  public void install() {
    context.addHomeState(key);
    context.onSession(this);
    // Before presence makes the session available.
    context.onPresence(HookPoint.SENT_BY_CLIENT, Phase.REWRITE, this::presence);
    context.onMessage(HookPoint.ARRIVING, Phase.RECORD, this::arriving);
    context.onMessage(
        HookPoint.SENT_BY_CLIENT, Phase.RECORD, (_, home, session) -> counted(home, session));
    context.onIq(
        HookPoint.SENT_BY_CLIENT, Phase.RECORD, (_, home, session) -> counted(home, session));
  }

  /// What is kept with the home of an account that exists.
  AccountState state(Home home) {
    return home.state(key);
  }

  private Verdict counted(Home home, @Nullable Session session) {
    long now = context.clock().millis();
    if (home.exists()) {
      state(home).stanzas.count(now);
    }
    long[] last = session == null ? null : session.get(active);
    if (last != null) {
      last[0] = now;
    }
    return Verdict.pass();
  }

  /// When the client of a session has last sent a message, a presence or a request to others; null
  /// if that is unknown, as after a restart.
  @Nullable Instant activeAt(Session session) {
    long[] last = session.get(active);
    return last == null ? null : Instant.ofEpochMilli(last[0]);
  }

  /// When a session was bound; null if that is unknown.
  @Nullable Instant boundAt(Session session) {
    return session.get(bound);
  }

  @Override
  public void bound(Home home, Session session) {
    session.set(bound, context.clock().instant());
    session.set(active, new long[] {context.clock().millis()});
    if (!home.exists()) {
      return;
    }
    AccountState state = state(home);
    state.logins.count(context.clock().millis());
    if (state.disabling != null && state.disabling.holds(context.clock().instant())) {
      // It has authenticated before the account was disabled. Its bind is answered first.
      context.atHome(home.jid(), AccountWatch::endDisabled);
    }
  }

  /// Ends all sessions of an account that is disabled.
  static void endDisabled(Home home) {
    for (Session session : List.copyOf(home.sessions())) {
      session.close(StreamErrorCondition.NOT_AUTHORIZED, "The account is disabled.");
    }
  }

  @Override
  public void ended(Home home, Session session) {
    Instant time = session.get(bound);
    if (time != null && home.exists()) {
      state(home).login(time);
      if (home.sessions().isEmpty()) {
        put(home.jid(), AccountState.LOGIN, time);
      }
    }
  }

  /// Writing blocks, which listeners and filters must not.
  private void put(Jid account, String name, Instant time) {
    context.atHome(
        account,
        home -> {
          if (home.exists()) {
            store.put(account, name, AccountState.stored(time));
          }
        });
  }

  // ---- messages of the host

  /// A message of the host that is not kept for those who are offline.
  static Message headline(ModuleContext context, Jid to, String subject, String text) {
    return message(context, Message.Type.HEADLINE, to, subject, text);
  }

  static Message message(
      ModuleContext context, Message.Type type, Jid to, String subject, String text) {
    return Message.of(
        type,
        context.domain(),
        to,
        context.ids().next(),
        List.of(Element.text(SUBJECT, subject), Element.text(BODY, text)));
  }

  private Verdict presence(Presence presence, Home home, @Nullable Session session) {
    boolean broadcast =
        presence.to() == null && presence.type() == Presence.Type.AVAILABLE && home.exists();
    if (broadcast && session != null && !session.available()) {
      greet(home, session);
    }
    return counted(home, session);
  }

  private void greet(Home home, Session session) {
    AccountState state = state(home);
    Notice motd = settings.values().motd();
    if (motd != null && !state.hasSeen(motd)) {
      session.send(headline(context, session.jid(), Announcements.MOTD_SUBJECT, motd.text()));
      seen(home, state, motd);
    }
    Notice welcome = settings.values().welcome();
    if (welcome != null && !state.welcomed) {
      state.welcomed = true;
      context.atHome(home.jid(), later -> welcome(later, welcome));
    }
  }

  private void seen(Home home, AccountState state, Notice motd) {
    state.seen(motd);
    put(home.jid(), AccountState.MOTD, motd.since());
  }

  /// Welcomes an account that was created since there is a welcome message.
  private void welcome(Home home, Notice welcome) {
    Instant created = context.port(AccountRegistration.class).created(home.jid());
    if (created == null) {
      return;
    }
    store.put(home.jid(), AccountState.WELCOMED, AccountState.stored(welcome.since()));
    if (!created.isBefore(welcome.since())) {
      context.send(
          message(
              context,
              Message.Type.NORMAL,
              home.jid(),
              Announcements.WELCOME_SUBJECT,
              welcome.text()));
    }
  }

  /// A message of the day that was set while the user was online counts as seen, if a client got
  /// it.
  private Verdict arriving(Message message, Home home, @Nullable Session session) {
    Jid from = message.from();
    if (from == null || from.local() != null || message.type() != Message.Type.HEADLINE) {
      return Verdict.pass();
    }
    Notice motd = settings.values().motd();
    Element body = motd == null || !from.equals(context.domain()) ? null : message.payload(BODY);
    if (motd != null
        && body != null
        && body.text().equals(motd.text())
        && home.exists()
        && home.sessions().stream().anyMatch(AccountWatch::receivesHeadlines)) {
      AccountState state = state(home);
      if (!state.hasSeen(motd)) {
        seen(home, state, motd);
      }
    }
    return Verdict.pass();
  }

  private static boolean receivesHeadlines(Session session) {
    return session.available() && session.priority() >= 0;
  }
}
