package im.zonda.module.disco;

import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.stream.Stream;

/// A service whose domain only answers requests: there are no addresses below it, and it has no
/// presence. It can be discovered (XEP-0030).
public final class RequestService implements DomainService<Jid> {
  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";
  private static final QName INFO_QUERY = new QName(INFO, "query");
  private static final QName ITEMS_QUERY = new QName(ITEMS, "query");

  private final Jid domain;
  private final String title;
  private final Element info;
  private final ModuleContext context;
  private final Requests requests;

  /// Answers what is not discovery.
  @FunctionalInterface
  public interface Requests {
    /// The answer. Runs on several threads at once; may block.
    IqReply answer(Iq iq, Element payload);
  }

  /// What the service says of itself.
  ///
  /// @param title its name for people
  /// @param category of its identity, as registered
  /// @param type of its identity, as registered
  /// @param features beside those of discovery
  /// @param forms its extended information (XEP-0128)
  public record Identity(
      String title, String category, String type, List<String> features, List<Element> forms) {
    /// Copies the lists.
    public Identity {
      features = List.copyOf(features);
      forms = List.copyOf(forms);
    }

    /// A service without extended information.
    public Identity(String title, String category, String type, List<String> features) {
      this(title, category, type, features, List.of());
    }
  }

  public RequestService(Jid domain, Identity identity, ModuleContext context, Requests requests) {
    this.domain = domain;
    this.title = identity.title;
    this.info = info(identity);
    this.context = context;
    this.requests = requests;
  }

  private static Element info(Identity identity) {
    Element.Builder info =
        Element.builder(INFO_QUERY)
            .child(
                Element.builder(INFO, "identity")
                    .attribute("category", identity.category)
                    .attribute("type", identity.type)
                    .attribute("name", identity.title)
                    .build());
    Stream.concat(Stream.of(INFO, ITEMS), identity.features.stream())
        .forEach(
            each -> info.child(Element.builder(INFO, "feature").attribute("var", each).build()));
    identity.forms.forEach(info::child);
    return info.build();
  }

  @Override
  public Jid domain() {
    return domain;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public Jid load(Jid address) {
    return address;
  }

  @Override
  public boolean canUnload(Jid home) {
    return true;
  }

  @Override
  public boolean mayBlock(Jid home, Stanza stanza) {
    return false;
  }

  /// There are no addresses below the domain.
  @Override
  public void accept(Jid home, Envelope envelope) {
    reject(envelope.stanza(), StanzaError.of(ErrorCondition.ITEM_NOT_FOUND));
  }

  @Override
  public void acceptForDomain(Stanza stanza) {
    if (!(stanza instanceof Iq iq)) {
      reject(stanza, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      return;
    }
    Element payload = iq.isRequest() ? iq.payload() : null;
    if (payload == null) {
      return;
    }
    switch (answer(iq, payload)) {
      case IqReply.Result(Element result) -> context.send(Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> context.send(Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }

  private void reject(Stanza stanza, StanzaError error) {
    switch (stanza) {
      case Iq iq when iq.isRequest() -> context.send(Iq.error(iq, error));
      case Message message when !message.isError() -> context.send(Message.error(message, error));
      case Iq answer -> {}
      case Message message -> {}
      case Presence presence -> {
        // The service has no presence.
      }
    }
  }

  private IqReply answer(Iq iq, Element payload) {
    QName name = payload.name();
    boolean isDiscovery =
        iq.type() == Iq.Type.GET && (name.equals(INFO_QUERY) || name.equals(ITEMS_QUERY));
    if (!isDiscovery) {
      return requests.answer(iq, payload);
    }
    if (payload.attribute("node") != null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    return IqReply.result(name.equals(INFO_QUERY) ? info : Element.of(ITEMS_QUERY));
  }
}
