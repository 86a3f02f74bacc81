package im.zonda.module.pubsub.request;

import im.zonda.module.IqReply;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Lists of an owner in pages (XEP-0059), in the order of their keys. An answer that has not all
/// entries says so by its `<set/>`, also if the request has none.
///
/// A page continues after a key although its entry has been removed meanwhile.
///
/// @param entries the entries by their keys, which are what a page refers to
/// @param xml the element of an entry
record EntryPages<T>(NavigableMap<String, T> entries, Function<T, Element> xml) {
  /// Entries of an answer.
  static final int MOST = 2_000;

  /// An answer has no further entry when its addresses have about this many characters, because one
  /// address may have 3,071 bytes.
  private static final int MOST_CHARACTERS = 262_144;

  /// Answers with a page.
  ///
  /// @param list the element that the entries are put into
  /// @param set the element that asks for a page, or null
  IqReply answer(Element.Builder list, @Nullable Element set) {
    ResultSetRequest request;
    try {
      request = ResultSetRequest.of(set, MOST);
    } catch (ResultSetException e) {
      return e.reply();
    }
    NavigableMap<String, T> rest = entries;
    if (request.after() != null) {
      rest = entries.tailMap(request.after(), false);
    } else if (request.before() != null) {
      rest = entries.headMap(request.before(), false);
    }
    List<Taken> page = collect(request.backwards() ? rest.descendingMap() : rest, request.max());
    List<Taken> taken = request.backwards() ? page.reversed() : page;
    taken.forEach(each -> list.child(each.element));
    Element.Builder answer = Element.builder(PubSubXml.PUBSUB_OWNER).child(list.build());
    if (set != null || taken.size() < entries.size()) {
      boolean empty = taken.isEmpty();
      String first = empty ? null : taken.getFirst().key;
      int index = first == null ? 0 : entries.headMap(first, false).size();
      answer.child(
          ResultSetRequest.result(
              first, empty ? null : taken.getLast().key, index, entries.size()));
    }
    return IqReply.result(answer.build());
  }

  private record Taken(String key, Element element) {}

  private List<Taken> collect(NavigableMap<String, T> from, int most) {
    List<Taken> page = new ArrayList<>();
    long characters = 0;
    for (Map.Entry<String, T> each : from.entrySet()) {
      if (page.size() >= most || characters > MOST_CHARACTERS) {
        break;
      }
      Element element = xml.apply(each.getValue());
      for (String value : element.attributes().values()) {
        characters += value.length();
      }
      page.add(new Taken(each.getKey(), element));
    }
    return page;
  }
}
