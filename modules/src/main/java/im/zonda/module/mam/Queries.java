package im.zonda.module.mam;

import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Page;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog.Entry;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Answers questions about the archive: a page of it, what it spans, how to ask.
final class Queries {
  private static final String NAMESPACE = MamModule.NAMESPACE;
  private static final QName FLIP_PAGE = new QName(NAMESPACE, "flip-page");
  private static final QName FORWARDED = new QName("urn:xmpp:forward:0", "forwarded");
  private static final QName DELAY = new QName("urn:xmpp:delay", "delay");

  /// Part of what may wait for a session that one page may take.
  private static final int SHARE = 4;

  /// Digits of the largest id.
  private static final int ID_DIGITS = 19;

  private final MessageArchive archive;
  private final IdSource ids;
  private final int most;
  private final long bytes;

  Queries(ModuleContext context) {
    archive = context.stores().archive();
    ids = context.ids();
    most = context.config().archive().page();
    bytes = context.config().limits().outboundBytes() / SHARE;
  }

  /// Sends a page to the session that asks, and then the answer (sections 4.2 and 4.3).
  IqReply page(IqRequest request) {
    Session session = request.session();
    Element query = request.payload();
    if (session == null) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (query.attribute("node") != null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND, "an account has no nodes");
    }
    try {
      ResultSetRequest wanted = ResultSetRequest.of(query.child(ResultSetRequest.SET), most);
      Filter filter = filter(request.home().jid(), QueryForm.of(query, archive.searches()), wanted);
      Page page =
          archive.page(
              request.home().jid(), filter, new Portion(wanted.backwards(), wanted.max(), bytes));
      List<Entry> entries =
          query.child(FLIP_PAGE) == null ? page.entries() : page.entries().reversed();
      for (Entry entry : entries) {
        session.send(result(session.jid(), query.attribute("queryid"), entry));
      }
      return IqReply.result(fin(page));
    } catch (RefusedException e) {
      return e.reply();
    } catch (ResultSetException e) {
      return e.reply();
    }
  }

  /// What the archive is asked for.
  ///
  /// @throws RefusedException `item-not-found` if an id is named that the archive does not have
  private Filter filter(Jid owner, QueryForm form, ResultSetRequest wanted)
      throws RefusedException {
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
    for (String after : notNull(form.afterId(), wanted.after())) {
      long id = id(after);
      named.add(id);
      from = Math.max(from, id + 1);
    }
    for (String before : notNull(form.beforeId(), wanted.before())) {
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

  /// An id as we write it; there is no other way to write one.
  private static long id(String text) throws RefusedException {
    boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits || text.isEmpty() || text.length() > ID_DIGITS || text.startsWith("0")) {
      throw notFound();
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw notFound();
    }
  }

  private static RefusedException notFound() {
    return new RefusedException(ErrorCondition.ITEM_NOT_FOUND, "the archive has no such message");
  }

  private Message result(Jid to, @Nullable String queryId, Entry entry) {
    Element forwarded =
        Element.builder(FORWARDED)
            .child(Element.builder(DELAY).attribute("stamp", ArchiveTime.stamp(entry.id())).build())
            .child(entry.message().toElement())
            .build();
    Element result =
        Element.builder(NAMESPACE, "result")
            .attribute("queryid", queryId)
            .attribute("id", Long.toString(entry.id()))
            .child(forwarded)
            .build();
    return Message.of(Message.Type.NORMAL, to.bare(), to, ids.next(), List.of(result));
  }

  private static Element fin(Page page) {
    List<Entry> entries = page.entries();
    return Element.builder(NAMESPACE, "fin")
        .attribute("complete", page.complete() ? "true" : null)
        .child(
            entries.isEmpty()
                ? ResultSetRequest.result(null, null)
                : ResultSetRequest.result(
                    Long.toString(entries.getFirst().id()), Long.toString(entries.getLast().id())))
        .build();
  }

  /// The first and the last entry (section 5).
  IqReply metadata(IqRequest request) {
    Element.Builder metadata = Element.builder(NAMESPACE, "metadata");
    for (boolean last : new boolean[] {false, true}) {
      List<Entry> end =
          archive.page(request.home().jid(), Filter.ALL, new Portion(last, 1, bytes)).entries();
      if (!end.isEmpty()) {
        long id = end.getFirst().id();
        metadata.child(
            Element.builder(NAMESPACE, last ? "end" : "start")
                .attribute("id", Long.toString(id))
                .attribute("timestamp", ArchiveTime.stamp(id))
                .build());
      }
    }
    return IqReply.result(metadata.build());
  }

  /// Which fields a query may have (section 4.1.5).
  IqReply form(IqRequest request) {
    return IqReply.result(
        Element.builder(NAMESPACE, "query").child(QueryForm.empty(archive.searches())).build());
  }
}
