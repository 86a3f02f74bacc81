package im.zonda.module.search;

import im.zonda.config.Services.Search;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.disco.RequestService;
import im.zonda.module.forms.DataForm;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The domain of the search. Only accounts of the host may search, each once at a time.
final class SearchService implements RequestService.Requests {
  static final RequestService.Identity IDENTITY =
      new RequestService.Identity(
          "User Search",
          "directory",
          "user",
          List.of(ResultSetRequest.NAMESPACE, SearchForms.NAMESPACE));

  private final ModuleContext context;
  private final Directory directory;

  /// The accounts that search at present.
  private final Set<Jid> searching = ConcurrentHashMap.newKeySet();

  SearchService(ModuleContext context, Directory directory) {
    this.context = context;
    this.directory = directory;
  }

  @Override
  public IqReply answer(Iq iq, Element payload) {
    if (!payload.name().equals(SearchForms.QUERY)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Jid from = iq.from();
    if (from == null || from.local() == null || !from.domain().equals(context.domain().domain())) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN, "Only users of this server may search.");
    }
    return iq.type() == Iq.Type.GET
        ? IqReply.result(SearchForms.fields(fields()))
        : searchOnce(from.bare(), payload);
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
            // Without a field filled in, nobody matches: there is no way to list all users.
            wanted.isEmpty() ? List.of() : directory.find(wanted, after, page.max()),
            fields,
            query.child(DataForm.X) != null,
            set != null));
  }

  private static @Nullable Jid user(@Nullable String address) {
    return address == null ? null : Jid.stored(address);
  }
}
