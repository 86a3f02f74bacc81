package im.zonda.module.pubsub.service;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.node.SubscriptionOptions;
import im.zonda.module.testing.TestContext;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
  private static final Jid SERVICE = Jid.of("pubsub.example.org");

  private final TestContext context = new TestContext();
  private int turns;
  private boolean hasEnded;
  private final Deliveries deliveries =
      new Deliveries(
          context,
          SERVICE,
          delay -> {
            turns++;
            return !hasEnded;
          });
  private final NodeHome home =
      new NodeHome(Jid.of("x@pubsub.example.org"), deliveries, Instant.EPOCH);

  private static Jid user(int number) {
    return Jid.of("u" + number + "@example.org");
  }

  private static Map<Jid, List<String>> users(int count) {
    Map<Jid, List<String>> users = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      users.put(user(i), List.of("s" + i));
    }
    return users;
  }

  private void add(String text, Map<Jid, List<String>> receivers) {
    List<Element> payloads = List.of(Element.of("urn:x", text));
    deliveries.add(Message.Type.HEADLINE, payloads, receivers, home);
  }

  private List<String> sent() {
    return context.takeSent().stream()
        .map(each -> ((Message) each).payloadNames().getFirst().name() + " " + each.to())
        .toList();
  }

  @Test
  void sendsASliceInEachTurn() {
    int many = 2 * Deliveries.SLICE + 10;
    add("a", users(many));
    add("b", users(2));
    assertThat(context.sent()).isEmpty();
    assertThat(turns).isEqualTo(1);
    deliveries.sendSlice(home);
    assertThat(sent()).hasSize(Deliveries.SLICE).startsWith("a u0@example.org");
    deliveries.sendSlice(home);
    assertThat(sent()).hasSize(Deliveries.SLICE);
    assertThat(turns).isEqualTo(3);
    assertThat(deliveries.isEmpty()).isFalse();
    deliveries.sendSlice(home);
    assertThat(sent())
        .hasSize(12)
        .endsWith("b u0@example.org", "b u1@example.org")
        .startsWith("a u" + (many - 10) + "@example.org");
    assertThat(turns).isEqualTo(3);
    assertThat(deliveries.isEmpty()).isTrue();
  }

  @Test
  void eachMessageHasItsOwnIdAndReceiver() {
    add("a", users(Deliveries.SLICE + 5));
    deliveries.sendAll(home);
    List<Stanza> all = context.takeSent();
    assertThat(new HashSet<>(all.stream().map(Stanza::id).toList())).hasSize(all.size());
    assertThat(all).allMatch(each -> SERVICE.equals(each.from()));
  }

  /// The waiting deliveries are bounded: adding another one sends the oldest.
  @Test
  void whatWaitsIsBound() {
    for (int i = 0; i < Deliveries.MOST; i++) {
      add("n" + i, users(3));
    }
    assertThat(context.sent()).isEmpty();
    add("last", users(3));
    assertThat(sent())
        .containsExactly("n0 u0@example.org", "n0 u1@example.org", "n0 u2@example.org");
  }

  @Test
  void whoseSubscriptionHasEndedIsNotNotified() {
    Node node =
        Node.create("n", user(9), Instant.EPOCH, NodeConfig.ofServices())
            .with(
                new Subscription(
                    "s1", user(1), Subscription.State.SUBSCRIBED, SubscriptionOptions.DEFAULT));
    add("a", users(3));
    home.setNode(node);
    add("b", Map.of(user(2), List.of()));
    deliveries.sendSlice(home);
    assertThat(sent()).containsExactly("a u1@example.org", "b u2@example.org");
  }

  @Test
  void allIsSentWhenTheServiceEnds() {
    hasEnded = true;
    add("a", users(3));
    assertThat(sent()).hasSize(3);
    assertThat(deliveries.isEmpty()).isTrue();
  }
}
