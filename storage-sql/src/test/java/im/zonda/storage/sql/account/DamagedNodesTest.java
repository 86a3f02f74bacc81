package im.zonda.storage.sql.account;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Affiliation;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Node;
import im.zonda.store.PubSubStore.Order;
import im.zonda.store.PubSubStore.Stored;
import im.zonda.store.PubSubStore.Subscription;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An address in a row of a node that cannot be read costs itself alone.
class DamagedNodesTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Instant NOON = Instant.parse("2026-11-28T12:00:00Z");

  @TempDir Path folder;

  private SqlStores open() {
    return SqlStores.open(
        folder, new Storage(true, true, 0, 512, true), Limits.defaults(), InstantSource.system());
  }

  @Test
  void theOthersAreRead() throws SQLException {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      PubSubStore nodes = stores.pubSub();
      for (String name : List.of("a", "b")) {
        nodes.save(
            new Node(ROMEO, name, JULIET, NOON, ""),
            List.of(new Affiliation(ROMEO, "owner"), new Affiliation(JULIET, "member")),
            List.of(
                new Subscription("1", JULIET, "subscribed", ""),
                new Subscription("2", ROMEO, "subscribed", "")));
        nodes.publish(ROMEO, name, List.of(item("x"), item("y")), 9);
      }
    }
    TestDatabase.SQLITE.execute(
        folder,
        "update pubsub_affiliation set jid = '@' where jid = 'juliet@example.net'",
        "update pubsub_subscription set jid = '@' where subid = '1'",
        "update pubsub_node set creator = '@' where name = 'a'",
        "update pubsub_item set publisher = '@' where item = 'x'");
    try (SqlStores stores = open()) {
      PubSubStore nodes = stores.pubSub();
      assertThat(nodes.findAll(ROMEO)).hasSize(2);
      Stored found = Objects.requireNonNull(nodes.find(ROMEO, "a"));
      assertThat(nodes.findAll(ROMEO)).contains(found);
      assertThat(found.node().creator()).isEqualTo(ROMEO);
      assertThat(found.affiliations()).containsExactly(new Affiliation(ROMEO, "owner"));
      assertThat(found.subscriptions())
          .containsExactly(new Subscription("2", ROMEO, "subscribed", ""));
      assertThat(nodes.items(ROMEO, "a", List.of("x", "y")))
          .extracting(Item::publisher)
          .containsExactly(ROMEO, JULIET);
      assertThat(nodes.publishers(ROMEO, "a", Set.of("x"))).containsEntry("x", ROMEO);
      PubSubStore.Page page =
          Objects.requireNonNull(nodes.page(ROMEO, "b", Order.CREATION, null, false, 9));
      assertThat(page.items()).hasSize(2);
    }
  }

  private static Item item(String id) {
    return new Item(id, JULIET, NOON, new byte[0]);
  }
}
