package im.zonda.stream.client;

import im.zonda.session.UserAgent;
import im.zonda.stream.bound.StreamManagement;
import im.zonda.stream.sasl.ClientTokens;
import im.zonda.stream.sasl.SaslBase64;
import im.zonda.stream.sasl.SaslCondition;
import im.zonda.stream.sasl.SaslFailure;
import im.zonda.stream.sasl.TokenMechanism;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A client's `<authenticate/>` (XEP-0388, section 2.3): how it authenticates, and what it requests
/// to be done afterwards.
///
/// @param mechanism the name of a mechanism; empty if it gave none
/// @param initial the mechanism's first message, or null
/// @param agent its description of itself
/// @param upgrades the hashes that it would make keys for (XEP-0480)
/// @param resume its wish to resume a session (XEP-0198), or null
/// @param bind its bind request (XEP-0386), or null
/// @param fast that it logs in by a token (XEP-0484), or null
/// @param wishes what it requests for its tokens
@SuppressWarnings("ArrayRecordComponent") // read once, compared never
record Sasl2Request(
    String mechanism,
    byte @Nullable [] initial,
    UserAgent agent,
    List<String> upgrades,
    @Nullable Element resume,
    @Nullable Element bind,
    @Nullable Element fast,
    ClientTokens.TokenRequest wishes) {
  static final String NAMESPACE = "urn:xmpp:sasl:2";
  static final QName BIND = new QName("urn:xmpp:bind:0", "bind");

  private static final QName RESUME = new QName(StreamManagement.NAMESPACE, "resume");
  private static final QName FAST = new QName(ClientTokens.NAMESPACE, "fast");
  private static final QName REQUEST = new QName(ClientTokens.NAMESPACE, "request-token");
  private static final QName UPGRADE = new QName(UpgradeTasks.NAMESPACE, "upgrade");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private static final Pattern COUNT = Pattern.compile("[0-9]{1,19}");

  /// The characters that are kept of the names of a program and a device.
  private static final int MAX_NAME = 128;

  /// Reads an `<authenticate/>`.
  ///
  /// @throws SaslFailure if it is malformed
  static Sasl2Request parse(Element element) throws SaslFailure {
    String mechanism = element.attribute("mechanism");
    Element initial = element.child("initial-response");
    Element agent = element.child("user-agent");
    Element fast = element.child(FAST);
    List<String> upgrades = new ArrayList<>();
    for (Element child : element.children()) {
      String hash = child.name().equals(UPGRADE) ? UpgradeTasks.hashOf(child.text().strip()) : null;
      if (hash != null && !upgrades.contains(hash)) {
        upgrades.add(hash);
      }
    }
    return new Sasl2Request(
        mechanism == null ? "" : mechanism,
        initial == null ? null : data(initial),
        agent == null ? UserAgent.UNKNOWN : agent(agent),
        List.copyOf(upgrades),
        element.child(RESUME),
        element.child(BIND),
        fast,
        wishes(element, fast));
  }

  /// The data of an element: here `=` is nothing special, and blanks around it are tolerated.
  ///
  /// @throws SaslFailure if the content is not Base64
  static byte[] data(Element element) throws SaslFailure {
    if (!element.children().isEmpty()) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "child elements");
    }
    return SaslBase64.decodeStrictly(element.text().strip());
  }

  private static ClientTokens.TokenRequest wishes(Element element, @Nullable Element fast)
      throws SaslFailure {
    Element request = element.child(REQUEST);
    String count = fast == null ? null : fast.attribute("count");
    if (count != null && !COUNT.matcher(count).matches()) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "count");
    }
    String invalidate = fast == null ? null : fast.attribute("invalidate");
    return new ClientTokens.TokenRequest(
        request == null ? null : TokenMechanism.ofSaslName(request.attribute("mechanism")),
        "true".equals(invalidate) || "1".equals(invalidate));
  }

  private static UserAgent agent(Element agent) throws SaslFailure {
    String id = agent.attribute("id");
    if (id != null) {
      id = id.toLowerCase(Locale.ROOT);
      if (!UUID.matcher(id).matches()) {
        throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "the user agent's id is no UUID");
      }
    }
    return new UserAgent(id, name(agent.child("software")), name(agent.child("device")));
  }

  private static @Nullable String name(@Nullable Element element) {
    String text = element == null ? "" : element.text().strip();
    if (text.isEmpty()) {
      return null;
    }
    int length = text.codePointCount(0, text.length());
    return length <= MAX_NAME ? text : text.substring(0, text.offsetByCodePoints(0, MAX_NAME));
  }
}
