package im.zonda.module.registration;

import im.zonda.account.AccountRegistration;
import im.zonda.config.ServerConfig;
import im.zonda.module.Addressee;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.store.RosterStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;

/// Lets users change their password and remove their account, and, where the configuration allows
/// it, anyone create an account.
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

  @Override
  public String name() {
    return "registration";
  }

  @Override
  public Ports ports() {
    return Ports.of(AccountRegistration.class, RosterStore.class);
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.registration().equals(after.registration());
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    AccountRequests own = new AccountRequests(context);
    for (Addressee addressee : List.of(Addressee.SERVER, Addressee.OWN_ACCOUNT)) {
      context.onIq(Iq.Type.GET, QUERY, addressee, own::describe);
      context.onIq(Iq.Type.SET, QUERY, addressee, own::change);
    }
    if (context.config().registration().enabled()) {
      AccountCreation creation = new AccountCreation(context);
      context.addStreamFeatureBeforeAuthentication(() -> FEATURE);
      context.onUnauthenticatedIq(Iq.Type.GET, QUERY, creation::describe);
      context.onUnauthenticatedIq(Iq.Type.SET, QUERY, creation::create);
    }
  }
}
