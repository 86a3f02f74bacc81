package im.zonda.module.contact;

import im.zonda.config.ContactAddresses;
import im.zonda.config.ServerConfig;
import im.zonda.federation.ServerLinks;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Scheduler;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.forms.DataForm;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes the configured contact addresses, and where clients learn of outages, in the server's
/// service discovery information. Purposes that every service has use one list unless they have
/// their own.
@Xep(number = 157, version = "1.1.1", title = "Contact Addresses for XMPP Services")
@Xep(number = 455, version = "0.4.0", title = "Service Outage Status")
public final class ContactModule implements XmppModule {
  private static final Logger log = LoggerFactory.getLogger(ContactModule.class);
  private static final String SERVER_INFO = "http://jabber.org/network/serverinfo";
  private static final String OUTAGES = "urn:xmpp:sos:0";

  private volatile Scheduler.@Nullable Cancellable publication;

  @Override
  public String name() {
    return "contact";
  }

  @Override
  public Ports ports() {
    return Ports.of(ServerLinks.class, ExternalComponents.class);
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.contact().equals(after.contact())
        && before.services().contacts().equals(after.services().contacts())
        && before.services().pubsub().equals(after.services().pubsub())
        && before.modulesOff().equals(after.modulesOff());
  }

  @Override
  public void install(ModuleContext context) {
    List<String> common = uris(context.config().contact());
    ContactAddresses own = context.config().services().contacts();
    ServerInfo published = hasServerInfo(context.config()) ? new ServerInfo(context) : null;
    DataForm form =
        new Addresses(SERVER_INFO)
            .add("abuse-addresses", "Report abusive traffic to", own.abuse(), common)
            .add("admin-addresses", "Service administrators", own.admin(), common)
            .add("feedback-addresses", "Feedback", own.feedback(), List.of())
            .add("sales-addresses", "Sales", own.sales(), List.of())
            .add("security-addresses", "Report security concerns to", own.security(), common)
            .add("status-addresses", "Status of the service", own.status(), List.of())
            .add("support-addresses", "Customer support", own.support(), common)
            .addNode(published == null ? null : ServerInfo.uri(context))
            .build();
    if (form.fields().size() > 1) {
      context.addForm(form.toElement());
    }
    if (published != null) {
      context.advertise(ServerInfo.NAMESPACE);
      publication = published.start();
    }
    DataForm outages =
        new Addresses(OUTAGES)
            .add(
                "external-status-addresses",
                "Status of the service during outages",
                own.externalStatus(),
                List.of())
            .build();
    if (outages.fields().size() > 1) {
      context.addForm(outages.toElement());
    }
  }

  private static boolean hasServerInfo(ServerConfig config) {
    return config.services().pubsub().serverInfo()
        && config.modulesOff().stream().noneMatch("pubsub-service"::equals);
  }

  @Override
  public void stop() {
    Scheduler.Cancellable running = publication;
    if (running != null) {
      running.cancel();
      publication = null;
    }
  }

  /// A form of lists of addresses, without those that are empty.
  private static final class Addresses {
    private final DataForm.Builder form;

    private Addresses(String formType) {
      form = DataForm.builder("result", formType);
    }

    private Addresses add(String field, String label, List<String> own, List<String> otherwise) {
      List<String> addresses = own.isEmpty() ? otherwise : uris(own);
      if (!addresses.isEmpty()) {
        form.listMulti(field, label, addresses, Map.of());
      }
      return this;
    }

    /// @param uri of the node with information about the server; null without it (XEP-0485)
    private Addresses addNode(@Nullable String uri) {
      if (uri != null) {
        form.text("serverinfo-pubsub-node", "Information about the server", uri);
      }
      return this;
    }

    private DataForm build() {
      return form.build();
    }
  }

  private static List<String> uris(List<String> addresses) {
    return addresses.stream().filter(ContactModule::isUri).distinct().toList();
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
