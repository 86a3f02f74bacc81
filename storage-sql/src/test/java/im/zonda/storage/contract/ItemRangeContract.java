package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Affiliation;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.ItemHead;
import im.zonda.store.PubSubStore.ItemHeads;
import im.zonda.store.PubSubStore.Node;
import im.zonda.store.PubSubStore.Order;
import im.zonda.store.PubSubStore.Page;
import im.zonda.store.PubSubStore.Range;
import im.zonda.store.PubSubStore.Subscription;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Contract of ranges, orders and pages of what a publish-subscribe node has.
public abstract class ItemRangeContract extends StoresContract {
  private static final String TUNE = "http://jabber.org/protocol/tune";
  private static final Jid PHONE = Jid.of("romeo@example.net/phone");

  private PubSubStore nodes() {
    return stores.pubSub();
  }

  private @Nullable List<String> selected(Range range, boolean backwards, int limit) {
    List<Item> items = nodes().select(ROMEO, TUNE, range, backwards, limit);
    return items == null ? null : items.stream().map(Item::id).toList();
  }

  private static Range between(@Nullable String after, @Nullable String before) {
    return new Range(Order.MODIFICATION, after, before, null, null, null);
  }

  private static Range by(@Nullable Jid publisher, @Nullable Instant from, @Nullable Instant to) {
    return new Range(Order.MODIFICATION, null, null, publisher, from, to);
  }

  @Test
  void selectsARangeOfItems() {
    makeAccounts(ROMEO);
    assertThat(selected(between(null, null), false, 9)).isEmpty();
    assertThat(selected(between("a", null), false, 9)).isNull();
    for (String name : List.of(TUNE, "other")) {
      nodes().save(new Node(ROMEO, name, ROMEO, NOON, ""), List.of(), List.of());
    }
    List<Jid> publishers =
        List.of(PHONE, ROMEO, Jid.of("romeo@example.net0/x"), Jid.of("romeo@example.net/zoo"));
    for (int i = 0; i < publishers.size(); i++) {
      Item item = new Item("i" + i, publishers.get(i), NOON.plusNanos(i * 1_000L), new byte[0]);
      nodes().publish(ROMEO, TUNE, List.of(item), 9);
      nodes().publish(ROMEO, "other", List.of(item), 9);
    }
    assertThat(selected(between(null, null), false, 9)).containsExactly("i0", "i1", "i2", "i3");
    assertThat(selected(between(null, null), false, 2)).containsExactly("i0", "i1");
    assertThat(selected(between(null, null), true, 2)).containsExactly("i2", "i3");
    assertThat(selected(between("i0", "i3"), false, 9)).containsExactly("i1", "i2");
    assertThat(selected(between("i0", "i3"), true, 1)).containsExactly("i2");
    assertThat(selected(between("i3", "i0"), false, 9)).isEmpty();
    assertThat(selected(between("i4", null), false, 9)).isNull();
    assertThat(selected(between(null, "i4"), true, 9)).isNull();
    assertThat(selected(between(null, null), true, 0)).isEmpty();

    assertThat(selected(by(ROMEO, null, null), false, 9)).containsExactly("i0", "i1", "i3");
    assertThat(selected(by(PHONE, null, null), false, 9)).containsExactly("i0");
    assertThat(selected(by(JULIET, null, null), false, 9)).isEmpty();
    assertThat(selected(by(null, NOON.plusNanos(1_000), null), false, 9))
        .containsExactly("i1", "i2", "i3");
    assertThat(selected(by(null, null, NOON.plusNanos(1_000)), true, 9))
        .containsExactly("i0", "i1");
    assertThat(selected(by(ROMEO, NOON.plusNanos(1_000), NOON.plusNanos(2_000)), true, 9))
        .containsExactly("i1");
    nodes().publish(ROMEO, TUNE, List.of(new Item("i0", PHONE, NOON, new byte[0])), 9);
    assertThat(selected(between("i3", null), false, 9)).containsExactly("i0");
    assertThat(nodes().select(JULIET, TUNE, between(null, null), false, 9)).isEmpty();
  }

  @Test
  void listsItemsWithoutTheirPayloads() {
    makeAccounts(ROMEO);
    assertThat(nodes().heads(ROMEO, TUNE, null, 9)).isNull();
    nodes().save(new Node(ROMEO, TUNE, ROMEO, NOON, ""), List.of(), List.of());
    assertThat(nodes().heads(ROMEO, TUNE, null, 9)).isEqualTo(new ItemHeads(List.of(), 0, false));
    for (String id : List.of("a", "\u00e9", "c", "a")) {
      nodes().publish(ROMEO, TUNE, List.of(new Item(id, PHONE, NOON, new byte[3])), 9);
    }
    ItemHead first = new ItemHead("a", PHONE, NOON, 3);
    ItemHead second = new ItemHead("\u00e9", PHONE, NOON, 3);
    ItemHead third = new ItemHead("c", PHONE, NOON, 3);
    assertThat(nodes().heads(ROMEO, TUNE, null, 2))
        .isEqualTo(new ItemHeads(List.of(first, second), 3, true));
    assertThat(nodes().heads(ROMEO, TUNE, "\u00e9", 2))
        .isEqualTo(new ItemHeads(List.of(third), 3, false));
    assertThat(nodes().heads(ROMEO, TUNE, null, 3))
        .isEqualTo(new ItemHeads(List.of(first, second, third), 3, false));
    assertThat(nodes().heads(ROMEO, TUNE, "b", 2)).isNull();
  }

  @Test
  void listsAffiliationsAndSubscriptionsByPages() {
    makeAccounts(ROMEO);
    assertThat(nodes().affiliations(ROMEO, TUNE, null, 9)).isNull();
    assertThat(nodes().subscriptions(ROMEO, TUNE, null, 9)).isNull();
    List<Affiliation> users =
        Stream.of("a.example", "b.example", "c.example")
            .map(each -> new Affiliation(Jid.of(each), "member"))
            .toList();
    List<Subscription> subscriptions =
        Stream.of("a", "b", "c", "\ufb01", "\ud83d\ude80")
            .map(each -> new Subscription(each, JULIET, "subscribed", ""))
            .toList();
    nodes().save(new Node(ROMEO, TUNE, ROMEO, NOON, ""), users, subscriptions);
    assertThat(nodes().affiliations(ROMEO, TUNE, null, 9)).isEqualTo(users);
    assertThat(nodes().affiliations(ROMEO, TUNE, "a.example", 1)).isEqualTo(users.subList(1, 2));
    assertThat(nodes().affiliations(ROMEO, TUNE, "aa", 9)).isEqualTo(users.subList(1, 3));
    assertThat(nodes().subscriptions(ROMEO, TUNE, null, 9)).isEqualTo(subscriptions);
    assertThat(nodes().subscriptions(ROMEO, TUNE, "b", 2)).isEqualTo(subscriptions.subList(2, 4));
    assertThat(nodes().subscriptions(ROMEO, TUNE, "\ufb01", 2))
        .isEqualTo(subscriptions.subList(4, 5));
  }

  private void publish(String id) {
    nodes().publish(ROMEO, TUNE, List.of(new Item(id, PHONE, NOON, new byte[0])), 5);
  }

  private Page created(@Nullable String reference, boolean backwards, int limit) {
    return Objects.requireNonNull(
        nodes().page(ROMEO, TUNE, Order.CREATION, reference, backwards, limit));
  }

  private static List<String> ids(Page page) {
    return page.items().stream().map(Item::id).toList();
  }

  @Test
  void anItemThatReplacesOneKeepsItsPlaceInTheOrderOfCreation() {
    makeAccounts(ROMEO);
    for (String name : List.of(TUNE, "other")) {
      nodes().save(new Node(ROMEO, name, ROMEO, NOON, ""), List.of(), List.of());
    }
    nodes().publish(ROMEO, "other", List.of(new Item("B", PHONE, NOON, new byte[0])), 5);
    assertThat(created(null, false, 9)).isEqualTo(new Page(List.of(), 0, 0));
    List.of("A", "B", "C", "D", "C", "A").forEach(this::publish);
    assertThat(selected(between(null, null), false, 9)).containsExactly("B", "D", "C", "A");

    assertThat(ids(created(null, false, 9))).containsExactly("A", "B", "C", "D");
    assertThat(ids(created(null, true, 2))).containsExactly("C", "D");
    assertThat(created(null, true, 2).index()).isEqualTo(2);
    assertThat(ids(created("A", false, 2))).containsExactly("B", "C");
    assertThat(created("A", false, 2).index()).isEqualTo(1);
    assertThat(ids(created("C", true, 1))).containsExactly("B");
    assertThat(created("C", true, 1).index()).isEqualTo(1);
    assertThat(created("C", true, 1).count()).isEqualTo(4);
    assertThat(nodes().page(ROMEO, TUNE, Order.CREATION, "E", false, 9)).isNull();
    Range between = new Range(Order.CREATION, "A", "D", PHONE, NOON, NOON);
    assertThat(selected(between, false, 1)).containsExactly("B");
    assertThat(selected(between, true, 9)).containsExactly("B", "C");

    nodes().retract(ROMEO, TUNE, List.of("B"));
    List.of("E", "B", "A", "F").forEach(this::publish); // the oldest, D, is one too many
    assertThat(ids(created(null, false, 9))).containsExactly("A", "C", "E", "B", "F");
    nodes().expire(ROMEO, TUNE, NOON.plusNanos(1_000));
    List.of("B", "A").forEach(this::publish);
    assertThat(ids(created(null, false, 9))).containsExactly("B", "A");
  }

  private static List<String> ids(List<Item> items) {
    return items.stream().map(Item::id).toList();
  }

  /// Items of more bytes than a read may have are read in parts, from either end.
  @Test
  void aReadIsBoundByItsBytes() {
    makeAccounts(ROMEO);
    nodes().save(new Node(ROMEO, TUNE, ROMEO, NOON, ""), List.of(), List.of());
    byte[] part = new byte[(int) (PubSubStore.READ_BYTES / 4)];
    for (int i = 0; i < 9; i++) {
      byte[] payload = i == 8 ? new byte[(int) PubSubStore.READ_BYTES + 1] : part;
      nodes().publish(ROMEO, TUNE, List.of(new Item("i" + i, PHONE, NOON, payload)), 9);
    }
    List<String> all = List.of("i8", "i7", "i6", "i5", "i1", "i0", "none");
    assertThat(ids(nodes().items(ROMEO, TUNE, all))).containsExactly("i0", "i1", "i5");
    assertThat(ids(nodes().items(ROMEO, TUNE, List.of("i8")))).containsExactly("i8");
    assertThat(nodes().publishers(ROMEO, TUNE, all))
        .containsOnlyKeys("i8", "i7", "i6", "i5", "i1", "i0")
        .containsEntry("i8", PHONE);
    assertThat(nodes().newest(ROMEO, TUNE, 3)).containsExactly("i6", "i7", "i8");
    assertThat(nodes().newest(JULIET, TUNE, 3)).isEmpty();
    for (Order order : Order.values()) {
      Page first = Objects.requireNonNull(nodes().page(ROMEO, TUNE, order, "i0", false, 9));
      assertThat(ids(first.items())).containsExactly("i1", "i2", "i3");
      assertThat(first.index()).isEqualTo(1);
      Page last = Objects.requireNonNull(nodes().page(ROMEO, TUNE, order, null, true, 9));
      assertThat(ids(last.items())).containsExactly("i8");
      assertThat(last.index()).isEqualTo(8);
      Page before = Objects.requireNonNull(nodes().page(ROMEO, TUNE, order, "i8", true, 9));
      assertThat(ids(before.items())).containsExactly("i5", "i6", "i7");
      assertThat(before.index()).isEqualTo(5);
    }
    assertThat(selected(between("i0", null), false, 9)).containsExactly("i1", "i2", "i3");
    assertThat(selected(between("i0", "i8"), true, 9)).containsExactly("i5", "i6", "i7");
  }
}
