package im.zonda.module.mam;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.rsm.OrderRequest;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.MessageLog;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Answers queries for the archives of publish-subscribe nodes (XEP-0442). The caller decides who
/// may ask, and has the items. Fields of the query are `with`, `start` and `end`.
public final class NodeArchiveQueries {
  private static final String NAMESPACE = MamModule.NAMESPACE;
  private static final QName FORWARDED = new QName("urn:xmpp:forward:0", "forwarded");
  private static final QName DELAY = new QName("urn:xmpp:delay", "delay");

  private NodeArchiveQueries() {}

  /// What a query asks for.
  ///
  /// @param with who published the items, or null
  /// @param start the earliest time, or null
  /// @param end the latest time, or null
  /// @param order the order of the items
  /// @param page which of these items; references are identifiers of entries
  public record Wanted(
      @Nullable Jid with,
      @Nullable Instant start,
      @Nullable Instant end,
      OrderRequest order,
      ResultSetRequest page) {}

  /// An entry of an archive.
  ///
  /// @param id its identifier
  /// @param time when it was published
  /// @param message the notification
  public record Entry(String id, Instant time, Element message) {}

  /// A page of entries.
  ///
  /// @param entries in the wanted order
  /// @param complete whether there are no more in the direction of paging
  public record Page(List<Entry> entries, boolean complete) {
    /// Copies the list.
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /// The archive of a node.
  public interface Archive {
    /// A page; null if there is no entry with an identifier that the query has.
    @Nullable Page find(Wanted wanted);
  }

  /// Sends a page, and returns the answer, which must be sent after it.
  ///
  /// @param query the payload of the request
  /// @param most the maximum number of entries of a page
  /// @param send sends the payload of a message to the requester; called in order
  public static IqReply page(Element query, int most, Archive archive, Consumer<Element> send) {
    if (QueryIds.isTooLong(query)) {
      return QueryIds.reject();
    }
    Wanted wanted;
    try {
      QueryForm form = QueryForm.ofNode(query);
      wanted =
          new Wanted(
              form.with(),
              form.start() == Long.MIN_VALUE ? null : MessageLog.timeOf(form.start()),
              form.end() == Long.MAX_VALUE ? null : MessageLog.timeOf(form.end()),
              OrderRequest.of(query),
              ResultSetRequest.of(query.child(ResultSetRequest.SET), most));
    } catch (RejectedException e) {
      return e.reply();
    } catch (ResultSetException e) {
      return e.reply();
    }
    Page page = archive.find(wanted);
    if (page == null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND, "The archive has no such item.");
    }
    page.entries.forEach(each -> send.accept(result(query, each)));
    boolean empty = page.entries.isEmpty();
    return IqReply.result(
        Element.builder(NAMESPACE, "fin")
            .attribute("complete", page.complete ? "true" : null)
            .child(
                ResultSetRequest.result(
                    empty ? null : page.entries.getFirst().id,
                    empty ? null : page.entries.getLast().id))
            .build());
  }

  private static Element result(Element query, Entry entry) {
    long micros = entry.time.getEpochSecond() * 1_000_000L + entry.time.getNano() / 1_000L;
    return Element.builder(NAMESPACE, "result")
        .attribute("queryid", query.attribute("queryid"))
        .attribute("id", entry.id)
        .child(
            Element.builder(FORWARDED)
                .child(Element.builder(DELAY).attribute("stamp", ArchiveTime.stamp(micros)).build())
                .child(entry.message)
                .build())
        .build();
  }

  /// The query form: the supported fields (XEP-0313, section 4.1.5).
  ///
  /// @param query the request, whose node the answer has
  public static IqReply form(Element query) {
    return IqReply.result(
        Element.builder(ArchiveQueries.QUERY)
            .attribute("node", query.attribute("node"))
            .child(QueryForm.ofNodes())
            .build());
  }
}
