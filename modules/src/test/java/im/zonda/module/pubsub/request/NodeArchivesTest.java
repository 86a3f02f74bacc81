package im.zonda.module.pubsub.request;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.service.PubSubServiceModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Stanza;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Item;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The archive of a node with many items.
class NodeArchivesTest {
  private static final Jid SERVICE = Jid.of("pubsub.example.org");
  private static final Jid HAMLET = Jid.of("hamlet@example.org");
  private static final Pattern RESULT = Pattern.compile("<result [^>]*id='(i\\d+)'");

  private final TestContext context = new TestContext().install(new PubSubServiceModule());

  private void fill(int items, int bytes) {
    PubSubStore store = context.stores().pubSub();
    store.save(
        new PubSubStore.Node(SERVICE, "n", HAMLET, context.clock().instant(), ""),
        List.of(new PubSubStore.Affiliation(HAMLET, "owner")),
        List.of());
    String payload = "<x xmlns='urn:x'>" + "y".repeat(bytes) + "</x>";
    for (int i = 0; i < items; i++) {
      Item item =
          new Item(
              "i" + i, HAMLET, context.clock().instant(), payload.getBytes(StandardCharsets.UTF_8));
      store.publish(SERVICE, "n", List.of(item), items);
    }
  }

  /// The stanzas that answer a query, whose last one is the result.
  private List<Stanza> query(String set) {
    context
        .host()
        .toService(
            TestXml.iq(
                "<iq id='1' type='set' from='hamlet@example.org/x' to='pubsub.example.org'>"
                    + "<query xmlns='urn:xmpp:mam:2' node='n'><set"
                    + " xmlns='http://jabber.org/protocol/rsm'>"
                    + set
                    + "</set></query></iq>"));
    return context.takeSent();
  }

  private static List<String> ids(List<Stanza> answer) {
    List<String> ids = new ArrayList<>();
    for (Stanza stanza : answer.subList(0, answer.size() - 1)) {
      Matcher matcher = RESULT.matcher(stanza.toString());
      assertThat(matcher.find()).as("%s", stanza).isTrue();
      ids.add(matcher.group(1));
    }
    return ids;
  }

  private static boolean isComplete(List<Stanza> answer) {
    return answer.getLast().toString().contains("complete='true'");
  }

  @Test
  void pagesHaveEverythingOnce() {
    fill(120, 1);
    List<String> forwards = new ArrayList<>();
    List<Stanza> answer = query("<max>60</max>");
    forwards.addAll(ids(answer));
    assertThat(isComplete(answer)).isFalse();
    answer = query("<max>60</max><after>" + forwards.getLast() + "</after>");
    forwards.addAll(ids(answer));
    assertThat(isComplete(answer)).isTrue();
    assertThat(forwards).hasSize(120).doesNotHaveDuplicates().startsWith("i0").endsWith("i119");
    List<String> backwards = new ArrayList<>();
    answer = query("<max>70</max><before/>");
    backwards.addAll(ids(answer));
    assertThat(isComplete(answer)).isFalse();
    answer = query("<max>70</max><before>" + backwards.getFirst() + "</before>");
    backwards.addAll(0, ids(answer));
    assertThat(isComplete(answer)).isTrue();
    assertThat(backwards).isEqualTo(forwards);
  }

  /// A page is not larger than a part of what may wait for a client.
  @Test
  void aPageIsBoundedInItsSize() {
    int bytes = 100_000;
    fill(60, bytes);
    List<Stanza> answer = query("");
    long most = context.config().limits().outboundBytes() / 4;
    assertThat(ids(answer)).hasSize(Math.toIntExact(Math.min(60, most / (bytes + 21))));
    assertThat(isComplete(answer)).isEqualTo(most / (bytes + 21) >= 60);
  }
}
