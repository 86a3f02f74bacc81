package im.zonda.module.mam;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.rsm.OrderRequest;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Page;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Answers archive requests: queries, metadata and the query form (XEP-0313, sections 4 and 5). The
/// caller decides who may ask. Calls block.
public final class ArchiveQueries {
  /// A query (type `set`), or a request for the query form (type `get`).
  public static final QName QUERY = new QName(MamModule.NAMESPACE, "query");

  /// A request for the metadata of an archive (type `get`).
  public static final QName METADATA = new QName(MamModule.NAMESPACE, "metadata");

  private static final String NAMESPACE = MamModule.NAMESPACE;
  private static final QName FLIP_PAGE = new QName(NAMESPACE, "flip-page");
  private static final QName FORWARDED = new QName("urn:xmpp:forward:0", "forwarded");
  private static final QName DELAY = new QName("urn:xmpp:delay", "delay");
  private static final String FULL_TEXT = "urn:xmpp:fulltext:0";

  /// A page may use this part of a session's outbound limit.
  private static final int SHARE = 4;

  private final MessageArchive archive;
  private final StanzaIds stanzaIds;
  private final IdSource ids;
  private final ModuleContext context;
  private final long bytes;
  private final boolean ofAccounts;

  private ArchiveQueries(ModuleContext context, boolean ofAccounts) {
    archive = context.port(MessageArchive.class);
    stanzaIds = context.port(StanzaIds.class);
    ids = context.ids();
    this.context = context;
    bytes = context.config().limits().outboundBytes() / SHARE;
    this.ofAccounts = ofAccounts;
  }

  /// Queries for the archives of accounts.
  static ArchiveQueries ofAccounts(ModuleContext context) {
    return new ArchiveQueries(context, true);
  }

  /// Queries for the archives of rooms. The field `with` matches the address of the occupant, and
  /// there is no field `include-groupchat`.
  public static ArchiveQueries ofRooms(ModuleContext context) {
    return new ArchiveQueries(context, false);
  }

  /// Whether a server with this configuration has archives.
  public static boolean available(ServerConfig config) {
    return config.storage().archive() && config.storage().durable();
  }

  /// The features of an address that has an archive.
  public List<String> features() {
    List<String> features = new ArrayList<>(archiveFeatures());
    features.add(ResultSetRequest.NAMESPACE);
    return List.copyOf(features);
  }

  /// The features that are the archive's alone.
  List<String> archiveFeatures() {
    List<String> features = new ArrayList<>(List.of(NAMESPACE, NAMESPACE + "#extended"));
    features.add(OrderRequest.NAMESPACE);
    features.add(OrderRequest.feature(NAMESPACE));
    if (ofAccounts) {
      features.add(NAMESPACE + "#groupchat-field");
    }
    if (archive.searches()) {
      features.add(FULL_TEXT);
    }
    return List.copyOf(features);
  }

  /// Sends a page to the requester, and returns the answer, which must be sent after it (sections
  /// 4.2 and 4.3).
  ///
  /// @param owner the owner of the archive; the messages come from this address
  /// @param request the query of type `set`; the page goes to its `from`
  /// @param shown the message of an entry as the requester may see it
  /// @param send sends a message of the page; called in order
  public IqReply page(
      Jid owner, Iq request, Function<Entry, Message> shown, Consumer<Message> send) {
    Element query = request.payload();
    Jid requester = request.from();
    if (query == null || requester == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    if (QueryIds.isTooLong(query)) {
      return QueryIds.reject();
    }
    if (query.attribute("node") != null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND, "The archive has no nodes.");
    }
    try {
      ResultSetRequest wanted =
          ResultSetRequest.of(query.child(ResultSetRequest.SET), context.config().archive().page());
      // What is archived is not modified, so that both orders are that of time.
      boolean descending = OrderRequest.of(query).descending();
      Filter filter = filter(owner, QueryForm.of(query, fields()), wanted, descending);
      boolean towardsOlder = wanted.backwards() != descending;
      Page page = archive.page(owner, filter, new Portion(towardsOlder, wanted.max(), bytes));
      List<Entry> entries = descending ? page.entries().reversed() : page.entries();
      for (Entry entry : query.child(FLIP_PAGE) == null ? entries : entries.reversed()) {
        Element result = result(query.attribute("queryid"), entry, shown.apply(entry));
        send.accept(Message.of(Message.Type.NORMAL, owner, requester, ids.next(), List.of(result)));
      }
      return IqReply.result(fin(entries, page.complete()));
    } catch (RejectedException e) {
      return e.reply();
    } catch (ResultSetException e) {
      return e.reply();
    }
  }

  /// The supported fields besides those of every archive.
  private List<String> fields() {
    List<String> fields = new ArrayList<>(2);
    if (ofAccounts) {
      fields.add(QueryForm.GROUPCHAT);
    }
    if (archive.searches()) {
      fields.add(QueryForm.FULL_TEXT);
    }
    return fields;
  }

  /// The filter for a query.
  ///
  /// @throws RejectedException `item-not-found` if the archive does not have one of the ids
  private Filter filter(Jid owner, QueryForm form, ResultSetRequest wanted, boolean descending)
      throws RejectedException {
    String olderThanPage = descending ? wanted.before() : wanted.after();
    String newerThanPage = descending ? wanted.after() : wanted.before();
    Set<Long> named = new HashSet<>();
    Set<Long> only = null;
    Set<String> wantedIds = form.ids();
    if (wantedIds != null) {
      only = new HashSet<>();
      for (String id : wantedIds) {
        only.add(id(id));
      }
      named.addAll(only);
    }
    long from = form.start();
    long to = form.end();
    for (String after : notNull(form.afterId(), olderThanPage)) {
      long id = id(after);
      named.add(id);
      from = Math.max(from, id + 1);
    }
    for (String before : notNull(form.beforeId(), newerThanPage)) {
      long id = id(before);
      named.add(id);
      to = Math.min(to, id - 1);
    }
    if (!archive.holds(owner, named)) {
      throw notFound();
    }
    return new Filter(form.with(), from, to, only, form.text());
  }

  private static List<String> notNull(@Nullable String one, @Nullable String other) {
    List<String> there = new ArrayList<>(2);
    if (one != null) {
      there.add(one);
    }
    if (other != null) {
      there.add(other);
    }
    return there;
  }

  private long id(String text) throws RejectedException {
    return stanzaIds.decode(text).orElseThrow(ArchiveQueries::notFound);
  }

  private String textOf(Entry entry) {
    return stanzaIds.ofStored(entry.message(), entry.owner(), entry.id());
  }

  private static RejectedException notFound() {
    return new RejectedException(ErrorCondition.ITEM_NOT_FOUND, "The archive has no such message.");
  }

  private Element result(@Nullable String queryId, Entry entry, Message shown) {
    Element forwarded =
        Element.builder(FORWARDED)
            .child(Element.builder(DELAY).attribute("stamp", ArchiveTime.stamp(entry.id())).build())
            .child(shown.toElement())
            .build();
    return Element.builder(NAMESPACE, "result")
        .attribute("queryid", queryId)
        .attribute("id", textOf(entry))
        .child(forwarded)
        .build();
  }

  private Element fin(List<Entry> entries, boolean complete) {
    return Element.builder(NAMESPACE, "fin")
        .attribute("complete", complete ? "true" : null)
        .child(
            entries.isEmpty()
                ? ResultSetRequest.result(null, null)
                : ResultSetRequest.result(textOf(entries.getFirst()), textOf(entries.getLast())))
        .build();
  }

  /// The metadata: first and last entry (section 5).
  public IqReply metadata(Jid owner) {
    Element.Builder metadata = Element.builder(METADATA);
    for (boolean last : new boolean[] {false, true}) {
      List<Entry> end = archive.page(owner, Filter.ALL, new Portion(last, 1, bytes)).entries();
      if (!end.isEmpty()) {
        Entry entry = end.getFirst();
        metadata.child(
            Element.builder(NAMESPACE, last ? "end" : "start")
                .attribute("id", textOf(entry))
                .attribute("timestamp", ArchiveTime.stamp(entry.id()))
                .build());
      }
    }
    return IqReply.result(metadata.build());
  }

  /// The query form: the supported fields (section 4.1.5).
  public IqReply form() {
    return IqReply.result(Element.builder(QUERY).child(QueryForm.empty(fields())).build());
  }
}
