package im.zonda.module.push;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.session.UserAgent;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.KeyValueStore;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Enables and disables push services (XEP-0357, sections 5 and 6). Called at the homes; the
/// requests block.
final class RegistrationRequests {
  private static final String PUBLISH_OPTIONS = "http://jabber.org/protocol/pubsub#publish-options";

  private final ModuleContext context;
  private final KeyValueStore store;
  private final HomeKey<Registrations> key;

  RegistrationRequests(ModuleContext context, HomeKey<Registrations> key) {
    this.context = context;
    this.store = context.keyValues(PushModule.STORE);
    this.key = key;
  }

  /// Enables a service. The client is awake, so what is to be published to it is forgotten.
  IqReply enable(IqRequest request) {
    Element enable = request.payload();
    Jid service;
    try {
      String address = enable.attribute("jid");
      if (address == null) {
        return IqReply.refuse(ErrorCondition.BAD_REQUEST, "The attribute 'jid' is missing.");
      }
      service = Jid.of(address);
    } catch (JidFormatException e) {
      return IqReply.refuse(ErrorCondition.JID_MALFORMED, "The attribute 'jid' is not a JID.");
    }
    Element x = enable.child(DataForm.X);
    Element options = x == null ? null : options(x);
    if (x != null && options == null) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST, "The form must be one of publish options to be submitted.");
    }
    String node = enable.attribute("node");
    return enable(request, service, node == null ? "" : node, options);
  }

  private IqReply enable(IqRequest request, Jid service, String node, @Nullable Element options) {
    Home home = request.home();
    Session session = request.session();
    UserAgent agent = session == null ? null : session.get(UserAgent.KEY);
    Registration registration =
        new Registration(
            service,
            node,
            session == null ? null : session.jid().resource(),
            agent == null ? null : agent.id(),
            options);
    Limits limits = context.config().limits();
    Registrations all = home.state(key);
    PushState old = all.get(registration.key());
    if (old == null && all.size() >= limits.pushServices()) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT,
          "An account may have at most "
              + limits.pushServices()
              + " registrations for push notifications. Disable another one first.");
    }
    if (old == null || !old.registration().equals(registration)) {
      byte[] stored = registration.stored();
      if (stored.length > limits.pushBytes()) {
        return IqReply.refuse(
            ErrorCondition.POLICY_VIOLATION,
            "A registration may have at most " + limits.pushBytes() + " bytes.");
      }
      store.put(home.jid(), registration.key(), stored);
    }
    all.add(registration).reset();
    return IqReply.empty();
  }

  /// The form as it is sent to the service with each notification; null if it is no form with
  /// publish options.
  private static @Nullable Element options(Element x) {
    DataForm form = DataForm.of(x);
    return form == null || !form.type().equals("submit") || !PUBLISH_OPTIONS.equals(form.kind())
        ? null
        : form.toElement();
  }

  /// Disables a service at one node, or at all if none is given. Also if it was not enabled.
  IqReply disable(IqRequest request) {
    Element disable = request.payload();
    String address = disable.attribute("jid");
    if (address == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "The attribute 'jid' is missing.");
    }
    Jid service;
    try {
      service = Jid.of(address);
    } catch (JidFormatException e) {
      return IqReply.refuse(ErrorCondition.JID_MALFORMED, "The attribute 'jid' is not a JID.");
    }
    String node = disable.attribute("node");
    Registrations all = request.home().state(key);
    List<String> disabled = new ArrayList<>();
    for (PushState state : all.all()) {
      Registration registration = state.registration();
      if (registration.service().equals(service)
          && (node == null || node.equals(registration.node()))) {
        disabled.add(registration.key());
      }
    }
    for (String registration : disabled) {
      store.remove(request.home().jid(), registration);
      all.remove(registration);
    }
    return IqReply.empty();
  }

  /// Disables a registration, because its service wants that. Does not block: the store follows
  /// later.
  void disableSoon(Home home, Registration registration) {
    String name = registration.key();
    home.state(key).remove(name);
    context.atHome(
        home.jid(),
        later -> {
          // The client may have enabled it again.
          if (later.exists() && later.state(key).get(name) == null) {
            store.remove(later.jid(), name);
          }
        });
  }
}
