package im.zonda.module.pubsub.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTest {
  private static final Jid HAMLET = Jid.of("hamlet@example.org");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final int MOST = 100;

  private static Node node(String accessModel) {
    return Node.create("n", HAMLET, Instant.EPOCH, config(NodeOption.ACCESS_MODEL, accessModel));
  }

  private static NodeConfig config(NodeOption option, String... values) {
    return Objects.requireNonNull(NodeConfig.ofAccounts().with(option, List.of(values)));
  }

  private static String detail(@Nullable Refusal refusal) {
    return refusal == null
        ? "yes"
        : refusal.detail() == null ? refusal.condition().elementName() : refusal.detail();
  }

  /// Rows: sections 4.1 and 4.5. Columns: who retrieves, by affiliation and by what the owner
  /// knows.
  @ParameterizedTest
  @CsvSource({
    "open,      yes,   yes,    yes,   yes",
    "presence,  presence-subscription-required, yes, yes, yes",
    "roster,    not-in-roster-group, not-in-roster-group, yes, yes",
    "authorize, not-subscribed, not-subscribed, not-subscribed, yes",
    "whitelist, closed-node, closed-node, closed-node, yes",
  })
  void accessModels(String model, String stranger, String contact, String friend, String member) {
    Node node =
        node(model)
            .withConfig(
                Objects.requireNonNull(
                    node(model)
                        .config()
                        .with(NodeOption.ROSTER_GROUPS_ALLOWED, List.of("Friends"))));
    Requester inGroup = new Requester(ROMEO, true, Set.of("Friends"));
    assertThat(detail(node.refuseRetrieval(Requester.stranger(ROMEO)))).isEqualTo(stranger);
    assertThat(detail(node.refuseRetrieval(new Requester(ROMEO, true, Set.of("Others")))))
        .isEqualTo(contact);
    assertThat(detail(node.refuseRetrieval(inGroup))).isEqualTo(friend);
    // A group without a subscription gives nothing.
    if (model.equals("roster")) {
      assertThat(detail(node.refuseRetrieval(new Requester(ROMEO, false, Set.of("Friends")))))
          .isEqualTo("not-in-roster-group");
    }
    Node listed = Objects.requireNonNull(node.withAffiliation(ROMEO, Affiliation.MEMBER));
    assertThat(detail(listed.refuseRetrieval(Requester.stranger(ROMEO)))).isEqualTo(member);
    for (Affiliation none : List.of(Affiliation.OUTCAST, Affiliation.PUBLISH_ONLY)) {
      Node changed = Objects.requireNonNull(node.withAffiliation(ROMEO, none));
      assertThat(detail(changed.refuseRetrieval(inGroup))).isEqualTo("forbidden");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "publishers,  owner publisher publish-only",
    "subscribers, owner publisher publish-only",
    "open,        owner publisher publish-only member none",
  })
  void publishModels(String model, String allowed) {
    Node node = Node.create("n", HAMLET, Instant.EPOCH, config(NodeOption.PUBLISH_MODEL, model));
    for (Affiliation affiliation : Affiliation.values()) {
      Node changed = Objects.requireNonNull(node.withAffiliation(ROMEO, affiliation));
      assertThat(changed.mayPublish(ROMEO))
          .as(affiliation.word())
          .isEqualTo(List.of(allowed.split(" ", -1)).contains(affiliation.word()));
    }
    Node subscribed =
        node.with(
            new Subscription(
                "s", ROMEO, Subscription.State.SUBSCRIBED, SubscriptionOptions.DEFAULT));
    assertThat(subscribed.mayPublish(ROMEO)).isEqualTo(!model.equals("publishers"));
  }

  @Test
  void publishersRetractTheirOwnItemsOnly() {
    Node node =
        Objects.requireNonNull(node("open").withAffiliation(ROMEO, Affiliation.PUBLISH_ONLY));
    assertThat(node.mayRetract(HAMLET, ROMEO)).isTrue();
    assertThat(node.mayRetract(ROMEO, ROMEO.bare())).isTrue();
    assertThat(node.mayRetract(ROMEO, HAMLET)).isFalse();
    assertThat(node("open").mayRetract(ROMEO, ROMEO)).isFalse();
  }

  private static String subscribe(Node node, Requester requester, Jid jid) {
    return switch (node.subscribe(requester, jid, "s", SubscriptionOptions.DEFAULT, false)) {
      case Node.Outcome.Done(Node after, Subscription added) -> {
        assertThat(after.subscriptions()).containsEntry("s", added);
        yield added.state().word();
      }
      case Node.Outcome.Refused(Refusal refusal) -> detail(refusal);
    };
  }

  @Test
  void subscribing() {
    Requester stranger = Requester.stranger(ROMEO);
    assertThat(subscribe(node("open"), stranger, ROMEO)).isEqualTo("subscribed");
    assertThat(subscribe(node("open"), stranger, ROMEO.bare())).isEqualTo("subscribed");
    assertThat(subscribe(node("open"), stranger, HAMLET)).isEqualTo("invalid-jid");
    assertThat(subscribe(node("presence"), stranger, ROMEO))
        .isEqualTo("presence-subscription-required");
    assertThat(subscribe(node("authorize"), stranger, ROMEO)).isEqualTo("pending");
    assertThat(subscribe(node("authorize"), Requester.stranger(HAMLET), HAMLET))
        .isEqualTo("subscribed");
    assertThat(subscribe(node("whitelist"), stranger, ROMEO)).isEqualTo("closed-node");
    Node pending =
        node("authorize")
            .with(
                new Subscription(
                    "p", ROMEO, Subscription.State.PENDING, SubscriptionOptions.DEFAULT));
    assertThat(subscribe(pending, stranger, ROMEO)).isEqualTo("pending-subscription");
    Node closed = node("open").withConfig(config(NodeOption.SUBSCRIBE, "0"));
    assertThat(subscribe(closed, new Requester(ROMEO, true, Set.of()), ROMEO))
        .isEqualTo("unsupported");
  }

  @Test
  void oneUserCannotUseUpAllSubscriptions() {
    Node node = node("open");
    for (int i = 0; i < Node.SUBSCRIPTIONS_OF_USER; i++) {
      node =
          node.with(
              new Subscription(
                  "s" + i,
                  ROMEO.withResource("r" + i),
                  Subscription.State.SUBSCRIBED,
                  SubscriptionOptions.DEFAULT));
    }
    assertThat(subscribe(node, Requester.stranger(ROMEO), ROMEO))
        .isEqualTo("too-many-subscriptions");
    Jid other = Jid.of("other@example.org");
    assertThat(subscribe(node, Requester.stranger(other), other)).isEqualTo("subscribed");
    assertThat(
            node.subscribe(
                Requester.stranger(other), other, "x", SubscriptionOptions.DEFAULT, true))
        .isEqualTo(
            new Node.Outcome.Refused(
                Refusal.of(ErrorCondition.POLICY_VIOLATION, "too-many-subscriptions")));
  }

  private static String find(Node node, Jid requester, Jid jid, @Nullable String id) {
    return switch (node.find(requester, jid, id)) {
      case Node.Outcome.Done(Node same, Subscription found) -> found.id();
      case Node.Outcome.Refused(Refusal refusal) -> detail(refusal);
    };
  }

  @Test
  void findsTheSubscriptionThatARequestMeans() {
    Node one =
        node("open")
            .with(
                new Subscription(
                    "a", ROMEO, Subscription.State.SUBSCRIBED, SubscriptionOptions.DEFAULT));
    Node two =
        one.with(
            new Subscription(
                "b", ROMEO, Subscription.State.SUBSCRIBED, SubscriptionOptions.DEFAULT));
    assertThat(find(one, ROMEO, ROMEO, null)).isEqualTo("a");
    assertThat(find(one, ROMEO, ROMEO, "a")).isEqualTo("a");
    assertThat(find(one, ROMEO, ROMEO, "b")).isEqualTo("invalid-subid");
    assertThat(find(one, ROMEO, ROMEO.bare(), null)).isEqualTo("not-subscribed");
    assertThat(find(one, HAMLET, ROMEO, null)).isEqualTo("forbidden");
    assertThat(find(two, ROMEO, ROMEO, null)).isEqualTo("subid-required");
    assertThat(find(two, ROMEO, ROMEO, "b")).isEqualTo("b");
  }

  @Test
  void theLastOwnerStays() {
    assertThat(node("open").withAffiliation(HAMLET, Affiliation.NONE)).isNull();
    assertThat(node("open").withAffiliation(HAMLET, Affiliation.PUBLISHER)).isNull();
    Node two = Objects.requireNonNull(node("open").withAffiliation(ROMEO, Affiliation.OWNER));
    assertThat(two.isOwner(ROMEO)).isTrue();
    assertThat(two.withAffiliation(HAMLET, Affiliation.NONE)).isNotNull();
  }

  @Test
  void affiliationsDecideOnPendingSubscriptions() {
    Subscription pending =
        new Subscription("p", ROMEO, Subscription.State.PENDING, SubscriptionOptions.DEFAULT);
    Node node = node("authorize").with(pending);
    for (Affiliation each : List.of(Affiliation.MEMBER, Affiliation.PUBLISHER)) {
      assertThat(Objects.requireNonNull(node.withAffiliation(ROMEO, each)).isSubscribed(ROMEO))
          .isTrue();
    }
    Node banned = Objects.requireNonNull(node.withAffiliation(ROMEO, Affiliation.OUTCAST));
    assertThat(banned.subscriptions()).isEmpty();
  }

  /// Whatever owners and subscribers do: there is an owner, an outcast is not subscribed and gets
  /// nothing, nobody has more subscriptions than allowed, and those who may not retrieve items are
  /// not notified.
  @Test
  void anySequenceOfChangesKeepsTheRules() {
    List<Jid> users = new ArrayList<>(List.of(HAMLET));
    for (int i = 0; i < 4; i++) {
      users.add(Jid.of("user" + i + "@example.org"));
    }
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Node node = node("open");
      for (int step = 0; step < 60; step++) {
        Jid user = users.get(random.nextInt(users.size()));
        node = step(node, user, random);
        check(node, users);
      }
    }
  }

  private static Node step(Node node, Jid user, Random random) {
    List<Affiliation> affiliations = List.of(Affiliation.values());
    List<String> models = List.of("open", "presence", "roster", "authorize", "whitelist");
    return switch (random.nextInt(4)) {
      case 0 -> {
        Node changed =
            node.withAffiliation(user, affiliations.get(random.nextInt(affiliations.size())));
        yield changed == null ? node : changed;
      }
      case 1 -> {
        NodeConfig config =
            node.config()
                .with(NodeOption.ACCESS_MODEL, List.of(models.get(random.nextInt(models.size()))));
        yield node.withConfig(Objects.requireNonNull(config));
      }
      default ->
          switch (node.subscribe(
              new Requester(user, random.nextBoolean(), Set.of()),
              user,
              "s" + random.nextInt(100),
              SubscriptionOptions.DEFAULT.withDeliver(random.nextBoolean()),
              node.subscriptions().size() >= MOST)) {
            case Node.Outcome.Done(Node after, Subscription added) -> after;
            case Node.Outcome.Refused(Refusal refusal) -> node;
          };
    };
  }

  private static void check(Node node, List<Jid> users) {
    assertThat(node.affiliations()).containsValue(Affiliation.OWNER);
    assertThat(node.affiliations()).doesNotContainValue(Affiliation.NONE);
    for (Jid user : users) {
      Requester requester = Requester.stranger(user);
      List<Subscription> own = node.subscriptionsOf(user);
      assertThat(own).hasSizeLessThanOrEqualTo(Node.SUBSCRIPTIONS_OF_USER);
      if (node.affiliation(user) == Affiliation.OUTCAST) {
        assertThat(own).isEmpty();
        assertThat(node.mayPublish(user)).isFalse();
      }
      for (Subscription each : own) {
        if (node.notifies(each, requester)) {
          assertThat(node.refuseRetrieval(requester)).isNull();
        }
      }
      if (node.notifiesContact(requester)) {
        assertThat(node.refuseRetrieval(requester)).isNull();
      }
    }
  }
}
