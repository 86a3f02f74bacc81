package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The settings of a room as they are stored: its salt, whether it is used, the form of its
/// configuration, and its subject. A room whose subject cannot be read is loaded without it.
///
/// @param used see [im.zonda.module.muc.room.Room#isUsed]
/// @param subject null if there is none, or if it cannot be read
record StoredSettings(String salt, boolean used, Element form, @Nullable Subject subject) {
  private static final Logger LOG = LoggerFactory.getLogger(StoredSettings.class);
  private static final String NAMESPACE = "urn:zonda:room:0";
  private static final String END_OF_FORM = "</x>";
  private static final String SUBJECT = "<subject";

  /// The attribute of a room that is not used; older rooms have none.
  private static final String UNUSED = "unused";

  /// The text for the store.
  String write() {
    Element.Builder all =
        Element.builder(NAMESPACE, "room")
            .attribute("salt", salt)
            .attribute(UNUSED, used ? null : "true")
            .child(form);
    if (subject != null) {
      all.child(
          Element.builder(NAMESPACE, "subject")
              .attribute("time", subject.time().toString())
              .child(subject.message().toElement())
              .build());
    }
    ByteArraySink sink = new ByteArraySink(2_048);
    XmlWriter.write(all.build(), "", sink);
    return new String(sink.toByteArray(), StandardCharsets.UTF_8);
  }

  private static Element parse(String text) throws XmlException {
    return XmlReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Reads what [#write] has written.
  ///
  /// @throws XmlException if the salt or the form cannot be read
  static StoredSettings read(Jid room, String text) throws XmlException {
    Element all;
    try {
      all = parse(text);
    } catch (XmlException e) {
      all = parse(withoutSubject(text, e));
      LOG.atError().addKeyValue("room", room).setCause(e).log("room_subject_unreadable");
    }
    String salt = all.attribute("salt");
    Element form = all.child(DataForm.X);
    if (salt == null || form == null) {
      throw new XmlException(
          XmlException.Condition.INVALID_XML, "a stored room has a salt and a form");
    }
    boolean used = all.attribute(UNUSED) == null;
    return new StoredSettings(salt, used, form, subject(room, all.child("subject")));
  }

  /// The subject is written last. Text of users has no markup, so that the form ends at the first
  /// such tag.
  private static String withoutSubject(String text, XmlException cause) throws XmlException {
    int subject = text.indexOf(SUBJECT, Math.max(0, text.indexOf(END_OF_FORM)));
    if (subject < 0) {
      throw cause;
    }
    return text.substring(0, subject) + "</room>";
  }

  private static @Nullable Subject subject(Jid room, @Nullable Element subject) {
    String time = subject == null ? null : subject.attribute("time");
    if (subject == null || time == null || subject.children().isEmpty()) {
      return null;
    }
    try {
      return Stanza.of(subject.children().getFirst()) instanceof Message message
          ? new Subject(message.packed(), Instant.parse(time))
          : null;
    } catch (StanzaFormatException | DateTimeParseException e) {
      LOG.atError().addKeyValue("room", room).setCause(e).log("room_subject_unreadable");
      return null;
    }
  }
}
