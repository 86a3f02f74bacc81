package im.zonda.module.guests;

import im.zonda.config.Guests;
import im.zonda.config.ServerConfig;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets people in who have no account, and holds them to what they may do: talk in the rooms of the
/// host and with its accounts. Nothing is stored for a guest, and nothing is left of it when its
/// session ends.
@Xep(
    number = 175,
    version = "1.2",
    title = "Best Practices for Use of SASL ANONYMOUS",
    note = "Off until `services.guests` turns it on. Guests have no roster, storage and uploads.")
public final class GuestsModule implements XmppModule {
  /// Says why a guest's stanza was rejected.
  static final String FORBIDDEN = "guests may not do this; it needs an account";

  private @Nullable ModuleContext installed;
  private volatile @Nullable GuestPolicy policy;

  @Override
  public String name() {
    return "guests";
  }

  @Override
  public Ports ports() {
    return Ports.of(ExternalComponents.class);
  }

  @Override
  public void install(ModuleContext context) {
    installed = context;
    policy = policy(context, context.config());
    context.acceptGuests(() -> context.config().services().guests());
    context.extend(new GuestRequests());
    context.onMessage(HookPoint.SENT_BY_CLIENT, Phase.REFUSE, this::sent);
    context.onPresence(HookPoint.SENT_BY_CLIENT, Phase.REFUSE, this::sent);
    context.onIq(HookPoint.SENT_BY_CLIENT, Phase.REFUSE, this::sent);
    context.onMessage(HookPoint.ARRIVING, Phase.REFUSE, this::arriving);
    context.onPresence(HookPoint.ARRIVING, Phase.REFUSE, this::arriving);
    context.onIq(HookPoint.ARRIVING, Phase.REFUSE, this::arriving);
  }

  private static GuestPolicy policy(ModuleContext context, ServerConfig config) {
    Jid host = context.domain();
    Guests rules = config.services().guests();
    return new GuestPolicy(host, config.rooms().prefix() + "." + host.domain(), rules);
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    ModuleContext context = installed;
    if (context != null) {
      policy = policy(context, after);
      if (before.services().guests().enabled() && !after.services().guests().enabled()) {
        endSessions(context);
      }
    }
    return true;
  }

  @Override
  public void stop() {
    ModuleContext context = installed;
    if (context != null) {
      endSessions(context);
    }
  }

  /// Ends the sessions of all guests of this node.
  private static void endSessions(ModuleContext context) {
    context
        .port(ExternalComponents.class)
        .atLoadedHomes(
            context.domain(),
            home -> {
              if (GuestPolicy.isGuest(home)) {
                for (Session session : List.copyOf(home.sessions())) {
                  session.close(
                      StreamErrorCondition.NOT_AUTHORIZED, "guests are no longer allowed");
                }
              }
            });
  }

  private Verdict sent(Stanza stanza, Home home, @Nullable Session session) {
    GuestPolicy present = policy;
    return present == null || !GuestPolicy.isGuest(home) || present.maySend(home.jid(), stanza)
        ? Verdict.pass()
        : new Verdict.Refuse(
            StanzaError.of(ErrorCondition.FORBIDDEN).withText(FORBIDDEN), Reason.GUEST_NOT_ALLOWED);
  }

  private Verdict arriving(Stanza stanza, Home home, @Nullable Session session) {
    GuestPolicy present = policy;
    return present == null || !GuestPolicy.isGuest(home) || present.mayArrive(home.jid(), stanza)
        ? Verdict.pass()
        : Verdict.refuse(ErrorCondition.SERVICE_UNAVAILABLE, Reason.GUEST_NOT_ALLOWED);
  }
}
