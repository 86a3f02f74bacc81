package im.zonda.module.privilege;

import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.component.ComponentPrivilege.Access;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ExternalComponents.Decision;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Requests that components send for accounts: for their rosters (XEP-0356, section 4) and any
/// others in permitted namespaces (section 6).
final class PrivilegedRequests {
  private static final QName ROSTER = new QName("jabber:iq:roster", "query");

  /// How long an answer is waited for.
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final ModuleContext context;
  private final ExternalComponents components;
  private final Privileges privileges;

  PrivilegedRequests(ModuleContext context, ExternalComponents components, Privileges privileges) {
    this.context = context;
    this.components = components;
    this.privileges = privileges;
  }

  /// A request for a roster is answered as if it came from the account. One that is not permitted
  /// is `forbidden`, as for anyone.
  Decision decide(IqRequest request, Addressee addressee) {
    if (addressee != Addressee.OTHER_ACCOUNT || !request.payload().name().equals(ROSTER)) {
      return Decision.PASS;
    }
    ComponentPrivilege privilege = privileges.ofSender(request.iq().from());
    return privilege != null
            && permits(privilege.roster(), request.iq().type())
            && request.home().exists()
        ? new Decision.PassAs(Addressee.OWN_ACCOUNT)
        : Decision.PASS;
  }

  private static boolean permits(Access access, Iq.Type type) {
    return type == Iq.Type.GET ? access.get() : access.set();
  }

  /// Sends the request that is encapsulated.
  IqReply send(IqRequest request) {
    Iq outer = request.iq();
    Jid account = outer.to();
    Jid privileged = outer.from();
    ComponentPrivilege privilege = privileges.ofSender(privileged);
    if (privilege == null || privileged == null || account == null || !request.home().exists()) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    List<Element> children = request.payload().children();
    Element encapsulated = children.size() == 1 ? children.getFirst() : null;
    if (encapsulated == null || !encapsulated.name().name().equals("iq")) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "There must be one request.");
    }
    Iq inner = read(encapsulated);
    Element payload = inner == null ? null : inner.payload();
    if (inner == null || payload == null) {
      // Section 6.3 wants `forbidden` also for another namespace. Content namespaces of streams are
      // no longer told apart here: all stanzas are read in one, or a sender could hide something
      // from this server that others read.
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    boolean permitted =
        inner.type() == outer.type()
            && permits(privilege.iq(payload.name().namespace()), inner.type())
            && (inner.from() == null || inner.from().equals(account));
    if (!permitted) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    Jid to = inner.to() == null ? account : inner.to();
    components.request(
        inner.withAddresses(account, to), privileged, PATIENCE, answer -> forward(outer, answer));
    return IqReply.later();
  }

  private static @Nullable Iq read(Element encapsulated) {
    try {
      return Stanza.of(encapsulated) instanceof Iq iq && iq.isRequest() ? iq : null;
    } catch (StanzaFormatException e) {
      return null;
    }
  }

  private void forward(Iq request, Iq answer) {
    context.send(Iq.result(request, PrivilegeXml.forward(answer.toElement())));
  }

  /// Sends a roster push to the components that get it (section 4.4).
  void push(Jid account, Element query) {
    privileges.forEachConnected(
        ComponentPrivilege::getsPushes,
        component ->
            context.send(Iq.of(Iq.Type.SET, account, component, context.ids().next(), query)));
  }
}
