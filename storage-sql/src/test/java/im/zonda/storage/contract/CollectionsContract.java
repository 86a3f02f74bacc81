package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.store.PubSubStore.Affiliation;
import im.zonda.store.PubSubStore.Node;
import im.zonda.store.PubSubStore.SubscribedNode;
import im.zonda.store.PubSubStore.Subscription;
import im.zonda.store.PubSubStore.SubscriptionPlace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The part of the contract of publish-subscribe nodes that is about collections, about nodes that
/// need presence, and about pages of what a user has.
abstract class CollectionsContract extends StoresContract {
  private static final Jid SERVICE = Jid.of("pubsub.example.net");
  private static final Jid OTHER = Jid.of("other.example.net");
  private static final Jid PHONE = Jid.of("romeo@example.net/phone");

  private PubSubStore nodes() {
    return stores.pubSub();
  }

  private void create(Jid owner, String... names) {
    for (String name : names) {
      nodes().save(new Node(owner, name, ROMEO, NOON, ""), List.of(), List.of());
    }
  }

  private List<String> children(String collection, @Nullable String after, int limit) {
    return nodes().children(SERVICE, collection, after, limit).stream().map(Node::name).toList();
  }

  @Test
  void aNodeIsInSeveralCollections() {
    create(SERVICE, "a", "b", "leaf", "Leaf", "\u00e4");
    create(OTHER, "a", "leaf");
    assertThat(nodes().associate(SERVICE, "a", "leaf")).isTrue();
    assertThat(nodes().associate(SERVICE, "a", "leaf")).isFalse();
    assertThat(nodes().associate(SERVICE, "b", "leaf")).isTrue();
    assertThat(nodes().associate(SERVICE, "a", "\u00e4")).isTrue();
    assertThat(nodes().associate(SERVICE, "a", "Leaf")).isTrue();
    assertThat(nodes().associate(SERVICE, "a", "b")).isTrue();
    assertThat(nodes().associate(SERVICE, "a", "none")).isFalse();
    assertThat(nodes().associate(SERVICE, "none", "a")).isFalse();
    assertThat(nodes().associate(OTHER, "b", "leaf")).isFalse();
    reopen();
    assertThat(nodes().collections(SERVICE, "leaf")).containsExactly("a", "b");
    assertThat(nodes().collections(SERVICE, "a")).isEmpty();
    assertThat(nodes().collections(OTHER, "leaf")).isEmpty();
    assertThat(children("a", null, 10)).containsExactly("Leaf", "b", "leaf", "\u00e4");
    assertThat(children("a", "Leaf", 2)).containsExactly("b", "leaf");
    assertThat(nodes().countChildren(SERVICE, "a")).isEqualTo(4);
    assertThat(nodes().countChildren(OTHER, "a")).isZero();
    assertThat(nodes().dissociate(SERVICE, "a", "leaf")).isTrue();
    assertThat(nodes().dissociate(SERVICE, "a", "leaf")).isFalse();
    assertThat(nodes().collections(SERVICE, "leaf")).containsExactly("b");
  }

  /// An association ends with either of its nodes, and the other one stays.
  @Test
  void associationsGoWithTheirNodes() {
    create(SERVICE, "a", "b", "leaf", "leaf2");
    nodes().associate(SERVICE, "a", "leaf");
    nodes().associate(SERVICE, "b", "leaf");
    nodes().associate(SERVICE, "b", "leaf2");
    nodes().remove(SERVICE, "a");
    assertThat(nodes().collections(SERVICE, "leaf")).containsExactly("b");
    nodes().remove(SERVICE, "leaf");
    create(SERVICE, "leaf", "a");
    assertThat(nodes().collections(SERVICE, "leaf")).isEmpty();
    assertThat(children("a", null, 10)).isEmpty();
    assertThat(children("b", null, 10)).containsExactly("leaf2");
  }

  /// The first level of a service has the nodes that are in no collection.
  @Test
  void listsNodesOfTheFirstLevel() {
    create(SERVICE, "a", "b", "c");
    nodes().associate(SERVICE, "b", "a");
    assertThat(nodes().listed(SERVICE, null, 10)).extracting(Node::name).containsExactly("b", "c");
    nodes().dissociate(SERVICE, "b", "a");
    assertThat(nodes().listed(SERVICE, null, 10)).hasSize(3);
  }

  private static Node presence(String name, boolean presence) {
    return new Node(SERVICE, name, ROMEO, NOON, "", true, 1, presence);
  }

  @Test
  void findsNodesThatNeedThePresenceOfAUser() {
    Jid bare = PHONE.bare();
    assertThat(nodes().hasPresenceNodes(SERVICE)).isFalse();
    create(SERVICE, "plain");
    assertThat(nodes().hasPresenceNodes(SERVICE)).isFalse();
    List<Affiliation> publisher = List.of(new Affiliation(bare, "publisher"));
    List<Subscription> subscribed =
        List.of(
            new Subscription("1", PHONE, "subscribed", ""),
            new Subscription("2", bare, "subscribed", ""));
    nodes().save(presence("both", true), publisher, subscribed);
    nodes().save(presence("c", true), List.of(), subscribed);
    nodes().save(presence("B", true), publisher, List.of());
    nodes().save(presence("other", true), List.of(new Affiliation(JULIET, "owner")), List.of());
    nodes().save(presence("off", false), publisher, subscribed);
    reopen();
    assertThat(nodes().find(SERVICE, "c")).isNotNull();
    assertThat(nodes().children(SERVICE, "c", null, 1)).isEmpty();
    assertThat(nodes().hasPresenceNodes(SERVICE)).isTrue();
    assertThat(nodes().hasPresenceNodes(OTHER)).isFalse();
    assertThat(nodes().presenceNodes(SERVICE, bare, 10)).containsExactly("B", "both", "c");
    assertThat(nodes().presenceNodes(SERVICE, bare, 2)).containsExactly("B", "both");
    nodes().save(presence("B", false), List.of(), List.of());
    assertThat(nodes().presenceNodes(SERVICE, bare, 10)).containsExactly("both", "c");
    assertThat(nodes().presenceNodes(SERVICE, JULIET, 10)).containsExactly("other");
  }

  /// Pages of what a user has end where the next one begins.
  @Test
  void readsInPagesWhatAUserHas() {
    Jid bare = PHONE.bare();
    for (String name : List.of("b", "a", "c")) {
      nodes()
          .save(
              new Node(SERVICE, name, ROMEO, NOON, ""),
              List.of(new Affiliation(bare, "owner")),
              List.of(
                  new Subscription("2", PHONE, "subscribed", ""),
                  new Subscription("1", bare, "subscribed", "")));
    }
    assertThat(nodes().countAffiliations(SERVICE, bare)).isEqualTo(3);
    assertThat(nodes().countSubscriptions(SERVICE, bare)).isEqualTo(6);
    assertThat(nodes().countSubscriptions(SERVICE, JULIET)).isZero();
    assertThat(nodes().affiliationsOf(SERVICE, bare, "a", 10))
        .extracting(AffiliatedNode::node)
        .containsExactly("b", "c");
    List<String> all = new ArrayList<>();
    SubscriptionPlace after = null;
    for (int page = 0; page < 5; page++) {
      for (SubscribedNode each : nodes().subscriptionsOf(SERVICE, bare, after, 2 - page % 2)) {
        all.add(each.node() + each.subscription().id());
        after = new SubscriptionPlace(each.node(), each.subscription().id());
      }
    }
    assertThat(all).containsExactly("a1", "a2", "b1", "b2", "c1", "c2");
  }
}
