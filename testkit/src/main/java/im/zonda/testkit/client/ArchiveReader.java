package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlElement;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Reads an archive from its beginning (XEP-0313), page by page (XEP-0059): the account's own, or a
/// room's.
public final class ArchiveReader {
  /// The namespace of Message Archive Management.
  public static final String MAM = "urn:xmpp:mam:2";

  private static final String RSM = "http://jabber.org/protocol/rsm";

  private final ScriptedClient client;
  private final int pageSize;
  private final @Nullable String owner;

  /// Creates a reader that uses a bound client.
  ///
  /// @param pageSize the page size to request; the server may send fewer messages
  public ArchiveReader(ScriptedClient client, int pageSize) {
    this(client, pageSize, null);
  }

  /// Creates a reader for another archive.
  ///
  /// @param owner the owner of the archive, such as a room; null for the account's own
  public ArchiveReader(ScriptedClient client, int pageSize, @Nullable String owner) {
    this.client = client;
    this.pageSize = pageSize;
    this.owner = owner;
  }

  /// Whether there is an archive (XEP-0030 on its owner's address).
  public boolean offered() {
    String account = owner == null ? client.jid().substring(0, client.jid().indexOf('/')) : owner;
    client.send(
        "<iq type='get' id='disco' to='"
            + XmlElement.escape(account)
            + "'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>");
    XmlElement answer = client.receiveFirst(e -> "disco".equals(e.attribute("id")));
    XmlElement query = answer.child("query");
    return query != null && query.children().stream().anyMatch(e -> MAM.equals(e.attribute("var")));
  }

  /// Reads all messages, oldest first.
  ///
  /// @param found receives each archive id with its message
  /// @return the number of messages
  /// @throws AssertionError if the server answers with an error, or its pages do not end
  public long readAll(BiConsumer<String, XmlElement> found) {
    long count = 0;
    String after = null;
    for (long page = 0; ; page++) {
      String query = "page" + page;
      ask(query, after);
      int results = 0;
      XmlElement element = client.receive();
      while (!query.equals(element.attribute("id")) || !element.localName().equals("iq")) {
        results += result(element, query, found) ? 1 : 0;
        element = client.receive();
      }
      count += results;
      XmlElement fin = element.child(MAM, "fin");
      if (fin == null) {
        throw new AssertionError("the archive is not given: " + element);
      }
      XmlElement set = fin.child(RSM, "set");
      String last = set == null ? "" : set.childText("last");
      if (List.of("true", "1").contains(String.valueOf(fin.attribute("complete")))) {
        return count;
      }
      if (last.isEmpty() || last.equals(after)) {
        throw new AssertionError("the archive's pages do not go on after " + after + ": " + fin);
      }
      after = last;
    }
  }

  private void ask(String query, @Nullable String after) {
    client.send(
        "<iq type='set' id='"
            + query
            + (owner == null ? "" : "' to='" + XmlElement.escape(owner))
            + "'><query xmlns='"
            + MAM
            + "' queryid='"
            + query
            + "'><set xmlns='"
            + RSM
            + "'><max>"
            + pageSize
            + "</max>"
            + (after == null ? "" : "<after>" + XmlElement.escape(after) + "</after>")
            + "</set></query></iq>");
  }

  private static boolean result(
      XmlElement element, String query, BiConsumer<String, XmlElement> found) {
    XmlElement result = element.child(MAM, "result");
    if (result == null || !query.equals(result.attribute("queryid"))) {
      return false;
    }
    XmlElement forwarded = result.child("urn:xmpp:forward:0", "forwarded");
    XmlElement message = forwarded == null ? null : forwarded.child("message");
    if (message == null) {
      throw new AssertionError("a result without a message: " + element);
    }
    found.accept(String.valueOf(result.attribute("id")), message);
    return true;
  }
}
