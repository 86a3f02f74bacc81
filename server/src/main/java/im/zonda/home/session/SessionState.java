package im.zonda.home.session;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlParser;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The part of a session's snapshot that the keeper of its stream stores, as XML, to recover the
/// session if the server is killed ([im.zonda.link.LostSession]).
///
/// @param jid its full address
/// @param id the id by which it is found, hashed
/// @param resumptions the number of the client's last resumption
///   ([im.zonda.link.SessionVersion#resumptions])
/// @param presence its broadcast presence; null if it is not available
/// @param values what modules keep with it, as text
/// @param readUpTo the last entry of the log up to which its client has acknowledged everything; 0
///   if there is none. A stream that has just resumed the session does not know it
public record SessionState(
    Jid jid,
    String id,
    long resumptions,
    @Nullable Presence presence,
    Map<String, String> values,
    long readUpTo) {
  /// The name under which [#resumptions] is written among the values of modules.
  private static final String RESUMPTIONS = "resumptions";

  private static final Logger LOG = LoggerFactory.getLogger(SessionState.class);
  private static final String NAMESPACE = "urn:zonda:session";

  /// Copies the values.
  public SessionState {
    values = Map.copyOf(values);
  }

  /// The values of modules and the number of the last resumption, which is written as one of them,
  /// as the version before reads it.
  public static Map<String, String> withResumptions(Map<String, String> values, long resumptions) {
    if (resumptions == 0) {
      return values;
    }
    Map<String, String> all = new HashMap<>(values);
    all.put(RESUMPTIONS, Long.toString(resumptions));
    return all;
  }

  /// Removes the number that [#withResumptions] has added; 0 if there is none.
  ///
  /// @throws NumberFormatException if it is no number, or negative: which of two snapshots is newer
  ///   is not known then
  public static long takeResumptions(Map<String, String> values) {
    String text = values.remove(RESUMPTIONS);
    long number = text == null ? 0 : Long.parseLong(text);
    if (number < 0) {
      throw new NumberFormatException(text);
    }
    return number;
  }

  /// The state as text.
  public String write() {
    Element.Builder state =
        Element.builder(NAMESPACE, "session").attribute("jid", jid.toString()).attribute("id", id);
    if (readUpTo > 0) {
      state.attribute("read", Long.toString(readUpTo));
    }
    if (presence != null) {
      state.child("presence", xml(presence));
    }
    new TreeMap<>(withResumptions(values, resumptions))
        .forEach((name, value) -> write(name, value, state));
    ByteArraySink sink = new ByteArraySink(512);
    XmlWriter.write(state.build(), "", sink);
    return new String(sink.toByteArray(), StandardCharsets.UTF_8);
  }

  private static void write(String name, String value, Element.Builder state) {
    try {
      state.child(Element.builder(NAMESPACE, "value").attribute("name", name).text(value).build());
    } catch (IllegalArgumentException e) {
      // XML does not allow a character of it: it costs itself, not the session.
      LOG.atError().addKeyValue("key", name).setCause(e).log("session_value_not_written");
    }
  }

  private static String xml(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(stanza.writtenSize() + 16);
    stanza.writeTo(sink);
    return new String(sink.toByteArray(), StandardCharsets.UTF_8);
  }

  /// Reads what [#write] has written; null if it is something else.
  public static @Nullable SessionState read(String text) {
    try {
      Element state = XmlParser.parse(text);
      String jid = state.attribute("jid");
      String id = state.attribute("id");
      if (!state.name().equals(new QName(NAMESPACE, "session")) || jid == null || id == null) {
        return null;
      }
      Map<String, String> values = new HashMap<>();
      for (Element child : state.children()) {
        String name = child.attribute("name");
        if (name != null) {
          values.put(name, child.text());
        }
      }
      Element shown = state.child("presence");
      String read = state.attribute("read");
      Jid address = Jid.stored(jid);
      return new SessionState(
          address,
          id,
          takeResumptions(values),
          shown == null ? null : presence(address, shown.text()),
          values,
          read == null ? 0 : Long.parseLong(read));
    } catch (XmlException | JidFormatException | NumberFormatException e) {
      return null;
    }
  }

  /// The session is available also if its presence cannot be read: its client believes so.
  private static Presence presence(Jid session, String xml) {
    try {
      if (Stanza.reread(XmlParser.frame(xml, Namespaces.CLIENT)) instanceof Presence presence) {
        return presence;
      }
    } catch (XmlException | StanzaFormatException | RuntimeException e) {
      LOG.atError().addKeyValue("jid", session).setCause(e).log("session_presence_not_read");
    }
    return Presence.of(Presence.Type.AVAILABLE, session, null, null, List.of());
  }
}
