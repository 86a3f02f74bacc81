package im.zonda.module.pubsub.service;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The lists of the owner of a node with many subscribers.
class OwnerListsTest {
  private static final Jid SERVICE = Jid.of("pubsub.example.org");
  private static final Jid HAMLET = Jid.of("hamlet@example.org");
  private static final String RSM = "http://jabber.org/protocol/rsm";
  private static final int SUBSCRIBERS = 10_000;

  private final TestContext context = new TestContext();

  @BeforeEach
  void fill() {
    PubSubStore store = context.stores().pubSub();
    context.install(new PubSubServiceModule());
    List<PubSubStore.Affiliation> affiliations = new ArrayList<>();
    List<PubSubStore.Subscription> subscriptions = new ArrayList<>();
    for (int i = 0; i < SUBSCRIBERS; i++) {
      Jid user = Jid.of("u%05d@example.org".formatted(i));
      affiliations.add(new PubSubStore.Affiliation(user, "member"));
      subscriptions.add(new PubSubStore.Subscription("s%05d".formatted(i), user, "subscribed", ""));
    }
    affiliations.add(new PubSubStore.Affiliation(HAMLET, "owner"));
    subscriptions.add(new PubSubStore.Subscription("a", HAMLET, "pending", ""));
    store.save(
        new PubSubStore.Node(SERVICE, "n", HAMLET, context.clock().instant(), ""),
        affiliations,
        subscriptions);
  }

  private Element ask(String list, @Nullable String set) {
    String page = set == null ? "" : "<set xmlns='" + RSM + "'>" + set + "</set>";
    context
        .host()
        .toService(
            TestXml.iq(
                ("<iq id='1' type='get' from='hamlet@example.org/x' to='pubsub.example.org'>"
                        + "<pubsub xmlns='http://jabber.org/protocol/pubsub#owner'><%s node='n'/>"
                        + "%s</pubsub></iq>")
                    .formatted(list, page)));
    Iq answer = (Iq) context.takeSent().getFirst();
    assertThat(answer.type()).as("%s", answer).isEqualTo(Iq.Type.RESULT);
    return Objects.requireNonNull(answer.payload());
  }

  private static List<String> users(Element answer) {
    return answer.children().getFirst().children().stream()
        .map(each -> String.valueOf(each.attribute("jid")))
        .toList();
  }

  private static Element set(Element answer) {
    return Objects.requireNonNull(answer.child(new QName(RSM, "set")));
  }

  private static String text(Element set, String name) {
    return Objects.requireNonNull(set.child(name)).text();
  }

  /// An owner that pages through a list gets everyone once, in either direction.
  @ParameterizedTest
  @CsvSource({"subscriptions, 10000, 0", "affiliations, 10001, 1"})
  void everyoneIsListed(String list, int all, int owners) {
    List<String> forwards = new ArrayList<>();
    Element answer = ask(list, null);
    while (!users(answer).isEmpty()) {
      Element set = set(answer);
      assertThat(text(set, "count")).isEqualTo(Integer.toString(all));
      assertThat(Objects.requireNonNull(set.child("first")).attribute("index"))
          .isEqualTo(Integer.toString(forwards.size()));
      forwards.addAll(users(answer));
      answer = ask(list, "<after>" + text(set, "last") + "</after>");
    }
    assertThat(forwards).hasSize(all).doesNotHaveDuplicates();
    assertThat(forwards.contains(HAMLET.toString())).isEqualTo(owners > 0);

    List<String> backwards = new ArrayList<>();
    answer = ask(list, "<before/><max>1999</max>");
    while (!users(answer).isEmpty()) {
      backwards.addAll(0, users(answer));
      Element set = set(answer);
      assertThat(Objects.requireNonNull(set.child("first")).attribute("index"))
          .isEqualTo(Integer.toString(all - backwards.size()));
      answer = ask(list, "<max>1999</max><before>" + text(set, "first") + "</before>");
    }
    assertThat(backwards).isEqualTo(forwards);
  }

  @Test
  void aPageIsBounded() {
    assertThat(users(ask("subscriptions", null))).hasSize(2_000);
    assertThat(users(ask("subscriptions", "<max>9999</max>"))).hasSize(2_000);
    assertThat(users(ask("subscriptions", "<max>3</max>"))).hasSize(3);
    Element counted = ask("subscriptions", "<max>0</max>");
    assertThat(users(counted)).isEmpty();
    assertThat(text(set(counted), "count")).isEqualTo("10000");
    assertThat(set(counted).child("first")).isNull();
  }

  /// Long addresses make fewer entries.
  @Test
  void aPageIsBoundedInItsSize() {
    List<PubSubStore.Subscription> subscriptions = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Jid user = Jid.of("u" + i + "@example.org/" + "x".repeat(1_000));
      subscriptions.add(new PubSubStore.Subscription("b" + i, user, "subscribed", ""));
    }
    context
        .stores()
        .pubSub()
        .save(
            new PubSubStore.Node(SERVICE, "n", HAMLET, context.clock().instant(), ""),
            List.of(),
            subscriptions);
    assertThat(users(ask("subscriptions", null))).hasSizeBetween(200, 300);
  }

  /// A page continues where the last one ended, although that subscription has ended.
  @Test
  void pagesContinueAfterAnEntryThatIsGone() {
    Element first = ask("subscriptions", "<max>2</max>");
    assertThat(users(first)).containsExactly("u00000@example.org", "u00001@example.org");
    context
        .host()
        .toService(
            TestXml.iq(
                "<iq id='2' type='set' from='hamlet@example.org/x' to='pubsub.example.org'>"
                    + "<pubsub xmlns='http://jabber.org/protocol/pubsub#owner'><subscriptions"
                    + " node='n'><subscription jid='u00001@example.org' subscription='none'/>"
                    + "</subscriptions></pubsub></iq>"));
    context.takeSent();
    assertThat(users(ask("subscriptions", "<max>1</max><after>s00001</after>")))
        .containsExactly("u00002@example.org");
  }
}
