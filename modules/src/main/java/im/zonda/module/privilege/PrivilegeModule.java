package im.zonda.module.privilege;

import im.zonda.config.ServerConfig;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.Envelope;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.session.SessionKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// Gives external components the rights that the configuration grants them.
///
/// A component learns its rights over each of its connections, and again when they change. Only the
/// component's domain itself has them, not the addresses at the domain.
@Xep(
    number = 356,
    version = "0.4.1",
    title = "Privileged Entity",
    note =
        "For external components. Messages in the name of accounts are neither archived for these"
            + " nor copied to their clients. An encapsulated IQ in another content namespace of"
            + " streams is read as one in `jabber:client`")
public final class PrivilegeModule implements XmppModule {
  /// What is remembered of the presence of contacts of one host at most.
  private static final long CONTACT_BYTES = 4_194_304;

  private final RosterModule roster;
  private final SessionKey<Boolean> shown =
      new SessionKey<>("privilege", Boolean.class, String::valueOf, Boolean::valueOf);
  private final ContactPresences contacts = new ContactPresences(CONTACT_BYTES);
  private final AdvertisedPermissions announcements = new AdvertisedPermissions();

  /// @param roster the module of the rosters that components may use
  public PrivilegeModule(RosterModule roster) {
    this.roster = roster;
  }

  @Override
  public String name() {
    return "privilege";
  }

  @Override
  public Ports ports() {
    return Ports.of(ExternalComponents.class);
  }

  @Override
  public void install(ModuleContext context) {
    ExternalComponents components = context.port(ExternalComponents.class);
    Privileges privileges =
        new Privileges(
            context.config().component().privilegesAt(context.domain().domain()), components);
    PrivilegedPresence presence =
        new PrivilegedPresence(context, privileges, roster.rosters(), shown, contacts);
    if (!privileges.named().isEmpty()) {
      declare(context, new Rights(context, components, privileges, announcements, presence));
      declare(context, privileges, presence);
    }
    // When the module has been installed while the server runs, components are connected already.
    context
        .scheduler()
        .schedule(
            Duration.ZERO,
            () -> {
              for (Jid component : announcements.change(privileges, components::isConnected)) {
                components.sendToEachConnection(
                    AdvertisedPermissions.message(
                        context, component, privileges.of(component), true));
                presence.sendAll(component, components);
              }
            });
  }

  private void declare(ModuleContext context, Rights rights) {
    context.extend(rights);
    for (Iq.Type type : List.of(Iq.Type.GET, Iq.Type.SET)) {
      context.onIq(
          type, PrivilegeXml.PRIVILEGED_IQ, Addressee.OTHER_ACCOUNT, rights.requests::send);
      for (Addressee other : List.of(Addressee.OWN_ACCOUNT, Addressee.SERVER)) {
        context.onIq(
            type,
            PrivilegeXml.PRIVILEGED_IQ,
            other,
            request -> IqReply.refuse(ErrorCondition.FORBIDDEN));
      }
    }
    context.onIq(HookPoint.ARRIVING, Phase.REFUSE, (iq, home, session) -> refuseToFullAddress(iq));
    roster.rosters().onPush(name(), (home, query) -> rights.requests.push(home.jid(), query));
  }

  /// A request for an account must be sent to its bare address (XEP-0356, section 6.3).
  private static Verdict refuseToFullAddress(Iq iq) {
    Jid to = iq.to();
    return to != null
            && to.resource() != null
            && iq.isRequest()
            && PrivilegeXml.PRIVILEGED_IQ.equals(iq.payloadName())
        ? Verdict.refuse(ErrorCondition.FORBIDDEN)
        : Verdict.pass();
  }

  private static void declare(
      ModuleContext context, Privileges privileges, PrivilegedPresence presence) {
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.REWRITE,
        (stanza, home, session) -> {
          presence.sent(stanza, session);
          return Verdict.pass();
        });
    if (privileges.coverContacts()) {
      context.onPresence(
          HookPoint.ARRIVING,
          Phase.REWRITE,
          (stanza, home, session) -> {
            presence.arrived(stanza, home);
            return Verdict.pass();
          });
    }
    context.onSession(presence);
  }

  /// What is done for components.
  private static final class Rights implements ExternalComponents.Extension {
    private final ModuleContext context;
    private final ExternalComponents components;
    private final Privileges privileges;
    private final AdvertisedPermissions announcements;
    private final PrivilegedPresence presence;
    private final PrivilegedMessages messages;
    private final PrivilegedRequests requests;

    Rights(
        ModuleContext context,
        ExternalComponents components,
        Privileges privileges,
        AdvertisedPermissions announcements,
        PrivilegedPresence presence) {
      this.context = context;
      this.components = components;
      this.privileges = privileges;
      this.announcements = announcements;
      this.presence = presence;
      this.messages = new PrivilegedMessages(context, privileges);
      this.requests = new PrivilegedRequests(context, components, privileges);
    }

    @Override
    public void connected(Jid component, Consumer<Stanza> connection) {
      if (privileges.named().contains(component)) {
        announcements.add(component, privileges.of(component));
        connection.accept(
            AdvertisedPermissions.message(context, component, privileges.of(component), false));
        presence.sendAll(component, components);
      }
    }

    @Override
    public void disconnected(Jid component) {
      announcements.remove(component);
    }

    @Override
    public ExternalComponents.Decision decide(IqRequest request, Addressee addressee) {
      return requests.decide(request, addressee);
    }

    @Override
    public boolean accept(Envelope message) {
      return messages.accept(message);
    }
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.component().privilege().equals(after.component().privilege());
  }

  @Override
  public void stop() {
    roster.rosters().onPush(name(), null);
    contacts.clear();
  }
}
