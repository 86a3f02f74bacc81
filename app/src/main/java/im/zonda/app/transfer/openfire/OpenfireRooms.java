package im.zonda.app.transfer.openfire;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedMessages;
import im.zonda.app.transfer.ImportedRoom;
import im.zonda.app.transfer.Omission;
import im.zonda.app.transfer.StoredXml;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.store.RoomStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rooms of an Openfire.
final class OpenfireRooms {
  private static final String USER = "http://jabber.org/protocol/muc#user";
  private static final String P = "muc#roomconfig_";

  private static final String ROOMS =
      """
      select s.subdomain, r.roomID, r.name from ofMucRoom r
      join ofMucService s on s.serviceID = r.serviceID order by s.subdomain, r.name
      """;

  private static final String ROOM =
      """
      select creationDate, naturalName, description, canChangeSubject, maxUsers, publicRoom,
        moderated, membersOnly, canInvite, roomPassword, canDiscoverJID, logEnabled, subject
      from ofMucRoom where roomID = ?
      """;

  private static final String HISTORY =
      """
      select logTime, sender, nickname, stanza, subject, body from ofMucConversationLog
      where roomID = ? and nickname is not null order by logTime, messageID
      """;

  private final ForeignDatabase database;
  private final String host;
  private final Set<String> services = new HashSet<>();

  /// A room.
  ///
  /// @param id its number
  record Row(long id, String address) {}

  OpenfireRooms(ForeignDatabase database, String host) throws IOException {
    this.database = database;
    this.host = host;
    if (database.hasTable("ofmucservice")) {
      database.query(
          "select subdomain from ofMucService",
          row -> {
            services.add(row.text(1) + "." + host);
            return true;
          });
    }
  }

  /// All rooms.
  List<Row> all() throws IOException {
    List<Row> rooms = new ArrayList<>();
    if (database.hasTable("ofmucroom")) {
      database.query(
          ROOMS,
          row -> rooms.add(new Row(row.number(2), row.text(3) + "@" + row.text(1) + "." + host)));
    }
    return rooms;
  }

  /// The address of a room; null if it is none.
  @Nullable Jid jid(Row room) {
    try {
      return Jid.of(room.address);
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// Whether a message is to or from a room.
  boolean isOfRoom(Element message) {
    return isOfRoom(message.attribute("from")) || isOfRoom(message.attribute("to"));
  }

  private boolean isOfRoom(@Nullable String address) {
    if (address == null) {
      return false;
    }
    int slash = address.indexOf('/');
    String bare = slash < 0 ? address : address.substring(0, slash);
    return services.contains(bare.substring(bare.indexOf('@') + 1));
  }

  /// Reads a room.
  ///
  /// @throws BadRecordException if it cannot be taken
  ImportedRoom read(Row room, ImportSource.Receiver receiver)
      throws IOException, BadRecordException {
    Jid jid = jid(room);
    if (jid == null) {
      throw new BadRecordException("not an address");
    }
    Map<String, List<String>> config = new LinkedHashMap<>();
    List<@Nullable Instant> created = new ArrayList<>();
    List<ImportedRoom.Subject> subjects = new ArrayList<>();
    database.query(
        ROOM,
        row -> {
          created.add(StoredMillis.of(row.text(1)));
          config(config, row);
          ImportedRoom.Subject subject = subject(row.text(13));
          if (subject != null) {
            subjects.add(subject);
          }
          return false;
        },
        room.id);
    return new ImportedRoom(
        jid,
        database.name() + " ofMucRoom " + room.address,
        created.isEmpty() ? null : created.getFirst(),
        config,
        affiliations(room, receiver),
        subjects.isEmpty() ? null : subjects.getFirst());
  }

  private static void config(Map<String, List<String>> config, ForeignDatabase.Row row)
      throws IOException {
    text(config, "roomname", row.text(2));
    text(config, "roomdesc", row.text(3));
    bool(config, "changesubject", row.number(4));
    if (row.number(5) > 0) {
      text(config, "maxusers", row.text(5));
    }
    bool(config, "publicroom", row.number(6));
    bool(config, "moderatedroom", row.number(7));
    bool(config, "membersonly", row.number(8));
    bool(config, "allowinvites", row.number(9));
    String password = row.text(10);
    if (password != null && !password.isEmpty()) {
      bool(config, "passwordprotectedroom", 1);
      text(config, "roomsecret", password);
    }
    text(config, "whois", row.number(11) == 1 ? "anyone" : "moderators");
    bool(config, "enablelogging", row.number(12));
  }

  private static void text(Map<String, List<String>> config, String field, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      config.put(P + field, List.of(value));
    }
  }

  private static void bool(Map<String, List<String>> config, String field, long value) {
    config.put(P + field, List.of(value == 1 ? "1" : "0"));
  }

  /// A subject: text, or since version 38 of the schema the message that has set it.
  private static ImportedRoom.@Nullable Subject subject(@Nullable String stored) {
    if (stored == null || stored.isBlank()) {
      return null;
    }
    if (stored.stripLeading().startsWith("<message")) {
      try {
        Element message = StoredXml.read(stored);
        String from = message.attribute("from");
        int slash = from == null ? -1 : from.indexOf('/');
        String text = "";
        for (Element child : message.children()) {
          text = child.name().name().equals("subject") ? child.text() : text;
        }
        return text.isEmpty()
            ? null
            : new ImportedRoom.Subject(
                text,
                from == null || slash < 0 ? "" : from.substring(slash + 1),
                ImportedMessages.delayOf(message));
      } catch (BadRecordException e) {
        return null; // the room matters more than its subject
      }
    }
    return new ImportedRoom.Subject(stored, "", null);
  }

  private List<RoomStore.Affiliation> affiliations(Row room, ImportSource.Receiver receiver)
      throws IOException {
    List<RoomStore.Affiliation> all = new ArrayList<>();
    database.query(
        "select jid, affiliation from ofMucAffiliation where roomID = ?",
        row -> {
          String word =
              switch ((int) row.number(2)) {
                case 10 -> "owner";
                case 20 -> "admin";
                case 30 -> "member";
                case 40 -> "outcast";
                default -> "";
              };
          if (!word.isEmpty()) {
            add(all, room, String.valueOf(row.text(1)), word, null, receiver);
          }
          return true;
        },
        room.id);
    database.query(
        "select jid, nickname from ofMucMember where roomID = ?",
        row -> {
          add(all, room, String.valueOf(row.text(1)), "member", row.text(2), receiver);
          return true;
        },
        room.id);
    return all;
  }

  private void add(
      List<RoomStore.Affiliation> all,
      Row room,
      String user,
      String word,
      @Nullable String nick,
      ImportSource.Receiver receiver) {
    try {
      all.add(
          new RoomStore.Affiliation(
              Jid.of(user).bare(), word, nick == null || nick.isEmpty() ? null : nick, null));
    } catch (JidFormatException e) {
      receiver.omit(
          new Omission(
              database.name() + " ofMucAffiliation",
              "an affiliation with " + room.address,
              "\"" + user + "\" is not an address"));
    }
  }

  /// Passes on the history of a room.
  void readMessages(Row room, Jid jid, ImportSource.Receiver receiver) throws IOException {
    database.query(
        HISTORY,
        row -> {
          try {
            Instant time = StoredMillis.of(row.text(1));
            if (time == null) {
              throw new BadRecordException("a message without a time");
            }
            receiver.message(ImportedMessages.ofRoom(jid, message(jid, row), time));
          } catch (BadRecordException e) {
            receiver.omit(
                new Omission(
                    database.name() + " ofMucConversationLog",
                    "a message of " + jid,
                    String.valueOf(e.getMessage())));
          }
          return true;
        },
        room.id);
  }

  private static Element message(Jid room, ForeignDatabase.Row row)
      throws IOException, BadRecordException {
    String stanza = row.text(4);
    String nick = String.valueOf(row.text(3));
    String sender = row.text(2);
    try {
      Element.Builder message =
          stanza != null && stanza.stripLeading().startsWith("<message")
              ? StoredXml.read(stanza).toBuilder()
              : written(row.text(5), row.text(6));
      message
          .withoutAttribute(new QName("", "to"))
          .attribute("type", "groupchat")
          .attribute("from", (nick.isEmpty() ? room : room.withResource(nick)).toString());
      if (sender != null && !sender.isEmpty() && !sender.equals(room.toString())) {
        message.child(
            Element.builder(USER, "x")
                .child(
                    Element.builder(USER, "item")
                        .attribute("affiliation", "none")
                        .attribute("jid", Jid.of(sender).toString())
                        .attribute("role", "participant")
                        .build())
                .build());
      }
      return message.build();
    } catch (JidFormatException e) {
      throw new BadRecordException("not an address: " + e.getMessage());
    }
  }

  private static Element.Builder written(@Nullable String subject, @Nullable String body)
      throws BadRecordException {
    Element.Builder message = Element.builder("jabber:client", "message");
    if (subject != null && !subject.isEmpty()) {
      message.child(StoredXml.text("subject", subject));
    }
    if (body != null && !body.isEmpty()) {
      message.child(StoredXml.text("body", body));
    }
    return message;
  }
}
