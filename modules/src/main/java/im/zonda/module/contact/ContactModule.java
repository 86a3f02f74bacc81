package im.zonda.module.contact;

import im.zonda.config.ServerConfig;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.xml.Element;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes the configured contact addresses in the server's service discovery information. One
/// list is used for abuse, administration, security and support.
@Xep(number = 157, version = "1.1.1", title = "Contact Addresses for XMPP Services")
public final class ContactModule implements XmppModule {
  private static final Logger log = LoggerFactory.getLogger(ContactModule.class);
  private static final String FORMS = "jabber:x:data";

  /// The fields and their labels.
  private static final List<Map.Entry<String, String>> ROLES =
      List.of(
          Map.entry("abuse-addresses", "Report abusive traffic to"),
          Map.entry("admin-addresses", "Service administrators"),
          Map.entry("security-addresses", "Report security concerns to"),
          Map.entry("support-addresses", "Customer support"));

  @Override
  public String name() {
    return "contact";
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.contact().equals(after.contact());
  }

  @Override
  public void install(ModuleContext context) {
    List<String> addresses =
        context.config().contact().stream().filter(ContactModule::isUri).distinct().toList();
    if (addresses.isEmpty()) {
      return;
    }
    Element.Builder form = Element.builder(FORMS, "x").attribute("type", "result");
    form.child(
        Element.builder(FORMS, "field")
            .attribute("var", "FORM_TYPE")
            .attribute("type", "hidden")
            .child("value", "http://jabber.org/network/serverinfo")
            .build());
    for (Map.Entry<String, String> role : ROLES) {
      Element.Builder field =
          Element.builder(FORMS, "field")
              .attribute("var", role.getKey())
              .attribute("type", "list-multi")
              .attribute("label", role.getValue());
      addresses.forEach(address -> field.child("value", address));
      form.child(field.build());
    }
    context.addForm(form.build());
  }

  private static boolean isUri(String address) {
    try {
      if (new URI(address).isAbsolute()) {
        return true;
      }
    } catch (URISyntaxException e) {
      log.atDebug().setCause(e).log("contact_address_unreadable");
    }
    log.atWarn()
        .addKeyValue("address", address)
        .addKeyValue("expected", "an address such as mailto:admin@example.org")
        .log("contact_address_left_out");
    return false;
  }
}
