package im.zonda.module.registration;

import im.zonda.account.AccountRegistration;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Registration;
import im.zonda.directory.SignUp;
import im.zonda.module.Addressee;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets users change their password and remove their account, and, where the configuration allows
/// it, anyone create an account, or those who have been invited.
@Xep(
    number = 77,
    version = "2.4",
    title = "In-Band Registration",
    note =
        "The data form is for new accounts; no forms to change a password or to remove an account,"
            + " no redirection and no numeric error codes")
@Xep(
    number = 158,
    version = "1.0.1",
    title = "CAPTCHA Forms",
    note = "A text question for those who create an account; no media, and no challenges elsewhere")
@Xep(number = 445, version = "0.2.0", title = "Pre-Authenticated In-Band Registration")
public final class RegistrationModule implements XmppModule, SignUp {
  static final String NAMESPACE = "jabber:iq:register";
  static final QName QUERY = new QName(NAMESPACE, "query");

  private static final Element FEATURE =
      Element.of("http://jabber.org/features/iq-register", "register");
  private static final Element TOKEN_FEATURE = Element.of("urn:xmpp:ibr-token:0", "register");

  private final InvitationModule invitations;
  private volatile @Nullable PageSignUp pages;

  /// @param invitations the module that says who may register
  public RegistrationModule(InvitationModule invitations) {
    this.invitations = invitations;
  }

  @Override
  public String name() {
    return "registration";
  }

  @Override
  public Ports ports() {
    return Ports.of(AccountRegistration.class);
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.registration().equals(after.registration())
        && InvitationModule.permitsRegistration(before)
            == InvitationModule.permitsRegistration(after);
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    AccountRequests own = new AccountRequests(context);
    for (Addressee addressee : List.of(Addressee.SERVER, Addressee.OWN_ACCOUNT)) {
      context.onIq(Iq.Type.GET, QUERY, addressee, own::describe);
      context.onIq(Iq.Type.SET, QUERY, addressee, own::change);
    }
    PreAuthentication tokens = new PreAuthentication(context, invitations);
    boolean byInvitation = InvitationModule.permitsRegistration(context.config());
    if (byInvitation) {
      context.addStreamFeatureBeforeAuthentication(() -> TOKEN_FEATURE);
      context.onUnauthenticatedIq(Iq.Type.SET, InvitationModule.PREAUTH, tokens::authenticate);
    }
    AccountCreation creation = new AccountCreation(context, invitations);
    pages = new PageSignUp(creation, tokens, context.config().registration().minPasswordLength());
    if (byInvitation || context.config().registration().enabled()) {
      context.addStreamFeatureBeforeAuthentication(() -> FEATURE);
      RegistrationRequests requests = new RegistrationRequests(context, creation);
      context.onUnauthenticatedIq(Iq.Type.GET, QUERY, requests::describe);
      context.onUnauthenticatedIq(Iq.Type.SET, QUERY, requests::create);
    }
  }

  @Override
  public void stop() {
    pages = null;
  }

  @Override
  public boolean isOpen() {
    PageSignUp present = pages;
    return present != null && present.isOpen();
  }

  @Override
  public @Nullable OpenInvitation find(String token, InetAddress address) {
    PageSignUp present = pages;
    return present == null ? null : present.find(token, address);
  }

  @Override
  public int minPasswordLength() {
    PageSignUp present = pages;
    return present == null ? Registration.MIN_PASSWORD_LENGTH : present.minPasswordLength();
  }

  @Override
  public NameCheck checkName(@Nullable String token, String username, InetAddress address) {
    PageSignUp present = pages;
    return present == null ? new NameCheck.Unknown() : present.checkName(token, username, address);
  }

  @Override
  public @Nullable String question() {
    PageSignUp present = pages;
    return present == null ? null : present.question();
  }

  @Override
  public Result signUp(Form form, InetAddress address) {
    PageSignUp present = pages;
    return present == null ? new Result.Refused(Reason.CLOSED) : present.signUp(form, address);
  }
}
