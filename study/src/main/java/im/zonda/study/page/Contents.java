package im.zonda.study.page;

import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.store.Account;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.RoomStore.Affiliation;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Fills a database with what the page shows. The same at each call.
///
/// @param accounts how many accounts: `u0000` and so on, all with [#PASSWORD]
/// @param rooms how many public rooms
/// @param messages how many messages in the archive of each room
public record Contents(int accounts, int rooms, int messages) {
  /// Those of the study.
  public static final Contents OF_STUDY = new Contents(2_000, 100, 100);

  /// The password of all accounts.
  public static final String PASSWORD = "secret";

  private static final int MEMBERS = 40;
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");

  /// The name of a user.
  public static String user(int number) {
    return String.format(Locale.ROOT, "u%04d", number);
  }

  static String room(int number) {
    return String.format(Locale.ROOT, "room%03d", number);
  }

  /// Adds accounts, rooms, their members and messages. Blocks until all is durable.
  ///
  /// @param domain the virtual host
  /// @param service the service with the rooms
  public void fill(Stores stores, String domain, String service, Instant now) {
    byte[] salt = "salt of the page".getBytes(StandardCharsets.US_ASCII);
    List<ScramKeys> keys =
        Passwords.HASHES.stream()
            .map(hash -> Passwords.derive(PASSWORD, hash, salt, Passwords.ITERATIONS))
            .toList();
    List<Account> added = new ArrayList<>();
    for (int i = 0; i < accounts; i++) {
      added.add(new Account(Jid.of(user(i) + "@" + domain), keys, now));
    }
    List<Jid> taken = stores.accounts().create(added);
    if (!taken.isEmpty()) {
      throw new IllegalStateException("the database is not empty: it has " + taken.getFirst());
    }
    for (int i = 0; i < rooms; i++) {
      Jid room = Jid.of(room(i) + "@" + service);
      List<Affiliation> members = new ArrayList<>();
      for (int j = 0; j < MEMBERS; j++) {
        Jid user = added.get((i * MEMBERS + j * 7) % accounts).jid();
        members.add(new Affiliation(user, j == 0 ? "owner" : "member", null, null));
      }
      String name = "Room number " + i;
      stores
          .rooms()
          .save(new RoomStore.Room(room, null, now, true, true, name, ""), distinct(members));
    }
    for (int i = 0; i < rooms * messages; i++) {
      Jid room = Jid.of(room(i % rooms) + "@" + service);
      addMessage(stores.messages(), room, user(i % accounts), i);
    }
    stores.messages().flush();
  }

  private static List<Affiliation> distinct(List<Affiliation> members) {
    List<Affiliation> all = new ArrayList<>();
    for (Affiliation each : members) {
      if (all.stream().noneMatch(other -> other.user().equals(each.user()))) {
        all.add(each);
      }
    }
    return all;
  }

  private static void addMessage(MessageLog log, Jid room, String nick, int number) {
    Jid occupant = Jid.of(room + "/" + nick);
    Message message =
        Message.of(
            Message.Type.GROUPCHAT,
            occupant,
            null,
            "m" + number,
            List.of(Element.text(BODY, "Message number " + number + ", of a few words only")));
    var _ =
        log.append(
            new MessageLog.Entry(room, log.nextId(), occupant, message),
            MessageLog.Keep.ARCHIVE,
            false);
  }
}
