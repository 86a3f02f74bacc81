package im.zonda.app.transfer.mongooseim;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedMessages;
import im.zonda.app.transfer.Omission;
import im.zonda.app.transfer.ejabberd.EjabberdTables;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The accounts and rooms in the database of a MongooseIM of version 5 or 6. Its tables have begun
/// as those of ejabberd.
public final class MongooseimSource implements ImportSource {
  private static final int PAGE = 500;
  private static final int NODE_BITS = 8;

  private final EjabberdTables tables;
  private final ForeignDatabase database;
  private final MongooseimRooms rooms;
  private final InstantSource clock;

  /// Reads a database, which is closed with the source.
  public MongooseimSource(ForeignDatabase database, InstantSource clock) {
    this.tables = new EjabberdTables(database, null, "server");
    this.database = database;
    this.rooms = new MongooseimRooms(database);
    this.clock = clock;
  }

  /// Whether a database is one of MongooseIM.
  public static boolean recognises(ForeignDatabase database) {
    return database.hasColumn("users", "pass_details")
        && database.hasColumn("users", "server")
        && database.hasTable("rosterusers");
  }

  @Override
  public String name() {
    return "MongooseIM " + database.name();
  }

  @Override
  public long countAccounts() throws IOException {
    return database.number("select count(*) from users");
  }

  private interface User {
    void read(String host, String user) throws IOException;
  }

  private void eachUser(User action) throws IOException {
    for (String host : tables.hosts()) {
      List<String> users;
      String last = "";
      do {
        users = tables.users(host, last, PAGE);
        for (String user : users) {
          action.read(host, user);
          last = user;
        }
      } while (users.size() == PAGE);
    }
  }

  private static @Nullable Jid address(String user, String host) {
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
    eachUser((host, user) -> {
      receiver.account(
          where("users", user + "@" + host),
          user,
          address(user, host),
          new MongooseimAccount(tables, host, user, clock.instant())::read);
    });
  }

  @Override
  public void readRooms(Receiver receiver) throws IOException {
    rooms.readRooms(receiver);
  }

  @Override
  public void readMessages(Receiver receiver) throws IOException {
    eachUser((host, user) -> {
      Jid account = address(user, host);
      if (account != null && receiver.beginMessages(account)) {
        if (database.hasTable("offline_message")) {
          waiting(receiver, account, host, user);
        }
        if (database.hasTable("mam_message")) {
          archive(receiver, account, host, user);
        }
        receiver.endMessages();
      }
    });
    rooms.readMessages(receiver);
  }

  private void omit(Receiver receiver, String table, Jid owner, BadRecordException cause) {
    receiver.omit(
        new Omission(
            where(table, owner.toString()), "a message", String.valueOf(cause.getMessage())));
  }

  private void waiting(Receiver receiver, Jid account, String host, String user)
      throws IOException {
    tables.query(
        """
        select timestamp, from_jid, packet from offline_message
        where (expire is null or expire > ?) and %s order by timestamp, id
        """
            .replace("?", Long.toString(micros(clock.instant()))),
        row -> {
          try {
            Element packet = StoredPacket.read(row.bytes(3));
            receiver.message(
                ImportedMessages.ofAccount(
                    account,
                    withAddress(packet, "from", row.text(2)),
                    ImportedMessages.ofMicros(row.number(1)),
                    true));
          } catch (BadRecordException e) {
            omit(receiver, "offline_message", account, e);
          }
          return true;
        },
        host,
        user);
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  private static Element withAddress(Element packet, String name, @Nullable String address)
      throws BadRecordException {
    try {
      return packet.attribute(name) != null || address == null
          ? packet
          : packet.toBuilder().attribute(name, address).build();
    } catch (IllegalArgumentException e) {
      throw new BadRecordException("not an address: " + e.getMessage());
    }
  }

  /// Messages in groups are in the archives of the rooms, too.
  private void archive(Receiver receiver, Jid account, String host, String user)
      throws IOException {
    database.query(
        """
        select m.id, m.message, m.from_jid, m.remote_bare_jid, m.direction from mam_message m
        join mam_server_user u on u.id = m.user_id
        where u.server = ? and u.user_name = ? order by m.id
        """,
        row -> {
          try {
            Element packet = StoredPacket.read(row.bytes(2));
            String from = MinifiedJid.expand(account, String.valueOf(row.text(3)));
            String to =
                "O".equals(row.text(5))
                    ? MinifiedJid.expand(account, String.valueOf(row.text(4)))
                    : account.toString();
            if (!"groupchat".equals(packet.attribute("type"))) {
              receiver.message(
                  ImportedMessages.ofAccount(
                      account,
                      withAddress(withAddress(packet, "from", from), "to", to),
                      timeOf(row.number(1)),
                      false));
            }
          } catch (BadRecordException e) {
            omit(receiver, "mam_message", account, e);
          }
          return true;
        },
        host,
        user);
  }

  /// The time in an id of the archive: microseconds since 1970, then the number of a node.
  static Instant timeOf(long id) {
    return ImportedMessages.ofMicros(id >> NODE_BITS);
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
