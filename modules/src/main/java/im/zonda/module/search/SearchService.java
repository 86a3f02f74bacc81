package im.zonda.module.search;

import im.zonda.config.Services.Search;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The domain of the search. Only accounts of the host may search, each once at a time.
final class SearchService implements DomainService<Jid> {
  static final String TITLE = "User Search";

  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";
  private static final QName INFO_QUERY = new QName(INFO, "query");
  private static final QName ITEMS_QUERY = new QName(ITEMS, "query");

  private final Jid domain;
  private final ModuleContext context;
  private final Directory directory;

  /// The accounts that search at present.
  private final Set<Jid> searching = ConcurrentHashMap.newKeySet();

  SearchService(Jid domain, ModuleContext context, Directory directory) {
    this.domain = domain;
    this.context = context;
    this.directory = directory;
  }

  @Override
  public Jid domain() {
    return domain;
  }

  @Override
  public String title() {
    return TITLE;
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
    boolean get = iq.type() == Iq.Type.GET;
    QName name = payload.name();
    if (get && name.equals(INFO_QUERY)) {
      return payload.attribute("node") == null
          ? IqReply.result(info())
          : IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    if (get && name.equals(ITEMS_QUERY)) {
      return payload.attribute("node") == null
          ? IqReply.result(Element.of(ITEMS_QUERY))
          : IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    if (!name.equals(SearchForms.QUERY)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Jid from = iq.from();
    if (from == null || from.local() == null || !from.domain().equals(context.domain().domain())) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN, "Only users of this server may search.");
    }
    return get ? IqReply.result(SearchForms.fields(fields())) : searchOnce(from.bare(), payload);
  }

  private static Element info() {
    Element.Builder info =
        Element.builder(INFO_QUERY)
            .child(
                Element.builder(INFO, "identity")
                    .attribute("category", "directory")
                    .attribute("type", "user")
                    .attribute("name", TITLE)
                    .build());
    for (String feature : List.of(INFO, ITEMS, ResultSetRequest.NAMESPACE, SearchForms.NAMESPACE)) {
      info.child(Element.builder(INFO, "feature").attribute("var", feature).build());
    }
    return info.build();
  }

  private Search settings() {
    return context.config().services().search();
  }

  private List<Field> fields() {
    return Arrays.stream(Field.values())
        .filter(field -> settings().fields().contains(field.word()))
        .toList();
  }

  /// The database may have to look at all users, so nobody has it do so several times at once.
  private IqReply searchOnce(Jid user, Element query) {
    if (!searching.add(user)) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, "Wait until your last search has ended.");
    }
    try {
      return search(query);
    } finally {
      searching.remove(user);
    }
  }

  private IqReply search(Element query) {
    List<Field> fields = fields();
    Map<Field, String> wanted = SearchForms.wanted(query, fields);
    if (wanted == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "The form must be one of this search.");
    }
    if (wanted.isEmpty()) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "Fill in one or more fields.");
    }
    Element set = query.child(ResultSetRequest.SET);
    ResultSetRequest page;
    Jid after;
    try {
      page = ResultSetRequest.of(set, settings().results()).forwards();
      after = page.after() == null ? null : user(page.after());
    } catch (ResultSetException e) {
      return e.reply();
    } catch (JidFormatException e) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    return IqReply.result(
        SearchForms.result(
            directory.find(wanted, after, page.max()),
            fields,
            query.child(DataForm.X) != null,
            set != null));
  }

  private static @Nullable Jid user(@Nullable String address) {
    return address == null ? null : Jid.of(address);
  }
}
