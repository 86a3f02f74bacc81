package im.zonda.module.push;

import im.zonda.hook.DeliveryListener;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.metric.Meter;
import im.zonda.module.Addressee;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog.Keep;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Notifies the push services of clients that do not notice a message themselves.
///
/// Each client is judged on its own, whatever other clients of the account do. The one that has
/// enabled the service is known by its resource and by its identifier (XEP-0388). While it has no
/// session, it is notified of every message that it will find in the archive or that waits for it.
/// While its session is asleep ([Session#isAsleep]), it is notified of what the session gets, rooms
/// included. When its stream is lost, it is notified of what it has not acknowledged. [Notable]
/// says which messages count; messages that the account itself has sent do not.
///
/// Registrations are in the store; what is to be published is in memory only. If the home moves to
/// another node of a cluster, a notification that waits for the rate is lost: the client got
/// another one less than a minute before.
@Xep(
    number = 357,
    version = "0.4.1",
    title = "Push Notifications",
    note =
        "Subscription requests are neither announced nor counted. A service that answers with a"
            + " temporary error is tried again after a pause of a minute to an hour")
@Xep(
    number = 353,
    version = "0.8.0",
    title = "Jingle Message Initiation",
    note =
        "Clients call each other; the server archives the messages, copies them to the other"
            + " clients and announces proposals to push services")
@Xep(
    number = 380,
    version = "0.4.0",
    title = "Explicit Message Encryption",
    note =
        "Such messages are archived and announced to push services although nobody can read them")
@Xep(
    number = 482,
    version = "0.1.0",
    title = "Call Invites",
    note = "Clients invite each other; the server archives invitations and announces them")
public final class PushModule implements XmppModule {
  static final String NAMESPACE = "urn:xmpp:push:0";
  static final String STORE = "push";

  /// The meters of the module.
  public static final List<Meter> METERS = List.of(PushMeters.NOTIFICATIONS);

  private static final QName ENABLE = new QName(NAMESPACE, "enable");
  private static final QName DISABLE = new QName(NAMESPACE, "disable");

  @Override
  public String name() {
    return "push";
  }

  @Override
  public Ports ports() {
    return Ports.of(Journal.class).withKeyValues(STORE);
  }

  @Override
  public void install(ModuleContext context) {
    context.advertiseForAccounts(NAMESPACE);
    KeyValueStore store = context.keyValues(STORE);
    HomeKey<Registrations> key =
        new HomeKey<>("push", account -> Registrations.of(account, store.all(account)));
    context.addHomeState(key);
    PushMeters meters = new PushMeters();
    context.measure(meters.reading());
    Publishing publishing = new Publishing(context, key, meters);
    RegistrationRequests requests = new RegistrationRequests(context, key);
    context.onIq(Iq.Type.SET, ENABLE, Addressee.OWN_ACCOUNT, requests::enable);
    context.onIq(Iq.Type.SET, DISABLE, Addressee.OWN_ACCOUNT, requests::disable);
    ServiceAnswers answers = new ServiceAnswers(context, key, publishing, requests, meters);
    context.onIq(
        HookPoint.ARRIVING, Phase.REWRITE, (iq, home, session) -> answers.answered(iq, home));
    context.onMessage(
        HookPoint.ARRIVING,
        Phase.REWRITE,
        (message, home, session) -> answers.announced(message, home));
    Notifier notifier = new Notifier(context, key, publishing);
    context.onDelivery(notifier);
    context.onSession(notifier);
  }

  /// Observes messages and sessions.
  private record Notifier(ModuleContext context, HomeKey<Registrations> key, Publishing publishing)
      implements DeliveryListener, SessionListener {
    @Override
    public void delivered(Home home, Message message, List<? extends Session> targets) {
      if (!home.exists() || home.state(key).isEmpty() || !isNews(home, message)) {
        return;
      }
      Keep keep = context.keep(home, message);
      boolean kept = keep == Keep.ARCHIVE || (keep != null && targets.isEmpty());
      for (PushState state : home.state(key).all()) {
        Registration registration = state.registration();
        if (Publishing.isAwake(home, registration)) {
          state.reset();
        } else if (kept || targets.stream().anyMatch(registration::isOf)) {
          publishing.add(state, message);
          publishing.publish(home.jid(), state);
        }
      }
    }

    @Override
    public void sent(Home home, Message message, long id, Session session) {
      if (message.type() == Message.Type.GROUPCHAT && home.exists()) {
        home.state(key).noteSent(message);
      }
    }

    @Override
    public void bound(Home home, Session session) {
      forEach(home, registration -> registration.isOf(session), PushState::reset);
    }

    @Override
    public void asleep(Home home, Session session, List<Message> unacknowledged) {
      forEach(
          home,
          registration -> registration.isOf(session) && !Publishing.isAwake(home, registration),
          state -> {
            state.reset();
            for (Message message : unacknowledged) {
              if (isNews(home, message)) {
                publishing.add(state, message);
              }
            }
            publishing.publish(home.jid(), state);
          });
    }

    private void forEach(Home home, Predicate<Registration> of, Consumer<PushState> action) {
      if (!home.exists()) {
        return;
      }
      for (PushState state : home.state(key).all()) {
        if (of.test(state.registration())) {
          action.accept(state);
        }
      }
    }

    private boolean isNews(Home home, Message message) {
      Jid from = message.from();
      return from != null
          && !from.bare().equals(home.jid())
          && Notable.isNotable(message)
          && !home.state(key).isOwn(message);
    }
  }
}
