package im.zonda.module.invitations;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Administration;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Host;
import im.zonda.config.ServerConfig.Registration;
import im.zonda.config.Services;
import im.zonda.config.Services.Invitations;
import im.zonda.config.limits.HostLimits;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.forms.DataForm;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.registration.RegistrationModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHome;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A host with the modules of invitations and registration. The administrator is
/// `bard@example.org`; an account has at most two invitations.
public final class InvitationStage {
  /// The host.
  public final TestContext context = new TestContext();

  /// Its invitations.
  public final InvitationModule invitations;

  /// Its registration.
  public final RegistrationModule registration;

  /// Makes a host where nobody registers without an invitation.
  public InvitationStage(Invitations settings) {
    this(settings, new Registration(false, 2));
  }

  /// Makes a host.
  public InvitationStage(Invitations settings, Registration registration) {
    HostLimits d = context.config().limits().ofHost();
    HostLimits limits =
        new HostLimits(
            d.sessionsPerAccount(),
            d.detachedSessionsPerAccount(),
            10,
            d.rosterGroups(),
            d.rosterBytes(),
            d.offlineMessages(),
            d.vcardBytes(),
            d.privateBytes(),
            d.directedPresences(),
            d.blockedAddresses(),
            d.blockedBytes(),
            d.pushServices(),
            d.pushBytes(),
            d.pushRate(),
            2,
            d.pubsub(),
            d.addressing());
    Services services =
        Services.DEFAULTS
            .with(Administration.DEFAULTS.withAdmins(List.of("bard@example.org")))
            .with(settings);
    Host host = new Host(registration, null, null, services, null, null, null, limits);
    ServerConfig all = context.config().withHosts(Map.of("example.org", host));
    RosterModule roster = new RosterModule();
    PresenceModule presence = new PresenceModule(roster);
    DiscoModule disco = new DiscoModule();
    AdminModule admin = new AdminModule(disco);
    this.invitations = new InvitationModule(admin, presence);
    this.registration = new RegistrationModule(invitations);
    context
        .config(all.at("example.org"))
        .install(roster, presence, disco, admin, invitations, this.registration);
  }

  /// Runs a stage of a command.
  public IqReply run(TestSession session, String name, String attributes, String form) {
    return context.ask(
        session,
        TestXml.iq(
            "<iq type='set' id='c' to='example.org'><command"
                + " xmlns='http://jabber.org/protocol/commands' node='urn:xmpp:invite#"
                + name
                + "'"
                + attributes
                + ">"
                + form
                + "</command></iq>"));
  }

  /// Runs `create-account` with these fields.
  public IqReply inviteAccount(TestSession session, String fields) {
    Element first = command(run(session, "create-account", "", ""));
    String id = first.attribute("sessionid");
    return run(
        session,
        "create-account",
        " sessionid='" + id + "'",
        "<x xmlns='jabber:x:data' type='submit'>" + fields + "</x>");
  }

  /// The token of a new invitation of a contact.
  public String token(TestSession session) {
    return token(result(run(session, "invite", "", "")));
  }

  /// The token of a new invitation of an account.
  public String accountToken(TestSession session, String fields) {
    return token(result(inviteAccount(session, fields)));
  }

  /// The token in the URI of a result.
  public static String token(Map<String, String> result) {
    String uri = Objects.requireNonNull(result.get("uri"));
    String rest = uri.substring(uri.indexOf("preauth=") + "preauth=".length());
    int end = rest.indexOf(';');
    return end < 0 ? rest : rest.substring(0, end);
  }

  /// The fields of the form of a completed command.
  public static Map<String, String> result(IqReply reply) {
    Element command = command(reply);
    assertThat(command.attribute("status")).isEqualTo("completed");
    DataForm form = Objects.requireNonNull(DataForm.of(command.child(DataForm.X)));
    assertThat(form.type()).isEqualTo("result");
    Map<String, String> values = new LinkedHashMap<>();
    form.fields().forEach((name, field) -> values.put(name, String.valueOf(field.value())));
    return values;
  }

  static Element command(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    return Objects.requireNonNull(((IqReply.Result) reply).payload());
  }

  /// The condition of an error.
  public static ErrorCondition condition(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    return ((IqReply.Refuse) reply).error().condition();
  }

  /// Takes the requests of the host to accounts to their homes, until there are none.
  public void answerRequests() {
    TestComponents components = (TestComponents) context.port(ExternalComponents.class);
    while (!components.requests.isEmpty()) {
      TestComponents.Request request = components.requests.removeFirst();
      Iq asked = request.iq();
      TestHome home = context.home(Objects.requireNonNull(asked.to()));
      IqReply reply = context.host().answer(asked, Addressee.OTHER_ACCOUNT, home, null);
      context.runTasks();
      request
          .answered()
          .accept(
              reply instanceof IqReply.Refuse(StanzaError error)
                  ? Iq.error(request.iq(), error)
                  : Iq.result(request.iq(), null));
    }
  }
}
