package im.zonda.app.transfer.openfire;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedMessages;
import im.zonda.app.transfer.Omission;
import im.zonda.app.transfer.StoredXml;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The accounts and rooms in the database of an Openfire, with the archive of its plugin
/// *monitoring*. Names of users are node-escaped, as on the wire.
public final class OpenfireSource implements ImportSource {
  private static final int PAGE = 500;

  private static final String USERS =
      "select username from ofUser where username > ? order by username limit ?";

  private static final String OFFLINE =
      "select creationDate, stanza from ofOffline where username = ? order by messageID";

  /// The archive has each message once for both accounts.
  private static final String ARCHIVE =
      """
      select sentDate, fromJID, fromJIDResource, toJID, toJIDResource, stanza, body
      from ofMessageArchive where fromJID = ? or toJID = ? order by sentDate, messageID
      """;

  private final ForeignDatabase database;
  private final String host;
  private final OpenfireRooms rooms;
  private final EncryptedPasswords passwords;
  private final InstantSource clock;

  /// Reads a database, which is closed with the source.
  ///
  /// @param host the host if the database does not name it, or null
  /// @throws IllegalArgumentException if the host is needed and not given
  public OpenfireSource(ForeignDatabase database, @Nullable String host, InstantSource clock)
      throws IOException {
    this.database = database;
    this.clock = clock;
    List<String> named = new ArrayList<>();
    database.query(
        "select propValue from ofProperty where name = 'xmpp.domain'",
        row -> named.add(String.valueOf(row.text(1))));
    String found = named.isEmpty() ? host : named.getFirst();
    if (found == null) {
      throw new IllegalArgumentException(
          "the database of Openfire does not name its host; give it with --host");
    }
    this.host = found;
    this.rooms = new OpenfireRooms(database, found);
    this.passwords = EncryptedPasswords.of(database);
  }

  /// Whether a database is one of Openfire.
  public static boolean recognises(ForeignDatabase database) {
    return database.hasTable("ofuser") && database.hasTable("ofroster");
  }

  @Override
  public String name() {
    return "Openfire " + database.name();
  }

  @Override
  public long countAccounts() throws IOException {
    return database.number("select count(*) from ofUser");
  }

  private interface User {
    void read(String user) throws IOException;
  }

  private void eachUser(User action) throws IOException {
    String last = "";
    while (true) {
      List<String> users = new ArrayList<>();
      database.query(USERS, row -> users.add(String.valueOf(row.text(1))), last, (long) PAGE);
      for (String user : users) {
        action.read(user);
        last = user;
      }
      if (users.size() < PAGE) {
        return;
      }
    }
  }

  private @Nullable Jid address(String user) {
    try {
      return Jid.of(user, host, null);
    } catch (JidFormatException e) {
      return null;
    }
  }

  private String where(String table, String owner) {
    return database.name() + " " + table + " of " + owner;
  }

  @Override
  public void readAccounts(Receiver receiver) throws IOException {
    eachUser(user -> {
      receiver.account(
          where("ofUser", user),
          user,
          address(user),
          new OpenfireAccount(database, passwords, user, clock.instant())::read);
    });
  }

  @Override
  public void readRooms(Receiver receiver) throws IOException {
    for (OpenfireRooms.Row row : rooms.all()) {
      try {
        receiver.room(rooms.read(row, receiver));
      } catch (BadRecordException e) {
        receiver.omit(
            new Omission(
                where("ofMucRoom", row.address()), row.address(), String.valueOf(e.getMessage())));
      }
    }
  }

  @Override
  public void readMessages(Receiver receiver) throws IOException {
    eachUser(user -> {
      Jid account = address(user);
      if (account != null && receiver.beginMessages(account)) {
        waiting(receiver, account, user);
        if (database.hasTable("ofmessagearchive")
            && database.hasColumn("ofmessagearchive", "stanza")) {
          archive(receiver, account);
        }
        receiver.endMessages();
      }
    });
    for (OpenfireRooms.Row row : rooms.all()) {
      Jid room = rooms.jid(row);
      if (room != null && receiver.beginMessages(room)) {
        rooms.readMessages(row, room, receiver);
        receiver.endMessages();
      }
    }
  }

  private void waiting(Receiver receiver, Jid account, String user) throws IOException {
    database.query(
        OFFLINE,
        row -> {
          try {
            Instant time = StoredMillis.of(row.text(1));
            Element element = StoredXml.read(String.valueOf(row.text(2)));
            receiver.message(
                ImportedMessages.ofAccount(
                    account, element, time == null ? clock.instant() : time, true));
          } catch (BadRecordException e) {
            omit(receiver, "ofOffline", account, e);
          }
          return true;
        },
        user);
  }

  private void omit(Receiver receiver, String table, Jid owner, BadRecordException cause) {
    receiver.omit(
        new Omission(
            where(table, owner.toString()), "a message", String.valueOf(cause.getMessage())));
  }

  private void archive(Receiver receiver, Jid account) throws IOException {
    String address = account.toString();
    database.query(
        ARCHIVE,
        row -> {
          try {
            Instant time = StoredMillis.of(row.text(1));
            String stanza = row.text(6);
            Element element =
                stanza != null && !stanza.isBlank()
                    ? StoredXml.read(stanza)
                    : message(
                        full(row.text(2), row.text(3)),
                        full(row.text(4), row.text(5)),
                        String.valueOf(row.text(7)));
            if (time == null) {
              throw new BadRecordException("a message without a time");
            }
            if (!"groupchat".equals(element.attribute("type")) && !rooms.isOfRoom(element)) {
              receiver.message(ImportedMessages.ofAccount(account, element, time, false));
            }
          } catch (BadRecordException e) {
            omit(receiver, "ofMessageArchive", account, e);
          }
          return true;
        },
        address,
        address);
  }

  private static String full(@Nullable String bare, @Nullable String resource) {
    return resource == null || resource.isEmpty() ? String.valueOf(bare) : bare + "/" + resource;
  }

  private static Element message(String from, String to, String body) throws BadRecordException {
    try {
      return Element.builder("jabber:client", "message")
          .attribute("type", "chat")
          .attribute("from", from)
          .attribute("to", to)
          .child(StoredXml.text("body", body))
          .build();
    } catch (IllegalArgumentException e) {
      throw new BadRecordException("not XML: " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
