package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.Element;
import im.zonda.xml.Node;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Makes messages of the elements in which other servers have kept them.
public final class ImportedMessages {
  private static final String CLIENT = "jabber:client";
  private static final String DELAY = "urn:xmpp:delay";
  private static final String OLD_DELAY = "jabber:x:delay";
  private static final DateTimeFormatter OLD_STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HH:mm:ss", Locale.ROOT);

  /// The last time that can be an id of the message log and be printed.
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private ImportedMessages() {}

  /// A message of an account. An address that is missing is the account's own.
  ///
  /// @throws BadRecordException if it is not a message
  public static ImportedMessage ofAccount(
      Jid account, Element element, Instant time, boolean waiting) throws BadRecordException {
    Message message = parse(element);
    Jid from = message.from() == null ? account : message.from();
    Jid to = message.to() == null ? account : message.to();
    boolean sent = from.bare().equals(account);
    return new ImportedMessage(
        checked(time), sent ? to : from, message.withAddresses(from, to), waiting);
  }

  /// A message of the archive of a room.
  ///
  /// @throws BadRecordException if it is not a message of an occupant or the room
  public static ImportedMessage ofRoom(Jid room, Element element, Instant time)
      throws BadRecordException {
    Message message = parse(element);
    Jid from = message.from();
    if (from == null || !from.bare().equals(room)) {
      throw new BadRecordException("the message is not from an occupant of " + room);
    }
    return new ImportedMessage(checked(time), from, message.withAddresses(from, null), false);
  }

  private static Message parse(Element element) throws BadRecordException {
    try {
      if (element.name().name().equals("message")
          && Stanza.of(inClientNamespace(element)) instanceof Message message
          && !message.isError()) {
        return message;
      }
      throw new BadRecordException("not a message");
    } catch (StanzaFormatException | JidFormatException e) {
      throw new BadRecordException("not a valid message: " + e.getMessage());
    }
  }

  private static Instant checked(Instant time) throws BadRecordException {
    if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
      throw new BadRecordException("the time " + time + " is not from 1970 to 9999");
    }
    return time;
  }

  /// The element with its children in the namespace of clients instead of its own.
  public static Element inClientNamespace(Element element) {
    String from = element.name().namespace();
    return from.equals(CLIENT) ? element : renamed(element, from);
  }

  private static Element renamed(Element element, String from) {
    if (!element.name().namespace().equals(from)) {
      return element;
    }
    Element.Builder copy = Element.builder(CLIENT, element.name().name());
    element.attributes().forEach(copy::attribute);
    for (Node node : element.nodes()) {
      copy.node(node instanceof Element child ? renamed(child, from) : node);
    }
    return copy.build();
  }

  /// The oldest time that a message itself says it was delayed at, or null (XEP-0203, XEP-0091).
  public static @Nullable Instant delayOf(Element message) {
    Instant oldest = null;
    for (Element child : message.children()) {
      boolean delay = child.is(DELAY, "delay") || child.is(OLD_DELAY, "x");
      Instant time = delay ? time(child.attribute("stamp")) : null;
      if (time != null && (oldest == null || time.isBefore(oldest))) {
        oldest = time;
      }
    }
    return oldest;
  }

  /// A time in the form of XEP-0082 or XEP-0091; null if it is neither.
  public static @Nullable Instant time(@Nullable String stamp) {
    if (stamp == null) {
      return null;
    }
    try {
      return OffsetDateTime.parse(stamp).toInstant();
    } catch (DateTimeException e) {
      return oldTime(stamp);
    }
  }

  private static @Nullable Instant oldTime(String stamp) {
    try {
      return LocalDateTime.parse(stamp, OLD_STAMP).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
