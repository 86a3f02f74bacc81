package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedMessages;
import im.zonda.app.transfer.Omission;
import im.zonda.app.transfer.StoredXml;
import im.zonda.app.transfer.erlang.TermReader;
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

/// The accounts and rooms in the database of an ejabberd, of either schema: the new one has a
/// column with the host, the old one is that of one host.
public final class EjabberdSource implements ImportSource {
  private static final int PAGE = 500;

  private final EjabberdTables tables;
  private final InstantSource clock;

  /// Reads a database, which is closed with the source.
  ///
  /// @param host the host of a database of the old schema, or null
  /// @throws IllegalArgumentException if the host is needed and not given
  public EjabberdSource(ForeignDatabase database, @Nullable String host, InstantSource clock) {
    this.tables = EjabberdTables.of(database, host);
    this.clock = clock;
  }

  /// Whether a database is one of ejabberd.
  public static boolean recognises(ForeignDatabase database) {
    return database.hasTable("users")
        && database.hasColumn("users", "iterationcount")
        && database.hasTable("rosterusers")
        && database.hasTable("spool");
  }

  @Override
  public String name() {
    return "ejabberd " + tables.database().name();
  }

  @Override
  public long countAccounts() throws IOException {
    long count = 0;
    for (String host : tables.hosts()) {
      count += tables.countUsers(host);
    }
    return count;
  }

  private interface User {
    void read(String host, String user) throws IOException;
  }

  private void eachUser(User action) throws IOException {
    for (String host : tables.hosts()) {
      String last = "";
      while (true) {
        List<String> users = tables.users(host, last, PAGE);
        for (String user : users) {
          action.read(host, user);
          last = user;
        }
        if (users.size() < PAGE) {
          break;
        }
      }
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
    return tables.database().name() + " " + table + " of " + owner;
  }

  @Override
  public void readAccounts(Receiver receiver) throws IOException {
    eachUser((host, user) -> {
      receiver.account(
          where("users", user + "@" + host),
          user,
          address(user, host),
          new EjabberdAccount(tables, host, user, clock.instant())::read);
    });
  }

  private record Row(String name, String host, String opts) {}

  @Override
  public void readRooms(Receiver receiver) throws IOException {
    if (!tables.database().hasTable("muc_room")) {
      return;
    }
    for (Row row = room(null); row != null; row = room(row)) {
      String where = where("muc_room", row.name + "@" + row.host);
      Jid room = address(row.name, row.host);
      try {
        if (room == null) {
          throw new BadRecordException("not an address");
        }
        receiver.room(new EjabberdRoom(room, where, TermReader.read(row.opts)).read(receiver));
      } catch (BadRecordException e) {
        receiver.omit(
            new Omission(where, row.name + "@" + row.host, String.valueOf(e.getMessage())));
      }
    }
  }

  /// The room after that one, or the first; null if there is none.
  private @Nullable Row room(@Nullable Row after) throws IOException {
    List<Row> found = new ArrayList<>();
    String host = after == null ? "" : after.host;
    tables
        .database()
        .query(
            """
            select name, host, opts from muc_room
            where host > ? or (host = ? and name > ?) order by host, name limit 1
            """,
            row -> {
              found.add(
                  new Row(
                      String.valueOf(row.text(1)),
                      String.valueOf(row.text(2)),
                      String.valueOf(row.text(3))));
              return false;
            },
            host,
            host,
            after == null ? "" : after.name);
    return found.isEmpty() ? null : found.getFirst();
  }

  @Override
  public void readMessages(Receiver receiver) throws IOException {
    eachUser((host, user) -> {
      Jid account = address(user, host);
      if (account != null && receiver.beginMessages(account)) {
        waiting(receiver, account, host, user);
        if (tables.database().hasTable("archive")) {
          archive(receiver, account, host, user);
        }
        receiver.endMessages();
      }
    });
    if (!tables.database().hasTable("muc_room") || !tables.database().hasTable("archive")) {
      return;
    }
    for (Row row = room(null); row != null; row = room(row)) {
      Jid room = address(row.name, row.host);
      if (room != null && receiver.beginMessages(room)) {
        roomArchive(receiver, room);
        receiver.endMessages();
      }
    }
  }

  private void waiting(Receiver receiver, Jid account, String host, String user)
      throws IOException {
    tables.query(
        "select xml from spool where %s order by seq",
        row -> {
          try {
            Element element = StoredXml.read(String.valueOf(row.text(1)));
            Instant time = ImportedMessages.delayOf(element);
            receiver.message(
                ImportedMessages.ofAccount(
                    account, element, time == null ? clock.instant() : time, true));
          } catch (BadRecordException e) {
            omit(receiver, "spool", account, e);
          }
          return true;
        },
        host,
        user);
  }

  private void omit(Receiver receiver, String table, Jid owner, BadRecordException cause) {
    receiver.omit(
        new Omission(
            where(table, owner.toString()), "a message", String.valueOf(cause.getMessage())));
  }

  private void archive(Receiver receiver, Jid account, String host, String user)
      throws IOException {
    tables.query(
        "select timestamp, xml from archive where %s order by timestamp, id",
        row -> {
          try {
            Element element = StoredXml.read(String.valueOf(row.text(2)));
            receiver.message(
                ImportedMessages.ofAccount(
                    account, element, ImportedMessages.ofMicros(row.number(1)), false));
          } catch (BadRecordException e) {
            omit(receiver, "archive", account, e);
          }
          return true;
        },
        host,
        user);
  }

  /// The archive of a room has messages as they were sent to it.
  private void roomArchive(Receiver receiver, Jid room) throws IOException {
    tables
        .database()
        .query(
            """
            select timestamp, xml, nick, peer from archive
            where username = ? order by timestamp, id
            """,
            row -> {
              try {
                Element element = StoredXml.read(String.valueOf(row.text(2)));
                receiver.message(
                    ImportedMessages.ofRoom(
                        room,
                        ImportedMessages.broadcast(room, element, row.text(3), row.text(4)),
                        ImportedMessages.ofMicros(row.number(1))));
              } catch (BadRecordException e) {
                omit(receiver, "archive", room, e);
              }
              return true;
            },
            room.toString());
  }

  @Override
  public void close() throws IOException {
    tables.database().close();
  }
}
