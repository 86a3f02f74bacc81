package im.zonda.module.registration;

import im.zonda.module.Addressee;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.security.SecureRandom;
import java.util.List;
import java.util.random.RandomGenerator;

/// Lets owners change their password and remove their account; lets strangers make one, if the
/// configuration says so.
@Xep(
    number = 77,
    version = "2.4",
    title = "In-Band Registration",
    note = "No data forms, no redirection and no numeric error codes")
public final class RegistrationModule implements XmppModule {
  static final String NAMESPACE = "jabber:iq:register";
  static final QName QUERY = new QName(NAMESPACE, "query");

  private static final Element FEATURE =
      Element.of("http://jabber.org/features/iq-register", "register");

  private final RandomGenerator random;

  /// Takes salts from the system's strong random source.
  public RegistrationModule() {
    this(new SecureRandom());
  }

  /// Takes salts from `random`, which must be strong and safe for use by several threads.
  public RegistrationModule(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public String name() {
    return "registration";
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    OwnAccount own = new OwnAccount(context, random);
    for (Addressee addressee : List.of(Addressee.SERVER, Addressee.OWN_ACCOUNT)) {
      context.onIq(Iq.Type.GET, QUERY, addressee, own::describe);
      context.onIq(Iq.Type.SET, QUERY, addressee, own::change);
    }
    if (context.config().registration().enabled()) {
      NewAccounts accounts = new NewAccounts(context, random);
      context.streamFeatureBeforeAuthentication(() -> FEATURE);
      context.onUnauthenticatedIq(Iq.Type.GET, QUERY, accounts::form);
      context.onUnauthenticatedIq(Iq.Type.SET, QUERY, accounts::create);
    }
  }
}
