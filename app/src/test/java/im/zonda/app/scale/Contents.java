package im.zonda.app.scale;

import im.zonda.app.scale.ManyWrites.Write;
import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.store.Account;
import im.zonda.store.AuditStore;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import im.zonda.store.UploadStore;
import im.zonda.testkit.FakeClock;
import im.zonda.trace.TraceStore;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Fills stores with what a server has, through the stores.
///
/// @param stores on an empty database
/// @param clock of the stores, at [#BEGIN]; ends at [#NOW]
record Contents(Stores stores, FakeClock clock, Size size) {
  /// The host that has most of it.
  static final String HOST = "large.example";

  /// Another host.
  static final String OTHER = "small.example";

  /// The domain of rooms.
  static final String ROOMS = "rooms." + HOST;

  /// The service with nodes.
  static final Jid SERVICE = Jid.of("pubsub." + HOST);

  /// When it was filled.
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /// Who has many of everything.
  static final Jid MAIN = account(0);

  /// The room with many affiliations.
  static final Jid ROOM = room(0);

  /// The node with many items, affiliations and subscriptions.
  static final String NODE = "node000000";

  private static final Duration YEAR = Duration.ofDays(365);

  /// When it began.
  static final Instant BEGIN = NOW.minus(YEAR);

  private static final int PORTION = 500;

  /// As `StoredSettings` writes those of a room.
  private static final String SETTINGS =
      "<room xmlns='urn:zonda:room:0' salt='salt'><x xmlns='jabber:x:data' type='submit'/></room>";

  private static final List<String> OPERATIONS =
      List.of("account.create", "account.disable", "room.destroy", "session.end", "token.create");

  /// How much there is.
  ///
  /// @param accounts of the host; the other one has a tenth
  /// @param contacts how many accounts have five contacts
  /// @param messages that wait
  /// @param files of all accounts; the main one has a tenth
  /// @param most of what the server bounds, or has of one thing: affiliations, disabled accounts
  record Size(
      int accounts,
      int contacts,
      int messages,
      int rooms,
      int events,
      int files,
      int nodes,
      int most) {
    /// For a test of each build.
    static final Size SMALL = new Size(200, 20, 20, 200, 200, 200, 200, 200);

    /// For the measurement.
    static final Size LARGE = new Size(91_000, 20_000, 10_000, 5_000, 200_000, 50_000, 5_000, 500);
  }

  /// An account of the host.
  static Jid account(int number) {
    return Jid.of(String.format(Locale.ROOT, "user%06d", number), HOST, null);
  }

  /// A room of the host.
  static Jid room(int number) {
    return Jid.of(String.format(Locale.ROOT, "room%06d", number), ROOMS, null);
  }

  /// @param keys of the password of all accounts
  void fill(List<ScramKeys> keys) throws InterruptedException {
    accounts(HOST, size.accounts, keys);
    accounts(OTHER, Math.max(1, size.accounts / 10), keys);
    write(size.contacts, i -> contacts(account(i)));
    write(size.messages, this::message);
    write(size.rooms, this::saveRoom);
    write(size.files, this::file);
    nodes();
    write(size.most, this::report);
    journal();
    traces();
    // The first ones log in.
    int disabled = Math.min(size.most, size.accounts / 2);
    write(disabled, i -> disabled(account(size.accounts - 1 - i * (size.accounts / 2 / disabled))));
    for (int i = 0; i < size.events; i += PORTION) {
      int first = i;
      write(Math.min(PORTION, size.events - i), each -> event(first + each));
      moveTo(BEGIN.plus(YEAR.multipliedBy(i).dividedBy(size.events)));
    }
    stores.messages().flush();
    moveTo(NOW);
  }

  private void moveTo(Instant time) {
    clock.advance(Duration.between(clock.instant(), time));
  }

  private static void write(int count, Write write) throws InterruptedException {
    ManyWrites.run(count, write);
  }

  private void accounts(String host, int count, List<ScramKeys> keys) {
    List<Account> all =
        IntStream.range(0, count)
            .mapToObj(i ->
                new Account(Jid.of(account(i).local(), host, null), keys, BEGIN.plusSeconds(i)))
            .toList();
    for (int i = 0; i < count; i += PORTION) {
      stores.accounts().create(all.subList(i, Math.min(count, i + PORTION)));
    }
  }

  private void contacts(Jid owner) {
    for (int i = 1; i <= 5; i++) {
      stores
          .rosters()
          .put(
              owner,
              new RosterItem(
                  account(i),
                  "Contact " + i,
                  Subscription.BOTH,
                  false,
                  false,
                  List.of("Friends"),
                  null,
                  true));
    }
  }

  private void message(int number) {
    Jid owner = account(number % size.accounts);
    Message message =
        Message.of(
            Message.Type.CHAT,
            MAIN,
            owner,
            "m" + number,
            List.of(Element.builder(Namespaces.CLIENT, "body").text("x".repeat(100)).build()));
    try {
      MessageLog.Receipt _ =
          stores
              .messages()
              .append(
                  new MessageLog.Entry(owner, stores.messages().nextId(), MAIN, message),
                  MessageLog.Keep.ARCHIVE,
                  true);
    } catch (StoreException e) {
      throw new IllegalStateException(e);
    }
  }

  /// A tenth is hidden, and a tenth temporary.
  private void saveRoom(int number) {
    List<RoomStore.Affiliation> affiliations = new ArrayList<>();
    affiliations.add(new RoomStore.Affiliation(MAIN, "owner", null, null));
    int members = number == 0 ? size.most * 4 : 5;
    for (int i = 1; i <= members; i++) {
      String affiliation = i % 5 == 0 ? "outcast" : i % 5 == 1 ? "admin" : "member";
      affiliations.add(
          new RoomStore.Affiliation(Jid.of("member" + i, OTHER, null), affiliation, null, null));
    }
    stores
        .rooms()
        .save(
            new RoomStore.Room(
                room(number),
                MAIN,
                BEGIN.plusSeconds((number * 7919L) % size.rooms),
                number % 10 != 3,
                number % 10 != 7,
                "Room " + number,
                SETTINGS),
            affiliations);
  }

  private void file(int number) {
    Jid owner = number % 10 == 0 ? MAIN : account(number % size.accounts);
    stores
        .uploads()
        .add(
            new UploadStore.Upload(
                "slot" + number,
                owner,
                "picture " + number + ".jpeg",
                "image/jpeg",
                10_000 + number,
                HexFormat.of().toHexDigits(number).repeat(8),
                BEGIN.plusSeconds(number),
                null));
  }

  private void nodes() throws InterruptedException {
    write(size.nodes, i -> node(SERVICE, i));
    write(size.nodes / 5, i -> node(i % 10 == 0 ? MAIN : account(i), i));
    List<PubSubStore.Item> items = new ArrayList<>();
    for (int i = 0; i < size.most * 10; i++) {
      String payload = "<x xmlns='urn:x'>" + "x".repeat(1_000) + "</x>";
      items.add(
          new PubSubStore.Item(
              "item" + i, MAIN, BEGIN.plusSeconds(i), payload.getBytes(StandardCharsets.UTF_8)));
    }
    stores.pubSub().publish(SERVICE, NODE, items, items.size());
  }

  private void node(Jid owner, int number) {
    int entries = number == 0 ? size.most * 4 : 1;
    List<PubSubStore.Affiliation> affiliations = new ArrayList<>();
    List<PubSubStore.Subscription> subscriptions = new ArrayList<>();
    affiliations.add(new PubSubStore.Affiliation(MAIN, "owner"));
    for (int i = 0; i < entries; i++) {
      Jid user = Jid.of("member" + i, OTHER, null);
      affiliations.add(new PubSubStore.Affiliation(user, "publisher"));
      subscriptions.add(new PubSubStore.Subscription("sub" + i, user, "subscribed", ""));
    }
    String name = String.format(Locale.ROOT, "node%06d", number);
    stores
        .pubSub()
        .save(new PubSubStore.Node(owner, name, MAIN, BEGIN, ""), affiliations, subscriptions);
  }

  /// As many as there are files.
  private void journal() {
    List<JournalStore.Event> events = new ArrayList<>();
    for (int i = 0; i < size.files; i++) {
      events.add(
          new JournalStore.Event(
              stores.messages().nextId(),
              "",
              "routes",
              i % 2 == 0 ? "blocked-by-receiver" : "stranger",
              account(i % size.accounts),
              i % 3 == 0 ? MAIN : account((i + 1) % size.accounts),
              "chat",
              "m" + i,
              i,
              null));
      if (events.size() == PORTION || i == size.files - 1) {
        stores.journal().append(events);
        events = new ArrayList<>();
      }
    }
  }

  /// As many as there are files.
  private void traces() {
    List<TraceStore.Traced> messages = new ArrayList<>();
    for (int i = 0; i < size.files; i++) {
      messages.add(
          new TraceStore.Traced(
              stores.messages().nextId(),
              i + 1,
              i % 2 == 0 ? "t1" : "t2",
              "",
              account(i % size.accounts),
              i % 3 == 0 ? MAIN : account((i + 1) % size.accounts),
              "chat",
              "m" + i));
      if (messages.size() == PORTION || i == size.files - 1) {
        stores.traces().append(messages, List.of());
        messages = new ArrayList<>();
      }
    }
  }

  /// As `ReportQueue` stores it.
  private void report(int number) {
    Jid reported = account(number % size.accounts);
    String text = account(1) + "\n" + reported + "\nspam\nIt was the same every day.";
    long time = NOW.minus(Duration.ofDays(1)).plusSeconds(number).toEpochMilli();
    put("reports", Jid.of(HOST), String.format(Locale.ROOT, "%015d-%d", time, number), text);
  }

  /// As `StoredDisabling` stores it.
  private void disabled(Jid account) {
    put("disabled", account, "disabled", BEGIN.toEpochMilli() + "\n\nspam");
  }

  private void put(String store, Jid owner, String key, String value) {
    stores.keyValues(store).put(owner, key, value.getBytes(StandardCharsets.UTF_8));
  }

  private void event(int number) {
    long _ =
        stores
            .audit()
            .append(
                new AuditStore.Event(
                    clock.instant().plusMillis(number % PORTION),
                    "admin" + number % 20 + "@" + HOST,
                    "api",
                    "192.0.2.7",
                    OPERATIONS.get(number % OPERATIONS.size()),
                    number % 10 == 0 ? OTHER : HOST,
                    account(number % 5_000).toString(),
                    "done",
                    "{\"reason\":\"spam\"}"));
  }
}
