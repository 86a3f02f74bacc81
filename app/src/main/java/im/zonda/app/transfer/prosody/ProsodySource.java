package im.zonda.app.transfer.prosody;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedMessages;
import im.zonda.app.transfer.Omission;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.xml.Element;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The accounts and rooms of a Prosody. Its configuration is not read: a host with accounts is one,
/// and a component with settings of rooms is a room service.
public final class ProsodySource implements ImportSource {
  private static final int PAGE = 5_000;
  private static final String ACCOUNTS = "accounts";
  private static final String ROSTER = "roster";
  private static final String CONFIG = "config";

  private final ProsodyData data;
  private final InstantSource clock;

  ProsodySource(ProsodyData data, InstantSource clock) {
    this.data = data;
    this.clock = clock;
  }

  /// Opens the data folder of a Prosody that stores in files.
  ///
  /// @throws IOException if there is no such folder
  public static ProsodySource ofFolder(Path folder, InstantSource clock) throws IOException {
    return new ProsodySource(new ProsodyFiles(folder.toRealPath()), clock);
  }

  /// Reads the database of a Prosody, which is closed with the source.
  public static ProsodySource ofDatabase(ForeignDatabase database, InstantSource clock) {
    return new ProsodySource(new ProsodyDatabase(database), clock);
  }

  /// Whether a database is one of Prosody.
  public static boolean recognises(ForeignDatabase database) {
    return ProsodyDatabase.recognises(database);
  }

  /// Whether a folder looks like the data folder of a Prosody.
  public static boolean recognises(Path folder) throws IOException {
    return ProsodyFiles.recognises(folder);
  }

  @Override
  public String name() {
    return data.name();
  }

  /// Accounts whose passwords are kept elsewhere have contacts at least.
  private String listing(String host) throws IOException {
    return data.users(host, ACCOUNTS, null, 1).isEmpty() ? ROSTER : ACCOUNTS;
  }

  @Override
  public long countAccounts() throws IOException {
    long count = 0;
    for (String host : data.hosts()) {
      count += data.count(host, listing(host));
    }
    return count;
  }

  private interface User {
    void read(String host, String user) throws IOException;
  }

  private void eachUser(String store, User action) throws IOException {
    for (String host : data.hosts()) {
      String listed = store.isEmpty() ? listing(host) : store;
      String last = null;
      while (true) {
        List<String> users = data.users(host, listed, last, PAGE);
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

  private @Nullable Jid address(
      String host, String user, String store, @Nullable Receiver receiver) {
    try {
      return Jid.of(user, host, null);
    } catch (JidFormatException e) {
      if (receiver != null) {
        receiver.omit(
            new Omission(data.where(host, user, store), user, "not a name: " + e.getMessage()));
      }
      return null;
    }
  }

  @Override
  public void readAccounts(Receiver receiver) throws IOException {
    eachUser(
        "",
        (host, user) -> {
          Jid account = address(host, user, ACCOUNTS, receiver);
          if (account != null) {
            try {
              receiver.account(
                  new ProsodyAccount(data, host, user, clock.instant()).read(account, receiver));
            } catch (BadRecordException e) {
              receiver.omit(
                  new Omission(
                      data.where(host, user, ACCOUNTS),
                      account.toString(),
                      String.valueOf(e.getMessage())));
            }
          }
        });
  }

  @Override
  public void readRooms(Receiver receiver) throws IOException {
    eachUser(
        CONFIG,
        (host, user) -> {
          Jid room = address(host, user, CONFIG, receiver);
          if (room == null) {
            return;
          }
          String where = data.where(host, user, CONFIG);
          try {
            LuaValue.Table table = data.read(host, user, CONFIG);
            if (table != null) {
              receiver.room(new ProsodyRoom(room, where, table).read(receiver));
            }
          } catch (BadRecordException e) {
            receiver.omit(new Omission(where, room.toString(), String.valueOf(e.getMessage())));
          }
        });
  }

  @Override
  public void readMessages(Receiver receiver) throws IOException {
    eachUser(
        "",
        (host, user) -> {
          Jid account = address(host, user, ACCOUNTS, null);
          if (account != null && receiver.beginMessages(account)) {
            for (String store : List.of("offline", "archive", "archive2")) {
              list(host, user, store, receiver, new Messages(receiver, account, store));
            }
            receiver.endMessages();
          }
        });
    eachUser(
        CONFIG,
        (host, user) -> {
          Jid room = address(host, user, CONFIG, null);
          if (room != null && receiver.beginMessages(room)) {
            list(host, user, "muc_log", receiver, new Messages(receiver, room, "muc_log"));
            receiver.endMessages();
          }
        });
  }

  private void list(
      String host, String user, String store, Receiver receiver, ProsodyData.Items items)
      throws IOException {
    try {
      data.list(host, user, store, items);
    } catch (BadRecordException e) {
      receiver.omit(
          new Omission(
              data.where(host, user, store),
              "the rest of the messages of " + user + "@" + host,
              String.valueOf(e.getMessage())));
    }
  }

  /// Passes on the messages of an owner.
  private record Messages(Receiver receiver, Jid owner, String store) implements ProsodyData.Items {
    @Override
    public void item(String key, @Nullable Instant when, String with, Element element) {
      if (!element.name().name().equals("message")) {
        return; // presence in the archive of a room
      }
      Instant time = when == null ? ImportedMessages.delayOf(element) : when;
      if (time == null) {
        damaged(key, "it has no time");
        return;
      }
      try {
        receiver.message(
            store.equals("muc_log")
                ? ImportedMessages.ofRoom(owner, element, time)
                : ImportedMessages.ofAccount(owner, element, time, store.equals("offline")));
      } catch (BadRecordException e) {
        damaged(key, String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void damaged(String where, String why) {
      receiver.omit(new Omission(where, "a message of " + owner + " in " + store, why));
    }
  }

  @Override
  public void close() throws IOException {
    data.close();
  }
}
