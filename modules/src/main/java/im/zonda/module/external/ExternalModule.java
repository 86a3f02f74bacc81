package im.zonda.module.external;

import im.zonda.config.ExternalService;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Tells the host's users of the services in the configuration, with credentials for those that
/// need them. Everyone else is answered `forbidden`.
@Xep(
    number = 215,
    version = "1.0.0",
    title = "External Service Discovery",
    note = "Changes are not pushed, and services have no extended information")
public final class ExternalModule implements XmppModule {
  private static final String NAMESPACE = "urn:xmpp:extdisco:2";
  private static final QName SERVICES = new QName(NAMESPACE, "services");
  private static final QName SERVICE = new QName(NAMESPACE, "service");
  private static final QName CREDENTIALS = new QName(NAMESPACE, "credentials");

  @Override
  public String name() {
    return "external";
  }

  @Override
  public void install(ModuleContext context) {
    if (context.config().services().external().isEmpty()) {
      return;
    }
    context.advertise(NAMESPACE);
    Credentials credentials = new Credentials(context.clock(), context.ids());
    context.onIq(
        Iq.Type.GET,
        SERVICES,
        Addressee.SERVER,
        request ->
            isOwnUser(request, context)
                ? services(context, request, credentials)
                : IqReply.refuse(ErrorCondition.FORBIDDEN));
    context.onIq(
        Iq.Type.GET,
        CREDENTIALS,
        Addressee.SERVER,
        request ->
            isOwnUser(request, context)
                ? credentials(context, request, credentials)
                : IqReply.refuse(ErrorCondition.FORBIDDEN));
  }

  /// What is declared depends on whether there are services.
  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.services().external().isEmpty() == after.services().external().isEmpty();
  }

  private static boolean isOwnUser(IqRequest request, ModuleContext context) {
    return request.hasHome()
        && request.home().exists()
        && request.home().jid().domain().equals(context.domain().domain());
  }

  /// The services by their names, so that the order stays the same.
  private static Map<String, ExternalService> all(ModuleContext context) {
    return new TreeMap<>(context.config().services().external());
  }

  /// Sections 3.1 and 3.2.
  private static IqReply services(
      ModuleContext context, IqRequest request, Credentials credentials) {
    String type = request.payload().attribute("type");
    Element.Builder services = Element.builder(SERVICES).attribute("type", type);
    all(context)
        .forEach((name, service) -> {
          if (type == null || type.equals(service.type())) {
            services.child(element(service, credentials, request.home().jid()));
          }
        });
    return IqReply.result(services.build());
  }

  /// Section 3.3.
  private static IqReply credentials(
      ModuleContext context, IqRequest request, Credentials credentials) {
    List<Element> wanted = request.payload().children();
    Element service = wanted.size() == 1 ? wanted.getFirst() : null;
    if (service == null
        || !service.name().equals(SERVICE)
        || service.attribute("host") == null
        || service.attribute("type") == null) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST, "One service is needed, with its host and type.");
    }
    List<Element> found = new ArrayList<>();
    all(context)
        .forEach((name, each) -> {
          if (each.isRestricted() && matches(each, service)) {
            found.add(element(each, credentials, request.home().jid()));
          }
        });
    return found.isEmpty()
        ? IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND)
        : IqReply.result(Element.builder(CREDENTIALS).children(found).build());
  }

  private static boolean matches(ExternalService service, Element wanted) {
    String port = wanted.attribute("port");
    String transport = wanted.attribute("transport");
    return service.type().equals(wanted.attribute("type"))
        && service.host().equals(wanted.attribute("host"))
        && (port == null || port.equals(String.valueOf(service.port())))
        && (transport == null || transport.equals(service.transport()));
  }

  private static Element element(ExternalService service, Credentials credentials, Jid account) {
    Element.Builder element =
        Element.builder(SERVICE)
            .attribute("host", service.host())
            .attribute("name", service.name())
            .attribute("port", service.port() == null ? null : service.port().toString())
            .attribute("transport", service.transport())
            .attribute("type", service.type());
    if (service.isRestricted()) {
      element.attribute("restricted", "true");
      credentials.addTo(element, service, account);
    }
    return element.build();
  }
}
