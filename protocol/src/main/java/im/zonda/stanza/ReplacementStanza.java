package im.zonda.stanza;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.jid.Jid;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The replacement for a stanza that cannot be written, or read again, because of a defect or
/// because it is too large to be sent to another process.
///
/// The peer counts the stanzas that it gets (XEP-0198): without a replacement its next
/// acknowledgement would be one too low for each stanza after it, and the last one would never be
/// acknowledged. To end the stream instead would not help, because the stanza would be sent again
/// on the next one.
public final class ReplacementStanza {
  private ReplacementStanza() {}

  /// An error in place of the answer to a request; otherwise a headline without a body, which
  /// nobody displays, stores or answers. It has the same addresses: another server ends the stream
  /// for a stanza without them.
  public static Stanza of(Stanza unwritable) {
    return unwritable instanceof Iq iq && !iq.isRequest()
        ? answer(iq.from(), iq.to(), iq.id())
        : headline(unwritable.from(), unwritable.to());
  }

  /// The same for the written form of a stanza that cannot be read. Addresses and identifier are
  /// those of its start tag, as far as they can be made out.
  public static Stanza of(byte[] unreadable) {
    String xml = new String(unreadable, UTF_8);
    Map<String, String> tag = StartTag.attributes(xml);
    Jid from = StanzaReader.addressOrNull(tag.get("from"));
    Jid to = StanzaReader.addressOrNull(tag.get("to"));
    String id = tag.get("id");
    String type = tag.get("type");
    boolean answers = "result".equals(type) || "error".equals(type);
    return xml.startsWith("<iq") && answers && id != null
        ? answer(from, to, id)
        : headline(from, to);
  }

  /// In place of a stanza of which nothing is known.
  public static Stanza ofAny() {
    return headline(null, null);
  }

  private static Stanza answer(@Nullable Jid from, @Nullable Jid to, String id) {
    return Iq.of(
        Iq.Type.ERROR,
        from,
        to,
        id,
        StanzaError.of(ErrorCondition.INTERNAL_SERVER_ERROR).toElement());
  }

  private static Stanza headline(@Nullable Jid from, @Nullable Jid to) {
    return Message.of(Message.Type.HEADLINE, from, to, null, List.of());
  }
}
