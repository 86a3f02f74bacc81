package im.zonda.storage.sql.copy;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.Account;
import im.zonda.store.AuditStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Node;
import im.zonda.store.PubSubStore.Order;
import im.zonda.store.PubSubStore.Page;
import im.zonda.store.RoomStore.Affiliation;
import im.zonda.store.RoomStore.Room;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.StanzaIds;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import im.zonda.store.UploadStore.Upload;
import im.zonda.trace.TraceStore;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/// A database with something in each table, and what the ports show of it.
public final class FilledStores {
  static final String DOMAIN = "example.net";
  static final String ROOMS = "rooms.example.net";
  static final Jid ROMEO = Jid.of("romeo@example.net");
  static final Jid JULIET = Jid.of("juliet@example.net");
  static final Jid SERVICE = Jid.of("pubsub.example.net");
  static final Jid GARDEN = Jid.of("garden@rooms.example.net");

  private static final Jid LAST = Jid.of("last@example.net");
  private static final Jid PHONE = Jid.of("romeo@example.net/phone");
  private static final List<String> NAMES = List.of("vcard", "private", "empty");
  private static final int BYTES = 256;

  /// How large the largest value and the largest message are.
  ///
  /// @param value bytes of a value
  /// @param body characters of a message
  public record Largest(int value, int body) {
    /// Larger than what a database sends at once.
    static final Largest USUAL = new Largest(3 << 20, 200_000);
  }

  private static final String SLICE =
      "insert into archive_slice (slice, level, first_id, last_id, entries, removed)"
          + " values (?, -2, 1, 2, 3, 4)";
  private static final String CHUNK =
      "insert into archive_chunk (slice, last_key, last_id, data) values (?, ?, ?, ?)";

  private FilledStores() {}

  public static SqlStores open(TestDatabase database, Path folder) {
    return open(database, folder, InstantSource.system());
  }

  private static SqlStores open(TestDatabase database, Path folder, InstantSource time) {
    return SqlStores.open(folder, settings(database, folder), Limits.defaults(), time);
  }

  /// The settings with the database of a folder.
  public static Storage settings(TestDatabase database, Path folder) {
    return database.emptySettings(folder, new Storage(true, true, 0, 512, true));
  }

  /// Fills a database and closes it.
  public static void fill(TestDatabase database, Path folder) throws SQLException {
    fill(database, folder, InstantSource.system(), Largest.USUAL);
  }

  /// Fills a database and closes it; with a clock that stands still the content is always the same.
  public static void fill(TestDatabase database, Path folder, InstantSource time, Largest largest)
      throws SQLException {
    try (SqlStores stores = open(database, folder, time)) {
      fillAccounts(stores, largest.value());
      fillRooms(stores);
      fillNodes(stores);
      stores.keyValues("host").put(LAST.domainJid(), "a key", new byte[] {1});
      stores.accounts().create(List.of(StoresContract.account(LAST))); // has the highest id
      fillUploads(stores);
      fillAudit(stores);
      fillJournal(stores);
      fillHistory(stores);
      fillTraces(stores);
      fillMessages(stores, largest.body());
      stores.accounts().remove(LAST);
    }
    fillIndex(database, folder);
  }

  private static void fillAccounts(Stores stores, int largest) {
    Jid symbols = Jid.of("l\u00e4rche", DOMAIN, null);
    stores
        .accounts()
        .create(
            List.of(
                StoresContract.account(ROMEO),
                StoresContract.account(JULIET),
                new Account(symbols, List.of(), StoresContract.NOON)));
    byte[] all = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      all[i] = (byte) i;
    }
    stores.keyValues("vcard").put(JULIET, "", all);
    stores.keyValues("vcard").put(ROMEO, "photo", new byte[largest]);
    stores.keyValues("empty").put(ROMEO, "k", new byte[0]);
    for (String key :
        List.of("{urn:x}\ud83d\ude80", "e\u0301", "\u00e9", " ", "A", "a", "x".repeat(5_000))) {
      stores.keyValues("private").put(ROMEO, key, key.getBytes(StandardCharsets.UTF_8));
    }
    Presence request = Presence.of(Presence.Type.SUBSCRIBE, ROMEO, JULIET, null, List.of());
    for (int i = 0; i < 7; i++) {
      Jid contact = Jid.of("contact" + i, "example.org", null);
      RosterItem item =
          new RosterItem(
              contact,
              i == 0 ? null : i == 1 ? "" : "N\u00e4me \ud83d\ude80 " + i,
              i % 2 == 0 ? Subscription.BOTH : Subscription.NONE,
              i % 2 == 0,
              i % 3 == 0,
              i == 2 ? List.of() : List.of("Friends", "'; --\u202e"),
              i == 5 ? request : null,
              i != 5);
      stores.rosters().put(JULIET, item);
      stores.rosters().put(ROMEO, item);
    }
  }

  private static void fillRooms(Stores stores) {
    stores
        .rooms()
        .save(
            new Room(GARDEN, JULIET, StoresContract.NOON, true, true, "The garden", "a = 1\n"),
            List.of(
                new Affiliation(JULIET, "owner", "Juliet", null),
                new Affiliation(ROMEO, "member", null, ""),
                new Affiliation(Jid.of("example.org"), "outcast", null, "the whole domain")));
    stores
        .rooms()
        .save(
            new Room(
                Jid.of("tomb@rooms.example.net"), null, StoresContract.NOON, false, false, "", ""),
            List.of());
    Jid cave = Jid.of("cave@rooms.example.net");
    stores
        .rooms()
        .save(
            new Room(cave, JULIET, StoresContract.NOON, true, true, "The c\u00e4ve", "b = 2\n"),
            List.of(new Affiliation(JULIET, "owner", null, null)));
    stores.rooms().removeRestorably(cave, StoresContract.NOON.plusSeconds(1), 10);
  }

  private static void fillNodes(Stores stores) {
    for (Jid owner : List.of(ROMEO, SERVICE)) {
      for (String name : List.of("urn:x", "n\u00f6de '; --")) {
        stores
            .pubSub()
            .save(
                new Node(owner, name, JULIET, StoresContract.NOON, "access_model=open\n"),
                List.of(new PubSubStore.Affiliation(JULIET, "owner")),
                List.of(new PubSubStore.Subscription("s1", PHONE, "subscribed", "deliver=0")));
        for (int i = 0; i < 5; i++) {
          byte[] payload =
              ("<x xmlns='urn:x'>\ud83d\ude80 " + i + "</x>").getBytes(StandardCharsets.UTF_8);
          stores
              .pubSub()
              .publish(
                  owner, name, List.of(new Item("i" + i, PHONE, StoresContract.NOON, payload)), 4);
        }
      }
      boolean _ = stores.pubSub().associate(owner, "urn:x", "n\u00f6de '; --");
    }
  }

  private static void fillUploads(Stores stores) {
    for (int i = 0; i < 3; i++) {
      stores
          .uploads()
          .add(
              new Upload(
                  "slot" + i,
                  ROMEO,
                  "n\u00f6te '; --.txt",
                  "text/plain",
                  i,
                  "ab".repeat(32),
                  StoresContract.NOON,
                  i == 0 ? null : StoresContract.NOON.plusSeconds(i)));
    }
  }

  private static void fillAudit(Stores stores) {
    for (int i = 0; i < 3; i++) {
      stores
          .audit()
          .append(
              new AuditStore.Event(
                  StoresContract.NOON.plusSeconds(i),
                  "admin '; --",
                  "rest",
                  i == 0 ? null : "192.0.2.7",
                  "account.add",
                  i == 0 ? null : DOMAIN,
                  i == 0 ? null : "l\u00e4rche@example.net",
                  "done",
                  i == 0 ? null : "n\u00e4me: \ud83d\ude80"));
    }
  }

  private static void fillJournal(Stores stores) {
    for (int i = 0; i < 3; i++) {
      stores
          .journal()
          .append(
              List.of(
                  new JournalStore.Event(
                      1_000_000L + i,
                      i == 0 ? "" : "n1",
                      "home",
                      "not-connected",
                      PHONE,
                      i == 0 ? null : JULIET,
                      "chat",
                      i == 0 ? null : "'; --",
                      i,
                      i == 0 ? null : "n\u00e4me")));
    }
  }

  private static void fillHistory(Stores stores) {
    for (int i = 0; i < 3; i++) {
      stores
          .history()
          .put(
              new HistoryStore.Part(i == 0 ? "" : "n'1", 60, 3_600L * (i / 2), new byte[] {0, -1}));
    }
  }

  private static String history(Stores stores) {
    StringBuilder text = new StringBuilder();
    for (String node : stores.history().nodes()) {
      for (HistoryStore.Part each : stores.history().read(node, 60, 0, Long.MAX_VALUE)) {
        text.append(node)
            .append(each.begin())
            .append(HexFormat.of().formatHex(each.data()))
            .append(' ');
      }
    }
    return text.toString();
  }

  private static void fillTraces(Stores stores) {
    for (int i = 0; i < 3; i++) {
      long trace = i + 1L;
      String text = i == 0 ? null : "n\u00e4me'; --";
      stores
          .traces()
          .append(
              List.of(
                  new TraceStore.Traced(
                      1_000_000L + i,
                      trace,
                      "t1",
                      i == 0 ? "" : "n1",
                      PHONE,
                      i == 0 ? null : JULIET,
                      "chat",
                      text)),
              List.of(
                  new TraceStore.Step(
                      2_000_000L + i, trace, 5, "", "home", "received", text, text)));
    }
  }

  private static void fillMessages(Stores stores, int largest) {
    MessageLog log = stores.messages();
    for (int i = 0; i < 20; i++) {
      Entry sent =
          new Entry(ROMEO, log.nextId(), JULIET, message(PHONE, JULIET, "shared word" + i));
      String id = "<stanza-id xmlns='urn:xmpp:sid:0' by='" + JULIET + "' id='" + sent.id() + "'/>";
      Message stamped =
          sent.message().withPayload(StanzaIds.NAME, id.getBytes(StandardCharsets.US_ASCII));
      log.append(new Entry(JULIET, sent.id(), PHONE, stamped), Keep.ARCHIVE, i % 4 == 0, sent);
      if (i == 3) {
        log.flush();
        stores.archive().replace(JULIET, sent.id(), message(PHONE, JULIET, ""));
      } else if (i == 4) {
        log.flush();
        stores.archive().replace(ROMEO, sent.id(), message(PHONE, JULIET, "corrected"));
      }
    }
    append(log, JULIET, "only until delivered \ud83d\ude80", Keep.UNTIL_DELIVERED, true);
    append(log, JULIET, "x".repeat(largest), Keep.ARCHIVE, true);
    append(log, GARDEN, "said in the garden", Keep.ARCHIVE, false);
    append(log, LAST, "of a removed owner", Keep.ARCHIVE, false);
    log.flush();
  }

  private static void append(MessageLog log, Jid owner, String body, Keep keep, boolean waiting) {
    log.append(new Entry(owner, log.nextId(), PHONE, message(PHONE, owner, body)), keep, waiting);
  }

  private static Message message(Jid from, Jid to, String body) {
    return StoresContract.message(from, to, body);
  }

  /// Slices that are to be deleted: a small log has no others.
  private static void fillIndex(TestDatabase database, Path folder) throws SQLException {
    try (Connection connection = database.connect(folder);
        PreparedStatement slice = connection.prepareStatement(SLICE);
        PreparedStatement chunk = connection.prepareStatement(CHUNK)) {
      for (long number = 1; number <= 3; number++) {
        slice.setLong(1, number);
        slice.executeUpdate();
        for (int i = 0; i < 8; i++) {
          chunk.setLong(1, number);
          chunk.setLong(2, i < 2 ? -5 : i / 3);
          chunk.setLong(3, i);
          chunk.setBytes(4, new byte[] {0, (byte) i, -1});
          chunk.executeUpdate();
        }
      }
    }
    // An account of an earlier version, of which nothing has been erased yet.
    database.execute(folder, "insert into removed_owner (owner_id, erased_to) values (77, -1)");
  }

  /// Everything that the ports show, as text.
  public static String show(Stores stores) {
    List<String> lines = new ArrayList<>();
    for (String domain : List.of(DOMAIN, ROOMS)) {
      for (Jid jid : stores.accounts().list(domain, null, 100)) {
        Account account = stores.accounts().find(jid);
        lines.add("account " + jid + " " + (account == null ? "" : account.created()));
        if (account != null) {
          account.keys().forEach(keys -> lines.add("keys " + show(keys)));
        }
        show(stores, jid, lines);
      }
      for (Jid jid : stores.rooms().list(domain, null, 100)) {
        lines.add("room " + stores.rooms().find(jid));
        show(stores, jid, lines);
      }
      for (Jid jid : List.of(ROMEO, SERVICE)) {
        lines.add("nodes " + stores.pubSub().findAll(jid));
        lines.add("children " + stores.pubSub().children(jid, "urn:x", null, 10));
        for (String name : stores.pubSub().list(jid, null, 10)) {
          for (Order order : Order.values()) {
            Page page = stores.pubSub().page(jid, name, order, null, false, 10);
            for (Item item : page == null ? List.<Item>of() : page.items()) {
              lines.add(
                  "item "
                      + item.id()
                      + item.publisher()
                      + item.published()
                      + new String(item.payload(), StandardCharsets.UTF_8));
            }
          }
        }
      }
      lines.add("removed " + stores.rooms().removed(domain, null, 10));
      lines.add("created " + stores.rooms().created(domain, JULIET));
      lines.add("listed " + stores.rooms().listed(domain, null, "garden", 100));
    }
    lines.add("uploads " + stores.uploads().list(ROMEO, Instant.EPOCH, 10));
    lines.add("history " + history(stores));
    lines.add("traces " + stores.traces().find(TraceStore.Query.newest(10)));
    lines.add("steps " + stores.traces().steps(1) + stores.traces().steps(2));
    lines.add("journal " + stores.journal().find(JournalStore.Query.newest(10)));
    lines.add("audit " + stores.audit().find(AuditStore.Query.newest(10)));
    return String.join("\n", lines);
  }

  private static String show(ScramKeys keys) {
    HexFormat hex = HexFormat.of();
    return keys.hash()
        + " "
        + hex.formatHex(keys.salt())
        + " "
        + keys.iterations()
        + " "
        + hex.formatHex(keys.storedKey())
        + " "
        + hex.formatHex(keys.serverKey());
  }

  private static void show(Stores stores, Jid jid, List<String> lines) {
    RosterStore.Roster roster = stores.rosters().load(jid);
    lines.add("roster " + roster.version());
    roster.items().stream().map(FilledStores::show).sorted().forEach(lines::add);
    for (String name : NAMES) {
      new TreeMap<>(stores.keyValues(name).all(jid))
          .forEach((key, value) ->
              lines.add("value " + name + " " + key + " " + HexFormat.of().formatHex(value)));
    }
    stores.messages().waiting(jid, 0, 1_000).forEach(entry -> lines.add("waits " + show(entry)));
    Portion all = new Portion(false, 1_000, 1L << 30);
    stores.archive().page(jid, MessageArchive.Filter.ALL, all).entries().stream()
        .forEach(entry -> lines.add("archived " + show(entry)));
    for (String text : List.of("word7", "corrected", "garden")) {
      MessageArchive.Filter filter =
          new MessageArchive.Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, null, text);
      stores.archive().page(jid, filter, all).entries().stream()
          .forEach(entry -> lines.add("found " + text + " " + entry.id()));
    }
  }

  private static String show(RosterItem item) {
    Presence request = item.request();
    return "item "
        + List.of(
            item.jid(),
            String.valueOf(item.name()),
            item.subscription(),
            item.ask(),
            item.approved(),
            item.groups(),
            item.listed(),
            request == null ? "" : request.toElement());
  }

  private static String show(Entry entry) {
    Element element = entry.message().toElement();
    return entry.id() + " " + entry.with() + " " + element;
  }
}
