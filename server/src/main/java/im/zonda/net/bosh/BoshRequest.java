package im.zonda.net.bosh;

import im.zonda.stanza.Namespaces;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The `<body/>` of one request.
///
/// @param body its start tag
/// @param rid its number; at least 1
/// @param payloads the elements in it
record BoshRequest(StreamHeader body, long rid, List<Frame> payloads) {
  /// The namespace of `<body/>`.
  static final String NAMESPACE = "http://jabber.org/protocol/httpbind";

  /// The namespace of the attributes of XEP-0206.
  static final String XBOSH = "urn:xmpp:xbosh";

  /// The highest number of a request (XEP-0124, section 14.1).
  static final long MAX_RID = 9_007_199_254_740_991L;

  /// A start tag with what is in it.
  ///
  /// @throws BoshException if it has no valid number
  static BoshRequest of(StreamHeader body, List<Frame> payloads) throws BoshException {
    long rid = number(body.attribute("rid"), MAX_RID);
    if (rid < 1) {
      throw new BoshException(BoshCondition.BAD_REQUEST);
    }
    return new BoshRequest(body, rid, List.copyOf(payloads));
  }

  /// A whole number from 0 to `most`; -1 if it is none, or if there is none.
  static long number(@Nullable String text, long most) {
    boolean digits =
        text != null
            && !text.isEmpty()
            && text.length() <= 16
            && text.chars().allMatch(c -> c >= '0' && c <= '9');
    long value = digits ? Long.parseLong(text) : -1;
    return value > most ? -1 : value;
  }

  @Nullable String attribute(String name) {
    return body.attribute(name);
  }

  private @Nullable String xmpp(String name) {
    return body.attributes().get(new QName(XBOSH, name));
  }

  /// The bytes of the elements in it.
  long size() {
    return payloads.stream().mapToLong(each -> each.bytes().length).sum();
  }

  /// Whether the client ends the session.
  boolean isTerminate() {
    return "terminate".equals(attribute("type"));
  }

  /// Whether the client opens the stream again.
  boolean isRestart() {
    String restart = xmpp("restart");
    return "true".equals(restart) || "1".equals(restart);
  }

  /// Whether the client announces a time without requests.
  boolean isPause() {
    return attribute("pause") != null;
  }

  /// Whether the client may send it besides the requests that it may have open (section 11).
  boolean mayBeExtra() {
    return isPause() || isTerminate();
  }

  /// Whether it is there only to be answered.
  boolean isPoll() {
    return payloads.isEmpty() && !isTerminate() && !isRestart() && !isPause();
  }

  /// The stream header that says the same.
  ///
  /// @param first the request that has created the session, for what is not said again
  StreamHeader header(BoshRequest first) {
    Map<QName, String> attributes = new HashMap<>();
    put(attributes, new QName("", "to"), attribute("to"), first.attribute("to"));
    put(attributes, new QName("", "from"), attribute("from"), null);
    put(attributes, new QName("", "version"), xmpp("version"), first.xmpp("version"));
    put(attributes, new QName(Namespaces.XML, "lang"), body.lang(), first.body().lang());
    return new StreamHeader(new QName(Namespaces.STREAM, "stream"), attributes, Namespaces.CLIENT);
  }

  private static void put(
      Map<QName, String> attributes, QName name, @Nullable String value, @Nullable String before) {
    String said = value == null ? before : value;
    if (said != null) {
      attributes.put(name, said);
    }
  }
}
