package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.Element;
import im.zonda.xml.Node;
import im.zonda.xml.QName;
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
  private static final String USER = "http://jabber.org/protocol/muc#user";
  private static final QName ROOM_USER = new QName(USER, "x");
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

  /// A message as its author has sent it to a room, as the room has sent it: from the occupant,
  /// with the author's real address in it (XEP-0313, section 6.1.2).
  ///
  /// @param nick the occupant; null or empty for the room itself
  /// @param author the real address, or null
  /// @throws BadRecordException if one of them cannot be in an address
  public static Element broadcast(
      Jid room, Element sent, @Nullable String nick, @Nullable String author)
      throws BadRecordException {
    try {
      Jid from = nick == null || nick.isEmpty() ? room : room.withResource(nick);
      Element.Builder message = sent.toBuilder().withoutAttribute(new QName("", "to"));
      message.attribute("from", from.toString());
      if (author != null && !author.isEmpty() && !hasAuthor(sent)) {
        Element item =
            Element.builder(USER, "item")
                .attribute("affiliation", "none")
                .attribute("jid", Jid.of(author).toString())
                .attribute("role", "participant")
                .build();
        message.child(Element.builder(USER, "x").child(item).build());
      }
      return message.build();
    } catch (JidFormatException e) {
      throw new BadRecordException("not an address: " + e.getMessage());
    }
  }

  private static boolean hasAuthor(Element sent) {
    Element user = sent.child(ROOM_USER);
    return user != null && user.children().stream().anyMatch(each -> each.attribute("jid") != null);
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

  /// The time of a number of microseconds after 1970.
  public static Instant ofMicros(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
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
