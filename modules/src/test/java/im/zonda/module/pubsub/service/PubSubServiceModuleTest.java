package im.zonda.module.pubsub.service;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Stanza;
import im.zonda.store.PubSubStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Collections of the service, and the messages between homes of nodes that they need.
class PubSubServiceModuleTest {
  private static final Jid SERVICE = Jid.of("pubsub.example.org");
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String HAMLET = "hamlet@example.org/x";

  private final TestContext context = new TestContext().install(new PubSubServiceModule());

  private PubSubStore store() {
    return context.stores().pubSub();
  }

  /// What others than the service are sent because of a request; the answer is the first one.
  private List<Stanza> ask(String user, String namespace, String request) {
    context
        .host()
        .toService(
            TestXml.iq(
                "<iq id='1' type='set' from='"
                    + user
                    + "' to='pubsub.example.org'><pubsub xmlns='"
                    + PUBSUB
                    + namespace
                    + "'>"
                    + request
                    + "</pubsub></iq>"));
    List<Stanza> sent = new ArrayList<>();
    for (List<Stanza> all = context.takeSent(); !all.isEmpty(); all = context.takeSent()) {
      for (Stanza each : all) {
        if (SERVICE.equals(each.to())) {
          context.host().toService(each);
        } else {
          sent.add(each);
        }
      }
    }
    return sent;
  }

  private static String form(String kind, Map<String, String> fields) {
    StringBuilder form = new StringBuilder("<x xmlns='jabber:x:data' type='submit'>");
    form.append("<field var='FORM_TYPE'><value>").append(PUBSUB).append('#').append(kind);
    form.append("</value></field>");
    fields.forEach((field, value) ->
        form.append("<field var='pubsub#")
            .append(field)
            .append("'><value>")
            .append(value)
            .append("</value></field>"));
    return form.append("</x>").toString();
  }

  private void create(String user, String node, String type) {
    String config = "<configure>" + form("node_config", Map.of("node_type", type)) + "</configure>";
    assertThat(ask(user, "", "<create node='" + node + "'/>" + config).toString())
        .contains("'result'");
  }

  private boolean associate(String collection, String child) {
    String request =
        "<collection node='" + collection + "'><associate node='" + child + "'/></collection>";
    return ask(HAMLET, "#owner", request).getFirst().toString().contains("'result'");
  }

  private void subscribe(String user, String node, Map<String, String> options) {
    String request =
        "<subscribe node='"
            + node
            + "' jid='"
            + user
            + "'/><options>"
            + form("subscribe_options", options)
            + "</options>";
    assertThat(ask(user + "/x", "", request).toString()).contains("'subscribed'");
  }

  /// Whatever is associated in whatever order: there is never a cycle, and a publication reaches
  /// those who are subscribed to the collections above, at their distance, once for each.
  @Test
  void whoIsNotifiedFollowsFromTheGraph() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      String run = seed + "-";
      int count = 6;
      for (int i = 0; i < count; i++) {
        create(HAMLET, run + i, "collection");
        String depth = i % 2 == 0 ? "all" : "1";
        Map<String, String> options =
            new TreeMap<>(Map.of("subscription_type", "items", "subscription_depth", depth));
        subscribe("u" + i + "@example.org", run + i, options);
      }
      create(HAMLET, run + "leaf", "leaf");
      Map<String, Set<String>> parents = new HashMap<>();
      for (int step = 0; step < 25; step++) {
        String collection = run + random.nextInt(count);
        String child = random.nextInt(4) == 0 ? run + "leaf" : run + random.nextInt(count);
        boolean cycle =
            distances(parents, collection).containsKey(child) || collection.equals(child);
        boolean done = associate(collection, child);
        assertThat(done).as(collection + " " + child + " " + parents).isEqualTo(!cycle);
        if (done) {
          parents.computeIfAbsent(child, missing -> new HashSet<>()).add(collection);
        }
      }
      Set<String> expected = new HashSet<>();
      distances(parents, run + "leaf")
          .forEach((collection, distance) -> {
            int number = Integer.parseInt(collection.substring(run.length()));
            if (number % 2 == 0 || distance == 1) {
              expected.add("u" + number + "@example.org");
            }
          });
      List<Stanza> sent =
          ask(
              HAMLET,
              "",
              "<publish node='" + run + "leaf'><item><x xmlns='urn:x'/></item></publish>");
      assertThat(sent.stream().skip(1).map(each -> String.valueOf(each.to())).toList())
          .as(parents.toString())
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static Map<String, Integer> distances(Map<String, Set<String>> parents, String from) {
    Map<String, Integer> found = new HashMap<>();
    Set<String> level = Set.of(from);
    for (int distance = 1; !level.isEmpty(); distance++) {
      Set<String> next = new HashSet<>();
      for (String each : level) {
        for (String parent : parents.getOrDefault(each, Set.of())) {
          if (found.putIfAbsent(parent, distance) == null) {
            next.add(parent);
          }
        }
      }
      level = next;
    }
    return found;
  }

  /// A node may be in a bounded number of collections, and have a bounded number above it.
  @Test
  void graphsAreBounded() {
    create(HAMLET, "leaf", "leaf");
    for (int i = 0; i < 20; i++) {
      create(HAMLET, "c" + i, "collection");
      assertThat(associate("c" + i, "leaf")).isEqualTo(i < 16);
    }
    create(HAMLET, "d0", "collection");
    int depth = 1;
    create(HAMLET, "d1", "collection");
    while (depth < 130 && associate("d" + (depth - 1), "d" + depth)) {
      depth++;
      create(HAMLET, "d" + depth, "collection");
    }
    assertThat(depth).isEqualTo(101);
  }

  /// Only the service itself speaks for a node or for the presence of someone.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<home xmlns='urn:zonda:pubsub:home' node='n' about='items' depth='1' type='normal'"
            + " named='true'><x xmlns='urn:x'/></home>",
        "<home xmlns='urn:zonda:pubsub:home' node='n' from='u@example.org' available='false'/>"
      })
  void nobodyElseSpeaksForANode(String payload) {
    create(HAMLET, "n", "collection");
    subscribe("u@example.org", "n", Map.of("subscription_type", "all", "expire", "presence"));
    context.takeSent();
    for (String from : List.of(HAMLET, "u@example.org", "example.org", "x@pubsub.example.org")) {
      context
          .host()
          .toService(
              TestXml.stanza(
                  "<message from='"
                      + from
                      + "' to='pubsub.example.org'>"
                      + payload
                      + "</message>"));
      assertThat(context.takeSent().toString()).contains("service-unavailable");
    }
    assertThat(store().countSubscriptions(SERVICE, Jid.of("u@example.org"))).isEqualTo(1);
    context
        .host()
        .toService(
            TestXml.stanza(
                "<message from='pubsub.example.org' to='pubsub.example.org'>"
                    + payload
                    + "</message>"));
    boolean ended = store().countSubscriptions(SERVICE, Jid.of("u@example.org")) == 0;
    assertThat(ended || !context.takeSent().isEmpty()).isTrue();
  }

  /// The lists of one user come in pages.
  @Test
  void listsOfAUserComeInPages() {
    for (int i = 100; i < 105; i++) {
      create(HAMLET, "n" + i, "leaf");
      subscribe("u@example.org", "n" + i, Map.of("deliver", "1"));
    }
    for (String list : List.of("subscriptions", "affiliations")) {
      String user = list.startsWith("s") ? "u@example.org/x" : HAMLET;
      String after = "";
      StringBuilder seen = new StringBuilder();
      for (int page = 0; page < 3; page++) {
        context
            .host()
            .toService(
                TestXml.iq(
                    "<iq id='1' type='get' from='"
                        + user
                        + "' to='pubsub.example.org'><pubsub xmlns='"
                        + PUBSUB
                        + "'><"
                        + list
                        + "/><set xmlns='http://jabber.org/protocol/rsm'><max>2</max>"
                        + after
                        + "</set></pubsub></iq>"));
        String answer = context.takeSent().getFirst().toString();
        assertThat(answer).contains("<count>5</count>");
        for (int i = 100; i < 105; i++) {
          seen.append(answer.contains("node='n" + i + "'") ? "n" + i + " " : "");
        }
        int last = answer.indexOf("<last>");
        after = "<after>" + answer.substring(last + 6, answer.indexOf("</last>")) + "</after>";
      }
      assertThat(seen.toString()).isEqualTo("n100 n101 n102 n103 n104 ");
    }
  }
}
