package im.zonda.module.pubsub.request;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Item;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Items that are too large for one answer, in each order. The answer has eight of them.
class ItemRequestsTest {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String RSM = "http://jabber.org/protocol/rsm";
  private static final int ITEMS = 20;

  private final RosterModule roster = new RosterModule();
  private final DiscoModule disco = new DiscoModule();
  private final TestContext context =
      new TestContext()
          .install(
              roster,
              new PresenceModule(roster),
              disco,
              new PubSubModule(roster, disco, new MamModule(roster)));
  private final TestSession juliet = context.bind("juliet@example.org/balcony");

  private Element ask(String type, String inside) {
    IqReply reply =
        context.ask(
            juliet,
            TestXml.iq(
                "<iq type='"
                    + type
                    + "' id='p'><pubsub xmlns='"
                    + PUBSUB
                    + "'>"
                    + inside
                    + "</pubsub></iq>"));
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    return Objects.requireNonNull(((IqReply.Result) reply).payload());
  }

  private void publish(int number) {
    ask(
        "set",
        "<publish node='urn:x'><item id='i"
            + number
            + "'><x xmlns='urn:x'>"
            + "x".repeat(60_000)
            + "</x></item></publish><publish-options><x xmlns='jabber:x:data' type='submit'><field"
            + " var='FORM_TYPE'><value>"
            + PUBSUB
            + "#publish-options</value></field><field var='pubsub#max_items'><value>max</value>"
            + "</field></x></publish-options>");
  }

  /// The items are in the order 1, 2, …, 19, 0 of modification.
  @BeforeEach
  void publishAll() {
    for (int i = 0; i < ITEMS; i++) {
      publish(i);
    }
    publish(0);
  }

  private static String order(String by, boolean descending) {
    return "<order xmlns='urn:xmpp:order-by:1' by='" + by + "' desc='" + descending + "'/>";
  }

  private static String page(String inside) {
    return "<set xmlns='" + RSM + "'>" + inside + "</set>";
  }

  private void assertItems(String request, int first, int last, @Nullable String index) {
    Element answer = ask("get", "<items node='urn:x'/>" + request);
    List<String> ids =
        Objects.requireNonNull(answer.child("items")).children().stream()
            .map(item -> item.attribute("id"))
            .toList();
    assertThat(ids).hasSize(8).startsWith("i" + first).endsWith("i" + last);
    Element set = answer.children().getLast();
    assertThat(set.name().namespace()).isEqualTo(RSM);
    Element start = Objects.requireNonNull(set.child("first"));
    assertThat(start.attribute("index")).isEqualTo(index);
    assertThat(start.text()).isEqualTo("i" + first);
    assertThat(Objects.requireNonNull(set.child("last")).text()).isEqualTo("i" + last);
  }

  @Test
  void withoutAnOrderTheNewestOnesAreReturned() {
    assertItems("", 13, 0, "12");
  }

  @Test
  void withAnOrderItsFirstOnesAre() {
    assertItems(order("creation", false), 0, 7, "0");
    assertItems(order("creation", true), 19, 12, "0");
    assertItems(order("modification", true), 0, 13, "0");
    assertItems(order("modification", false), 1, 8, "0");
  }

  @Test
  void pagesContinueInBothDirections() {
    assertItems(order("creation", true) + page("<max>10</max><after>i12</after>"), 11, 4, "8");
    assertItems(order("creation", true) + page("<max>10</max><before/>"), 7, 0, "12");
    assertItems(order("creation", true) + page("<max>10</max><before>i7</before>"), 15, 8, "4");
    assertItems(order("creation", false) + page("<max>8</max><after>i3</after>"), 4, 11, "4");
  }

  /// Items by their ids are bound as pages are; the answer says how many there are.
  @Test
  void itemsByTheirIdsAreNoMoreThanAPage() {
    String wanted =
        IntStream.range(0, ITEMS)
            .mapToObj(i -> "<item id='i" + i + "'/><item id='i" + i + "'/>")
            .collect(Collectors.joining());
    Element answer = ask("get", "<items node='urn:x'>" + wanted + "<item id='none'/></items>");
    List<String> ids =
        Objects.requireNonNull(answer.child("items")).children().stream()
            .map(item -> item.attribute("id"))
            .toList();
    assertThat(ids).hasSize(8).startsWith("i1").endsWith("i8");
    Element set = answer.children().getLast();
    assertThat(set.name().namespace()).isEqualTo(RSM);
    assertThat(Objects.requireNonNull(set.child("last")).text()).isEqualTo("i8");
    assertThat(Objects.requireNonNull(set.child("count")).text()).isEqualTo("20");
  }

  @Test
  void someItemsByTheirIdsAreAllReturned() {
    Element answer =
        ask("get", "<items node='urn:x'><item id='i3'/><item id='i1'/><item id='i3'/></items>");
    assertThat(answer.children()).hasSize(1);
    assertThat(Objects.requireNonNull(answer.child("items")).children())
        .extracting(item -> item.attribute("id"))
        .containsExactly("i1", "i3");
  }

  /// An item that cannot be read costs itself alone.
  @Test
  void anItemThatIsNoXmlHasNoPayload() {
    PubSubStore store = context.stores().pubSub();
    Jid owner = Jid.of("juliet@example.org");
    byte[] damaged = "<x".getBytes(StandardCharsets.UTF_8);
    List<String> _ =
        store.publish(owner, "urn:x", List.of(new Item("i1", owner, Instant.EPOCH, damaged)), 100);
    for (String request : List.of("<item id='i1'/><item id='i2'/>", "")) {
      String items = "<items node='urn:x' max_items='3'>" + request + "</items>";
      Element answer = Objects.requireNonNull(ask("get", items).child("items"));
      assertThat(answer.children()).hasSizeGreaterThan(1);
      for (Element item : answer.children()) {
        boolean readable = !"i1".equals(item.attribute("id"));
        assertThat(item.children()).hasSize(readable ? 1 : 0);
      }
    }
  }
}
