package im.zonda.app.transfer.mongooseim;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedMessages;
import im.zonda.app.transfer.Omission;
import im.zonda.app.transfer.ejabberd.EjabberdRoom;
import im.zonda.app.transfer.erlang.Term;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rooms of a MongooseIM: those of XEP-0045, and those of its own *MUC Light*, which become
/// private rooms whose occupants are members.
final class MongooseimRooms {
  private static final String FIRST =
      """
      select id, muc_host, room_name, options from muc_rooms
      where muc_host > ? or (muc_host = ? and room_name > ?)
      order by muc_host, room_name limit 1
      """;

  private static final String FIRST_LIGHT =
      """
      select id, lserver, luser, null from muc_light_rooms
      where lserver > ? or (lserver = ? and luser > ?) order by lserver, luser limit 1
      """;

  private static final String HISTORY =
      """
      select m.id, m.message, m.nick_name, s.user_name, s.server from mam_muc_message m
      left join mam_server_user s on s.id = m.sender_id where m.room_id = ? order by m.id
      """;

  private final ForeignDatabase database;

  MongooseimRooms(ForeignDatabase database) {
    this.database = database;
  }

  /// A room.
  ///
  /// @param options in JSON; null for MUC Light
  private record Row(long id, String host, String name, @Nullable String options) {
    String address() {
      return name + "@" + host;
    }

    String table() {
      return options == null ? "muc_light_rooms" : "muc_rooms";
    }
  }

  private interface Rooms {
    void room(Row row) throws IOException;
  }

  private void each(Rooms rooms) throws IOException {
    each("muc_rooms", FIRST, rooms);
    each("muc_light_rooms", FIRST_LIGHT, rooms);
  }

  /// Not in one query, because each room has queries of its own.
  private void each(String table, String sql, Rooms rooms) throws IOException {
    if (!database.hasTable(table)) {
      return;
    }
    List<Row> found = new ArrayList<>();
    String host = "";
    String name = "";
    do {
      found.clear();
      database.query(
          sql,
          row ->
              found.add(
                  new Row(
                      row.number(1),
                      String.valueOf(row.text(2)),
                      String.valueOf(row.text(3)),
                      row.text(4))),
          host,
          host,
          name);
      for (Row row : found) {
        rooms.room(row);
        host = row.host;
        name = row.name;
      }
    } while (!found.isEmpty());
  }

  private static @Nullable Jid jid(Row row) {
    try {
      return Jid.of(row.name, row.host, null);
    } catch (JidFormatException e) {
      return null;
    }
  }

  private String where(Row row) {
    return database.name() + " " + row.table() + " of " + row.address();
  }

  /// Passes on all rooms.
  void readRooms(ImportSource.Receiver receiver) throws IOException {
    each(row -> {
      Jid room = jid(row);
      try {
        if (room == null) {
          throw new BadRecordException("not an address");
        }
        receiver.room(new EjabberdRoom(room, where(row), options(row)).read(receiver));
      } catch (BadRecordException e) {
        receiver.omit(new Omission(where(row), row.address(), String.valueOf(e.getMessage())));
      }
    });
  }

  /// The options as ejabberd has them.
  private Term options(Row row) throws IOException, BadRecordException {
    String json = row.options;
    List<Term> all = new ArrayList<>();
    if (json != null) {
      all.addAll(JsonTerm.read(json).terms());
    } else {
      all.add(option("members_only", new Term.Atom("true")));
      all.add(option("public", new Term.Atom("false")));
      all.add(option("anonymous", new Term.Atom("false")));
      database.query(
          "select opt, val from muc_light_config where room_id = ?",
          light -> {
            String name = String.valueOf(light.text(1));
            all.add(
                option(
                    name.equals("roomname") ? "title" : name,
                    new Term.Text(String.valueOf(light.text(2)))));
            return true;
          },
          row.id);
    }
    all.add(option("affiliations", affiliations(row)));
    return new Term.Items(all);
  }

  private static Term option(String name, Term value) {
    return new Term.Tuple(List.of(new Term.Atom(name), value));
  }

  private Term affiliations(Row row) throws IOException {
    String table = row.options == null ? "muc_light_occupants" : "muc_room_aff";
    List<Term> all = new ArrayList<>();
    database.query(
        "select luser, lserver, aff from " + table + " where room_id = ?",
        each -> {
          Term user =
              new Term.Tuple(
                  List.of(
                      new Term.Text(String.valueOf(each.text(1))),
                      new Term.Text(String.valueOf(each.text(2))),
                      new Term.Text("")));
          all.add(new Term.Tuple(List.of(user, new Term.Atom(affiliation((int) each.number(3))))));
          return true;
        },
        row.id);
    return new Term.Items(all);
  }

  private static String affiliation(int number) {
    return switch (number) {
      case 1 -> "owner";
      case 2 -> "member";
      case 3 -> "admin";
      case 4 -> "outcast";
      default -> "none";
    };
  }

  /// Passes on the archives of all rooms.
  void readMessages(ImportSource.Receiver receiver) throws IOException {
    if (!database.hasTable("mam_muc_message")) {
      return;
    }
    each(row -> {
      Jid room = jid(row);
      if (room != null && receiver.beginMessages(room)) {
        archive(row, room, receiver);
        receiver.endMessages();
      }
    });
  }

  private void archive(Row room, Jid jid, ImportSource.Receiver receiver) throws IOException {
    long id =
        database.number(
            "select id from mam_server_user where server = ? and user_name = ?",
            room.host,
            room.name);
    database.query(
        HISTORY,
        row -> {
          try {
            String user = row.text(4);
            receiver.message(
                ImportedMessages.ofRoom(
                    jid,
                    ImportedMessages.broadcast(
                        jid,
                        StoredPacket.read(row.bytes(2)),
                        row.text(3),
                        user == null ? null : user + "@" + row.text(5)),
                    MongooseimSource.timeOf(row.number(1))));
          } catch (BadRecordException e) {
            receiver.omit(
                new Omission(
                    database.name() + " mam_muc_message",
                    "a message of " + jid,
                    String.valueOf(e.getMessage())));
          }
          return true;
        },
        id);
  }
}
