package im.zonda.storage.sql.failure;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.AccountStore;
import im.zonda.store.PubSubStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore.Roster;
import im.zonda.store.Subscription;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// A row that cannot be read costs only itself: an account, a room or a node works without it.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
class UnreadableRowTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Jid NURSE = Jid.of("nurse@example.net");
  private static final Jid ROOM = Jid.of("coven@rooms.example.net");

  private final TestDatabase database;
  @TempDir Path folder;

  UnreadableRowTest(TestDatabase database) {
    this.database = database;
  }

  private SqlStores open() {
    return SqlStores.open(
        folder,
        database.settings(folder, new Storage(true, true, 0, 512)),
        Limits.defaults(),
        InstantSource.system());
  }

  private String bytes(String text) {
    String hex = HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    return database == TestDatabase.POSTGRESQL ? "'\\x" + hex + "'" : "x'" + hex + "'";
  }

  private static RosterItem contact(Jid jid, Subscription subscription) {
    Presence request = Presence.of(Presence.Type.SUBSCRIBE, jid, ROMEO, null, List.of());
    return new RosterItem(jid, null, subscription, false, false, List.of(), request, true);
  }

  private static Roster rosterOfHome(SqlStores stores) {
    return Objects.requireNonNull(stores.readHome(ROMEO, Set.of(), 0)).roster();
  }

  @Test
  void aSubscriptionRequestCostsOnlyItself() throws SQLException {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      stores.rosters().put(ROMEO, contact(JULIET, Subscription.TO));
      stores.rosters().put(ROMEO, contact(NURSE, Subscription.NONE));
    }
    database.execute(
        folder,
        "update roster_item set request = " + bytes("<presence") + " where jid like 'juliet%'");
    try (SqlStores stores = open()) {
      for (Roster roster : List.of(stores.rosters().load(ROMEO), rosterOfHome(stores))) {
        assertThat(roster.items())
            .extracting(RosterItem::jid)
            .containsExactlyInAnyOrder(JULIET, NURSE);
        for (RosterItem item : roster.items()) {
          assertThat(item.request() == null).isEqualTo(item.jid().equals(JULIET));
          assertThat(item.subscription())
              .isEqualTo(item.jid().equals(JULIET) ? Subscription.TO : Subscription.NONE);
        }
      }
    }
  }

  @Test
  void aContactCostsOnlyItself() throws SQLException {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      for (Jid jid : List.of(JULIET, NURSE, ROMEO)) {
        stores.rosters().put(ROMEO, contact(jid, Subscription.BOTH));
      }
    }
    database.execute(
        folder,
        "update roster_item set jid = '@@' where jid like 'juliet%'",
        "update roster_item set subscription = 'all' where jid like 'nurse%'");
    try (SqlStores stores = open()) {
      for (Roster roster : List.of(stores.rosters().load(ROMEO), rosterOfHome(stores))) {
        assertThat(roster.items()).extracting(RosterItem::jid).containsExactly(ROMEO);
      }
    }
  }

  @Test
  void anAccountCostsOnlyItself() throws SQLException {
    try (SqlStores stores = open()) {
      stores
          .accounts()
          .create(List.of(ROMEO, JULIET, NURSE).stream().map(StoresContract::account).toList());
      for (Jid jid : List.of(ROMEO, JULIET, NURSE)) {
        stores.keyValues("search").put(jid, "name", "x".getBytes(StandardCharsets.UTF_8));
      }
    }
    database.execute(folder, "update account set local = 'k@k' where local = 'juliet'");
    try (SqlStores stores = open()) {
      assertThat(stores.accounts().list("example.net", null, 1)).containsExactly(NURSE);
      assertThat(stores.accounts().list("example.net", null, 2)).containsExactly(NURSE, ROMEO);
      assertThat(stores.accounts().list("example.net", null, 100)).containsExactly(NURSE, ROMEO);
      Map<Jid, byte[]> found =
          stores
              .keyValues("search")
              .find("example.net", "name", "x".getBytes(StandardCharsets.UTF_8), null, 2);
      assertThat(found.keySet()).containsExactly(NURSE, ROMEO);
    }
  }

  /// Addresses under older rules are read, others are skipped.
  @Test
  void whoKnowsARemovedAccountIsFoundAllTheSame() throws SQLException {
    Jid service = Jid.of("pubsub.example.net");
    try (SqlStores stores = open()) {
      stores
          .accounts()
          .create(List.of(ROMEO, JULIET, NURSE).stream().map(StoresContract::account).toList());
      for (Jid owner : List.of(ROMEO, JULIET, NURSE)) {
        stores.rosters().put(owner, contact(NURSE, Subscription.BOTH));
      }
      for (Jid owner : List.of(ROMEO, JULIET, service)) {
        stores
            .pubSub()
            .save(
                new PubSubStore.Node(owner, "node", owner, StoresContract.NOON, ""),
                List.of(new PubSubStore.Affiliation(NURSE, "member")),
                List.of());
      }
      for (String name : List.of("coven", "a", "b")) {
        stores
            .rooms()
            .save(
                room(Jid.of(name + "@rooms.example.net")),
                List.of(new RoomStore.Affiliation(NURSE, "member", null, null)));
      }
    }
    database.execute(
        folder,
        "update account set local = 'k@k' where local = 'juliet'",
        "update account set local = 'r\u00b7o' where local = 'romeo'",
        "update room set local = 'a@a' where local = 'a'",
        "update room set local = 'b\u00b7b' where local = 'b'");
    Jid renamed = Jid.stored("r\u00b7o@example.net");
    try (SqlStores stores = open()) {
      assertThat(stores.rosters().subscribedOwners(NURSE, 10))
          .containsExactlyInAnyOrder(renamed, NURSE);
      assertThat(stores.pubSub().placesOf(NURSE, 10))
          .containsExactlyInAnyOrder(
              new PubSubStore.Place(renamed, "node"), new PubSubStore.Place(service, "node"));
      assertThat(stores.rooms().affiliatedRooms(NURSE, 10))
          .containsExactlyInAnyOrder(ROOM, Jid.stored("b\u00b7b@rooms.example.net"));
    }
  }

  @Test
  void aRemovedAccountCostsOnlyItself() throws SQLException {
    Jid renamed = Jid.stored("r\u00b7o@example.net");
    try (SqlStores stores = open()) {
      stores
          .accounts()
          .create(List.of(ROMEO, JULIET, NURSE).stream().map(StoresContract::account).toList());
      stores.rosters().put(NURSE, contact(ROMEO, Subscription.TO));
      for (Jid jid : List.of(ROMEO, JULIET, NURSE)) {
        stores.accounts().remove(jid);
      }
    }
    // A reserved word in both.
    String key = database == TestDatabase.MARIADB ? "`key`" : "\"key\"";
    database.execute(
        folder,
        "update key_value set " + key + " = 'k@k' where " + key + " = 'juliet'",
        "update key_value set " + key + " = 'r\u00b7o' where " + key + " = 'romeo'");
    try (SqlStores stores = open()) {
      assertThat(stores.accounts().removed("example.net", null, 2))
          .extracting(AccountStore.Removed::jid)
          .containsExactly(NURSE, renamed);
      assertThat(stores.accounts().removed("example.net", renamed, 2))
          .extracting(AccountStore.Removed::jid)
          .containsExactly(renamed);
      assertThat(stores.accounts().release(renamed)).isTrue();
    }
  }

  @Test
  void aQueueForAnotherServerCostsOnlyItself() throws SQLException {
    try (SqlStores stores = open()) {
      for (String remote : List.of("a.example", "b.example", "c.example")) {
        stores.remoteQueues().create(Jid.of("example.net/" + remote));
      }
    }
    database.execute(folder, "update account set local = '/b\u0001' where local = '/b.example'");
    try (SqlStores stores = open()) {
      assertThat(stores.remoteQueues().list("example.net", null, 2))
          .containsExactly(Jid.of("example.net/a.example"), Jid.of("example.net/c.example"));
    }
  }

  private static RoomStore.Room room(Jid jid) {
    return new RoomStore.Room(jid, ROMEO, StoresContract.NOON, true, true, "", "");
  }

  @Test
  void anAffiliationCostsOnlyItselfAndARoomToo() throws SQLException {
    try (SqlStores stores = open()) {
      for (String name : List.of("coven", "a", "b")) {
        stores
            .rooms()
            .save(
                room(Jid.of(name + "@rooms.example.net")),
                List.of(
                    new RoomStore.Affiliation(ROMEO, "owner", null, null),
                    new RoomStore.Affiliation(JULIET, "member", null, null)));
      }
    }
    database.execute(
        folder,
        "update room set creator = '@@'",
        "update room_affiliation set jid = '@@' where jid like 'juliet%'",
        "update room set local = 'a@a' where local = 'a'");
    try (SqlStores stores = open()) {
      RoomStore.Stored room = Objects.requireNonNull(stores.rooms().find(ROOM));
      assertThat(room.room().creator()).isNull();
      assertThat(room.affiliations())
          .extracting(RoomStore.Affiliation::user)
          .containsExactly(ROMEO);
      Jid other = Jid.of("b@rooms.example.net");
      assertThat(stores.rooms().list("rooms.example.net", null, 2)).containsExactly(other, ROOM);
      assertThat(stores.rooms().listed("rooms.example.net", null, null, 2))
          .extracting(RoomStore.Room::jid)
          .containsExactly(other, ROOM);
    }
  }

  private static PubSubStore.Item item(String id) {
    return new PubSubStore.Item(id, JULIET, StoresContract.NOON, new byte[0]);
  }

  @Test
  void whatANodeHasCostsOnlyItself() throws SQLException {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      stores
          .pubSub()
          .save(
              new PubSubStore.Node(ROMEO, "node", ROMEO, StoresContract.NOON, ""),
              List.of(
                  new PubSubStore.Affiliation(ROMEO, "owner"),
                  new PubSubStore.Affiliation(JULIET, "publisher")),
              List.of(
                  new PubSubStore.Subscription("a", ROMEO, "subscribed", ""),
                  new PubSubStore.Subscription("b", JULIET, "subscribed", "")));
      stores.pubSub().publish(ROMEO, "node", List.of(item("i"), item("j")), 5);
    }
    database.execute(
        folder,
        "update pubsub_node set creator = '@@'",
        "update pubsub_affiliation set jid = '@@' where jid like 'juliet%'",
        "update pubsub_subscription set jid = '@@' where jid like 'juliet%'",
        "update pubsub_item set publisher = '@@' where item = 'i'");
    try (SqlStores stores = open()) {
      PubSubStore.Stored node = Objects.requireNonNull(stores.pubSub().find(ROMEO, "node"));
      assertThat(node.node().creator()).isEqualTo(ROMEO);
      assertThat(node.affiliations())
          .extracting(PubSubStore.Affiliation::user)
          .containsExactly(ROMEO);
      assertThat(node.subscriptions())
          .extracting(PubSubStore.Subscription::id)
          .containsExactly("a");
      assertThat(stores.pubSub().findAll(ROMEO)).containsExactly(node);
      assertThat(stores.pubSub().items(ROMEO, "node", List.of("i", "j")))
          .extracting(PubSubStore.Item::publisher)
          .containsExactly(ROMEO, JULIET);
      assertThat(stores.pubSub().publishers(ROMEO, "node", Set.of("i"))).containsEntry("i", ROMEO);
      PubSubStore.Page page =
          stores.pubSub().page(ROMEO, "node", PubSubStore.Order.CREATION, null, false, 9);
      assertThat(Objects.requireNonNull(page).items()).hasSize(2);
    }
  }
}
