package im.zonda.home.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Presence;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlParser;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The part of a session's snapshot that the keeper of its stream stores, as XML, to recover the
/// session if the server is killed ([im.zonda.link.LostSession]).
///
/// @param readUpTo the last entry of the log up to which its client has acknowledged everything; 0
///   if there is none. A stream that has just resumed the session does not know it
public record KeptState(SessionSnapshot.State state, long readUpTo) {
  private static final Logger LOG = LoggerFactory.getLogger(KeptState.class);
  private static final String NAMESPACE = "urn:zonda:session";

  /// The state as text.
  public String write() {
    Element.Builder written =
        Element.builder(NAMESPACE, "session")
            .attribute("jid", state.jid().toString())
            .attribute("id", state.id());
    if (readUpTo > 0) {
      written.attribute("read", Long.toString(readUpTo));
    }
    Presence presence = state.presence();
    if (presence != null) {
      written.child("presence", new String(KeptStanza.bytes(presence), UTF_8));
    }
    new TreeMap<>(state.writtenValues()).forEach((name, value) -> write(name, value, written));
    ByteArraySink sink = new ByteArraySink(512);
    XmlWriter.write(written.build(), "", sink);
    return new String(sink.toByteArray(), UTF_8);
  }

  private static void write(String name, String value, Element.Builder written) {
    try {
      written.child(
          Element.builder(NAMESPACE, "value").attribute("name", name).text(value).build());
    } catch (IllegalArgumentException e) {
      // XML does not allow a character of it: it costs itself, not the session.
      LOG.atError().addKeyValue("key", name).setCause(e).log("session_value_not_written");
    }
  }

  /// Reads what [#write] has written; null if it is something else.
  public static @Nullable KeptState read(String text) {
    try {
      Element written = XmlParser.parse(text);
      String jid = written.attribute("jid");
      String id = written.attribute("id");
      if (!written.name().equals(new QName(NAMESPACE, "session")) || jid == null || id == null) {
        return null;
      }
      Map<String, String> values = new HashMap<>();
      for (Element child : written.children()) {
        String name = child.attribute("name");
        if (name != null) {
          values.put(name, child.text());
        }
      }
      Jid address = Jid.stored(jid);
      Element shown = written.child("presence");
      Presence presence =
          shown == null
              ? null
              : SessionSnapshotCodec.presence(address, shown.text().getBytes(UTF_8));
      String read = written.attribute("read");
      return new KeptState(
          SessionSnapshot.State.of(address, id, presence, values),
          read == null ? 0 : Long.parseLong(read));
    } catch (XmlException | JidFormatException | NumberFormatException e) {
      return null;
    }
  }
}
