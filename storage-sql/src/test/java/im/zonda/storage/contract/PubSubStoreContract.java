package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.store.PubSubStore.Affiliation;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Last;
import im.zonda.store.PubSubStore.Node;
import im.zonda.store.PubSubStore.Order;
import im.zonda.store.PubSubStore.Page;
import im.zonda.store.PubSubStore.Place;
import im.zonda.store.PubSubStore.Stored;
import im.zonda.store.PubSubStore.SubscribedNode;
import im.zonda.store.PubSubStore.Subscription;
import im.zonda.store.PubSubStore.Usage;
import im.zonda.store.Stores;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Contract of the store of publish-subscribe nodes.
public abstract class PubSubStoreContract extends CollectionsContract {
  private static final Jid SERVICE = Jid.of("pubsub.example.net");
  private static final String TUNE = "http://jabber.org/protocol/tune";
  private static final Jid PHONE = Jid.of("romeo@example.net/phone");

  private PubSubStore nodes() {
    return stores.pubSub();
  }

  private static Node node(Jid owner, String name) {
    return new Node(owner, name, ROMEO, NOON, "settings of " + name);
  }

  private static Item item(String id, String text) {
    return new Item(id, PHONE, NOON, text.getBytes(StandardCharsets.UTF_8));
  }

  private static Item numbered(int number) {
    return item("i" + number, "<n xmlns='x'>" + number + "</n>");
  }

  private void create(Jid owner, String... names) {
    for (String name : names) {
      nodes().save(node(owner, name), List.of(), List.of());
    }
  }

  private Stored found(Jid owner, String name) {
    return Objects.requireNonNull(nodes().find(owner, name));
  }

  private Page page(@Nullable String reference, boolean backwards, int limit) {
    return Objects.requireNonNull(
        nodes().page(ROMEO, TUNE, Order.MODIFICATION, reference, backwards, limit));
  }

  private static List<String> ids(Page page) {
    return page.items().stream().map(Item::id).toList();
  }

  private List<String> all(Jid owner, String name) {
    return ids(
        Objects.requireNonNull(nodes().page(owner, name, Order.MODIFICATION, null, false, 1_000)));
  }

  private static String text(Item item) {
    return new String(item.payload(), StandardCharsets.UTF_8);
  }

  @Test
  void findsWhatWasSavedAlsoAfterAnotherStart() {
    makeAccounts(ROMEO);
    Node node =
        new Node(ROMEO, TUNE, JULIET, Instant.parse("1999-12-31T23:59:59.123456Z"), "a=1\nb=2");
    List<Affiliation> affiliations =
        List.of(new Affiliation(JULIET, "publisher"), new Affiliation(ROMEO, "owner"));
    List<Subscription> subscriptions =
        List.of(
            new Subscription("a", JULIET, "subscribed", ""),
            new Subscription("b", PHONE, "pending", "deliver=0"));
    nodes().save(node, affiliations.reversed(), subscriptions.reversed());
    for (int start = 0; start < 2; start++) {
      assertThat(nodes().find(ROMEO, TUNE))
          .isEqualTo(new Stored(node, affiliations, subscriptions, 0, 0));
      assertThat(nodes().findAll(ROMEO)).containsExactly(found(ROMEO, TUNE));
      assertThat(nodes().find(ROMEO, TUNE + "2")).isNull();
      assertThat(nodes().find(JULIET, TUNE)).isNull();
      assertThat(nodes().findAll(JULIET)).isEmpty();
      reopen();
    }
  }

  @Test
  void changesSettingsAffiliationsAndSubscriptionsTogether() {
    makeAccounts(ROMEO);
    nodes()
        .save(
            node(ROMEO, TUNE),
            List.of(new Affiliation(JULIET, "publisher"), new Affiliation(ROMEO, "owner")),
            List.of(new Subscription("a", JULIET, "pending", "")));
    nodes().publish(ROMEO, TUNE, List.of(numbered(1)), 5);
    Node changed = new Node(ROMEO, TUNE, JULIET, NOON.plusSeconds(9), "other");
    nodes()
        .save(
            changed,
            List.of(
                new Affiliation(JULIET, "member"),
                new Affiliation(JULIET, "outcast"),
                new Affiliation(ROMEO, "none")),
            List.of(
                new Subscription("a", JULIET, "subscribed", "x"),
                new Subscription("b", PHONE, "subscribed", ""),
                new Subscription("b", PHONE, "none", "")));
    Stored after = found(ROMEO, TUNE);
    assertThat(after.node()).isEqualTo(new Node(ROMEO, TUNE, ROMEO, NOON, "other"));
    assertThat(after.affiliations()).containsExactly(new Affiliation(JULIET, "outcast"));
    assertThat(after.subscriptions())
        .containsExactly(new Subscription("a", JULIET, "subscribed", "x"));
    assertThat(after.items()).isEqualTo(1);
  }

  @Test
  void keepsHostileTextAsItIs() {
    makeAccounts(ROMEO);
    for (String hostile : HOSTILE) {
      String text = "n" + hostile;
      if (text.length() > 1_000 || text.indexOf('\u0001') >= 0) {
        continue; // neither fits into a name, nor into XML
      }
      nodes()
          .save(
              new Node(ROMEO, text, ROMEO, NOON, hostile),
              List.of(),
              List.of(new Subscription("s", PHONE, "subscribed", hostile)));
      nodes().publish(ROMEO, text, List.of(item(text, hostile)), 3);
      assertThat(found(ROMEO, text).node().settings()).isEqualTo(hostile);
      assertThat(found(ROMEO, text).subscriptions().getFirst().options()).isEqualTo(hostile);
      List<Item> items = nodes().items(ROMEO, text, List.of(text, "other"));
      assertThat(items).hasSize(1);
      assertThat(text(items.getFirst())).isEqualTo(hostile);
      assertThat(nodes().lastItems(ROMEO, Set.of(text))).hasSize(1);
      assertThat(nodes().retract(ROMEO, text, List.of(text))).containsExactly(text);
      assertThat(nodes().remove(ROMEO, text)).isTrue();
    }
    assertThat(nodes().count(ROMEO)).isZero();
  }

  @Test
  void namesAreDistinctByTheirBytes() {
    makeAccounts(ROMEO);
    List<String> names =
        List.of(" ", "A", "a", "a ", "e\u0301", "\u00e9", "\uffee", "\ud83d\ude80");
    create(ROMEO, names.reversed().toArray(String[]::new));
    assertThat(nodes().list(ROMEO, null, 100)).isEqualTo(names);
    assertThat(nodes().findAll(ROMEO).stream().map(each -> each.node().name())).isEqualTo(names);
    assertThat(nodes().list(ROMEO, "a", 2)).containsExactly("a ", "e\u0301");
    assertThat(nodes().list(ROMEO, "a", 0)).isEmpty();
    assertThat(nodes().count(ROMEO)).isEqualTo(names.size());
    String longest = "\u00e9".repeat(511) + "x";
    create(ROMEO, longest);
    nodes().publish(ROMEO, longest, List.of(item(longest, "long")), 1);
    assertThat(all(ROMEO, longest)).containsExactly(longest);
    for (String wrong : List.of("", longest + "y")) {
      assertThatThrownBy(() -> create(ROMEO, wrong)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> nodes().publish(ROMEO, longest, List.of(item(wrong, "")), 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void onlyWhatExistsIsAnOwner() {
    assertThatThrownBy(() -> create(ROMEO, TUNE))
        .isInstanceOf(Stores.MissingOwnerException.class)
        .hasMessageContaining("romeo@example.net");
    assertThatThrownBy(() -> create(PHONE, TUNE)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> nodes().publish(ROMEO, TUNE, List.of(numbered(1)), 1))
        .isInstanceOf(IllegalStateException.class);
    assertThat(nodes().remove(ROMEO, TUNE)).isFalse();
    assertThat(nodes().purge(ROMEO, TUNE)).isZero();
    assertThat(nodes().retract(ROMEO, TUNE, List.of("i1"))).isEmpty();
    assertThat(nodes().trim(ROMEO, TUNE, 1)).isEmpty();
    assertThat(nodes().items(ROMEO, TUNE, List.of("i1"))).isEmpty();
    assertThat(nodes().lastItems(ROMEO, Set.of(TUNE))).isEmpty();
    assertThat(page(null, false, 10)).isEqualTo(new Page(List.of(), 0, 0));
    assertThat(nodes().page(ROMEO, TUNE, Order.MODIFICATION, "i1", false, 10)).isNull();
  }

  @Test
  void aServiceOwnsNodesAndIsNoAccount() {
    create(SERVICE, "b", "a");
    nodes().publish(SERVICE, "a", List.of(numbered(1)), 5);
    reopen();
    create(SERVICE, "c");
    assertThat(nodes().list(SERVICE, null, 10)).containsExactly("a", "b", "c");
    assertThat(all(SERVICE, "a")).containsExactly("i1");
    assertThat(stores.accounts().find(SERVICE)).isNull();
    assertThat(stores.accounts().list(SERVICE.domain(), null, 10)).isEmpty();
    assertThat(stores.accounts().count(SERVICE.domain())).isZero();
    assertThat(stores.accounts().remove(SERVICE)).isFalse();
    assertThat(stores.remoteQueues().list(SERVICE.domain(), null, 10)).isEmpty();
    assertThat(stores.rooms().list(SERVICE.domain(), null, 10)).isEmpty();
    assertThat(nodes().count(SERVICE)).isEqualTo(3);
  }

  @Test
  void theOldestItemsGoInTheSameWrite() {
    makeAccounts(ROMEO);
    create(ROMEO, TUNE);
    assertThat(nodes().publish(ROMEO, TUNE, List.of(numbered(1), numbered(2)), 3)).isEmpty();
    assertThat(nodes().publish(ROMEO, TUNE, List.of(numbered(3)), 3)).isEmpty();
    assertThat(nodes().publish(ROMEO, TUNE, List.of(numbered(4)), 3)).containsExactly("i1");
    assertThat(all(ROMEO, TUNE)).containsExactly("i2", "i3", "i4");
    // The same id again: the item becomes the newest one, and nothing else goes.
    assertThat(nodes().publish(ROMEO, TUNE, List.of(item("i2", "new")), 3)).isEmpty();
    assertThat(all(ROMEO, TUNE)).containsExactly("i3", "i4", "i2");
    assertThat(text(nodes().items(ROMEO, TUNE, List.of("i2")).getFirst())).isEqualTo("new");
    assertThat(nodes().trim(ROMEO, TUNE, 3)).isEmpty();
    assertThat(nodes().trim(ROMEO, TUNE, 1)).containsExactly("i3", "i4");
    assertThat(nodes().publish(ROMEO, TUNE, List.of(numbered(5)), 1)).containsExactly("i2");
    reopen();
    assertThat(all(ROMEO, TUNE)).containsExactly("i5");
  }

  @Test
  void knowsTheNumberAndTheSizeOfItems() {
    makeAccounts(ROMEO);
    create(ROMEO, TUNE);
    Random random = new Random(7);
    for (int i = 0; i < 60; i++) {
      switch (random.nextInt(6)) {
        case 0 -> nodes().retract(ROMEO, TUNE, List.of("i" + random.nextInt(9), "i1", "i1"));
        case 1 -> nodes().trim(ROMEO, TUNE, 1 + random.nextInt(6));
        default -> {
          Item item = item("i" + random.nextInt(9), "\u00e9".repeat(random.nextInt(50)));
          nodes().publish(ROMEO, TUNE, List.of(item), 6);
        }
      }
      List<Item> items = page(null, false, 100).items();
      Stored stored = found(ROMEO, TUNE);
      assertThat(stored.items()).isEqualTo(items.size()).isLessThanOrEqualTo(6);
      assertThat(stored.bytes())
          .isEqualTo(items.stream().mapToLong(each -> each.payload().length + 2L).sum());
    }
    int left = found(ROMEO, TUNE).items();
    assertThat(nodes().purge(ROMEO, TUNE)).isEqualTo(left).isPositive();
    assertThat(found(ROMEO, TUNE).items()).isZero();
    assertThat(found(ROMEO, TUNE).bytes()).isZero();
    assertThat(all(ROMEO, TUNE)).isEmpty();
  }

  @Test
  void retractsOnlyWhatIsThere() {
    makeAccounts(ROMEO);
    create(ROMEO, TUNE, "other");
    nodes().publish(ROMEO, TUNE, List.of(numbered(1), numbered(2), numbered(3)), 9);
    nodes().publish(ROMEO, "other", List.of(numbered(2)), 9);
    assertThat(nodes().retract(ROMEO, TUNE, List.of("i2", "i9", "i1")))
        .containsExactlyInAnyOrder("i1", "i2");
    assertThat(nodes().retract(ROMEO, TUNE, List.of("i2"))).isEmpty();
    assertThat(all(ROMEO, TUNE)).containsExactly("i3");
    assertThat(all(ROMEO, "other")).containsExactly("i2");
  }

  @Test
  void itemsExpire() {
    makeAccounts(ROMEO);
    create(ROMEO, TUNE);
    for (int i = 1; i <= 4; i++) {
      Item item = numbered(i);
      Instant published = NOON.plusSeconds(i);
      nodes()
          .publish(ROMEO, TUNE, List.of(new Item(item.id(), PHONE, published, item.payload())), 9);
    }
    assertThat(nodes().expire(ROMEO, TUNE, NOON.plusSeconds(1))).isZero();
    assertThat(nodes().expire(ROMEO, TUNE, NOON.plusSeconds(3))).isEqualTo(2);
    assertThat(all(ROMEO, TUNE)).containsExactly("i3", "i4");
    assertThat(found(ROMEO, TUNE).items()).isEqualTo(2);
    assertThat(nodes().bytes(ROMEO)).isEqualTo(found(ROMEO, TUNE).bytes()).isPositive();
    assertThat(nodes().bytes(JULIET)).isZero();
  }

  @Test
  void pagesForwardsAndBackwards() {
    makeAccounts(ROMEO);
    create(ROMEO, TUNE);
    for (int i = 1; i <= 25; i++) {
      nodes().publish(ROMEO, TUNE, List.of(numbered(i)), 100);
    }
    nodes().retract(ROMEO, TUNE, List.of("i5"));
    List<String> forwards = new ArrayList<>();
    Page page = page(null, false, 7);
    while (!page.items().isEmpty()) {
      assertThat(page.index()).isEqualTo(forwards.size());
      assertThat(page.count()).isEqualTo(24);
      forwards.addAll(ids(page));
      page = page(page.items().getLast().id(), false, 7);
    }
    assertThat(forwards).hasSize(24).startsWith("i1", "i2", "i3", "i4", "i6").endsWith("i25");
    List<String> backwards = new ArrayList<>();
    page = page(null, true, 7);
    while (!page.items().isEmpty()) {
      assertThat(page.index()).isEqualTo(24 - backwards.size() - page.items().size());
      backwards.addAll(0, ids(page));
      page = page(page.items().getFirst().id(), true, 7);
    }
    assertThat(backwards).isEqualTo(forwards);
    assertThat(page(null, true, 0)).isEqualTo(new Page(List.of(), 24, 24));
    assertThat(page("i25", false, 3).items()).isEmpty();
    assertThat(nodes().page(ROMEO, TUNE, Order.MODIFICATION, "i5", false, 3)).isNull();
    Item last = page(null, true, 1).items().getFirst();
    assertThat(last.publisher()).isEqualTo(PHONE);
    assertThat(last.published()).isEqualTo(NOON);
    assertThat(text(last)).isEqualTo("<n xmlns='x'>25</n>");
  }

  @Test
  void readsTheLastItemsOfManyNodes() {
    makeAccounts(ROMEO, JULIET);
    create(ROMEO, "a", "b", "c", "empty");
    create(JULIET, "a");
    nodes().publish(JULIET, "a", List.of(item("hers", "x")), 5);
    for (int i = 1; i <= 3; i++) {
      nodes().publish(ROMEO, "a", List.of(numbered(i)), 5);
      nodes().publish(ROMEO, "b", List.of(item("current", "b" + i)), 1);
      nodes().publish(ROMEO, "c", List.of(numbered(i)), 5);
    }
    nodes().retract(ROMEO, "a", List.of("i3"));
    List<Last> last = nodes().lastItems(ROMEO, Set.of("b", "a", "empty", "none"));
    assertThat(last.stream().map(each -> each.node() + " " + each.item().id()))
        .containsExactly("a i2", "b current");
    assertThat(text(last.getLast().item())).isEqualTo("b3");
    assertThat(nodes().lastItems(ROMEO, Set.of())).isEmpty();
  }

  @Test
  void aNodeThatIsMadeAgainSeesNothingOfTheOld() {
    makeAccounts(ROMEO);
    for (int round = 0; round < 3; round++) {
      nodes()
          .save(
              node(ROMEO, TUNE),
              List.of(new Affiliation(JULIET, "member")),
              List.of(new Subscription("a", JULIET, "subscribed", "")));
      nodes().publish(ROMEO, TUNE, List.of(numbered(1)), 5);
      assertThat(nodes().remove(ROMEO, TUNE)).isTrue();
      assertThat(nodes().remove(ROMEO, TUNE)).isFalse();
      assertThat(nodes().find(ROMEO, TUNE)).isNull();
      create(ROMEO, TUNE);
      assertThat(nodes().find(ROMEO, TUNE))
          .isEqualTo(new Stored(node(ROMEO, TUNE), List.of(), List.of(), 0, 0));
      assertThat(all(ROMEO, TUNE)).isEmpty();
    }
  }

  @Test
  void nodesGoWithTheirAccount() {
    makeAccounts(ROMEO, JULIET);
    create(ROMEO, TUNE);
    create(JULIET, TUNE);
    nodes().publish(ROMEO, TUNE, List.of(numbered(1)), 5);
    nodes().publish(JULIET, TUNE, List.of(numbered(2)), 5);
    assertThat(stores.accounts().remove(ROMEO)).isTrue();
    assertThat(nodes().findAll(ROMEO)).isEmpty();
    makeAccounts(ROMEO);
    assertThat(nodes().find(ROMEO, TUNE)).isNull();
    assertThat(nodes().lastItems(ROMEO, Set.of(TUNE))).isEmpty();
    create(ROMEO, TUNE);
    assertThat(all(ROMEO, TUNE)).isEmpty();
    assertThat(all(JULIET, TUNE)).containsExactly("i2");
  }

  /// A service lists its nodes in the order of the bytes of their names, without hidden ones.
  @Test
  void listsNodesThatAreNotHidden() {
    for (String name : List.of("b", "B", "\u00e4", "c", "a")) {
      nodes().save(node(SERVICE, name), List.of(), List.of());
    }
    Node hidden = new Node(SERVICE, "aa", ROMEO, NOON, "x", false, 3);
    nodes().save(hidden, List.of(), List.of());
    create(Jid.of("other.example.net"), "d");
    reopen();
    assertThat(found(SERVICE, "aa").node()).isEqualTo(hidden);
    assertThat(names(nodes().listed(SERVICE, null, 10)))
        .containsExactly("B", "a", "b", "c", "\u00e4");
    assertThat(names(nodes().listed(SERVICE, "a", 2))).containsExactly("b", "c");
    assertThat(nodes().listed(SERVICE, "\u00e4", 2)).isEmpty();
    nodes().save(node(SERVICE, "aa"), List.of(), List.of());
    nodes().save(new Node(SERVICE, "b", ROMEO, NOON, "", false, 0), List.of(), List.of());
    assertThat(names(nodes().listed(SERVICE, "a", 2))).containsExactly("aa", "c");
    assertThat(nodes().listed(SERVICE, null, 1)).containsExactly(node(SERVICE, "B"));
  }

  private static List<String> names(List<Node> nodes) {
    return nodes.stream().map(Node::name).toList();
  }

  /// What a user has at the nodes of an owner is found by the user, and nothing of others.
  @Test
  void findsAffiliationsAndSubscriptionsByTheUser() {
    makeAccounts(ROMEO);
    Jid bare = PHONE.bare();
    Jid similar = Jid.of("romeo@example.net0");
    Jid other = Jid.of("romeo@example.netx/phone");
    for (String name : List.of("b", "a")) {
      nodes()
          .save(
              node(SERVICE, name),
              List.of(new Affiliation(bare, "owner"), new Affiliation(similar, "member")),
              List.of(
                  new Subscription("2", PHONE, "subscribed", "o"),
                  new Subscription("1", bare, "pending", ""),
                  new Subscription("3", similar, "subscribed", ""),
                  new Subscription("4", other, "subscribed", "")));
    }
    nodes()
        .save(
            node(ROMEO, "a"),
            List.of(new Affiliation(bare, "publisher")),
            List.of(new Subscription("5", bare, "subscribed", "")));
    reopen();
    assertThat(nodes().affiliationsOf(SERVICE, bare, null, 10))
        .containsExactly(new AffiliatedNode("a", "owner"), new AffiliatedNode("b", "owner"));
    assertThat(nodes().affiliationsOf(SERVICE, bare, null, 1))
        .containsExactly(new AffiliatedNode("a", "owner"));
    assertThat(nodes().subscriptionsOf(SERVICE, bare, null, 3))
        .containsExactly(
            new SubscribedNode("a", new Subscription("1", bare, "pending", "")),
            new SubscribedNode("a", new Subscription("2", PHONE, "subscribed", "o")),
            new SubscribedNode("b", new Subscription("1", bare, "pending", "")));
    assertThat(nodes().subscriptionsOf(SERVICE, bare, null, 10)).hasSize(4);
    assertThat(nodes().affiliationsOf(ROMEO, bare, null, 10))
        .containsExactly(new AffiliatedNode("a", "publisher"));
    nodes()
        .save(
            node(SERVICE, "a"),
            List.of(new Affiliation(bare, "none")),
            List.of(new Subscription("1", bare, "none", "")));
    assertThat(nodes().remove(SERVICE, "b")).isTrue();
    assertThat(nodes().affiliationsOf(SERVICE, bare, null, 10)).isEmpty();
    assertThat(nodes().subscriptionsOf(SERVICE, bare, null, 10))
        .containsExactly(new SubscribedNode("a", new Subscription("2", PHONE, "subscribed", "o")));
    assertThat(nodes().subscriptionsOf(SERVICE, JULIET, null, 10)).isEmpty();
  }

  @Test
  void knowsWhatAUserHasCreated() {
    create(SERVICE, "a", "b");
    nodes().save(new Node(SERVICE, "c", JULIET, NOON, "", true, 7), List.of(), List.of());
    nodes().save(new Node(SERVICE, "c", JULIET, NOON, "", true, 5), List.of(), List.of());
    for (String name : List.of("a", "b", "c")) {
      nodes().publish(SERVICE, name, List.of(item("ab", "<x/>")), 5);
    }
    reopen();
    assertThat(nodes().usage(SERVICE, ROMEO)).isEqualTo(new Usage(2, 12, 0));
    assertThat(nodes().usage(SERVICE, JULIET)).isEqualTo(new Usage(1, 6, 5));
    assertThat(nodes().usage(SERVICE, PHONE.bare().withResource("x")))
        .isEqualTo(new Usage(0, 0, 0));
    assertThat(nodes().usage(ROMEO, ROMEO)).isEqualTo(new Usage(0, 0, 0));
  }

  @Test
  void manyPublishAtOnce() {
    makeAccounts(ROMEO);
    create(ROMEO, TUNE);
    PubSubStore home = nodes(); // one process of a cluster at a time
    atOnce(100, i -> home.publish(ROMEO, TUNE, List.of(numbered(i)), 1_000));
    assertThat(all(ROMEO, TUNE)).hasSize(100).doesNotHaveDuplicates();
    assertThat(found(ROMEO, TUNE).items()).isEqualTo(100);
  }

  @Test
  void findsTheNodesOfAUserAtAllOwners() {
    makeAccounts(ROMEO);
    Jid service = Jid.of("pubsub.example.org");
    Jid user = PHONE.bare();
    nodes().save(node(ROMEO, TUNE), List.of(new Affiliation(user, "member")), List.of());
    nodes()
        .save(node(service, "a"), List.of(), List.of(new Subscription("s", PHONE, "pending", "")));
    nodes().save(node(service, "b"), List.of(new Affiliation(user, "outcast")), List.of());
    assertThat(nodes().placesOf(user, 10))
        .containsExactlyInAnyOrder(new Place(ROMEO, TUNE), new Place(service, "a"));
    assertThat(nodes().placesOf(user, 1)).hasSize(1);
  }
}
