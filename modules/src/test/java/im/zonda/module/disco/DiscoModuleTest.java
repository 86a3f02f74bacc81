package im.zonda.module.disco;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DiscoModuleTest {
  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";

  private final TestContext context = new TestContext().install(new DiscoModule());
  private final TestSession romeo = context.bind("romeo@example.org/garden");

  @Test
  void theServerTellsWhatAllModulesDeclared() {
    context.advertise("urn:xmpp:ping");
    Element form =
        TestXml.element("<x xmlns='jabber:x:data' type='result'><title>Hello</title></x>");
    context.addForm(form);
    Element info = result(ask("example.org", INFO, null));
    assertThat(info.children())
        .contains(
            TestXml.element(
                "<identity xmlns='%s' category='server' type='im' name='Zonda'/>".formatted(INFO)),
            form);
    assertThat(features(info))
        .containsExactly(
            "http://jabber.org/protocol/caps",
            "http://jabber.org/protocol/disco#info",
            "http://jabber.org/protocol/disco#items",
            "urn:xmpp:caps",
            "urn:xmpp:ping");
  }

  @Test
  void theServerHasNoItems() {
    assertThat(result(ask("example.org", ITEMS, null))).isEqualTo(Element.of(ITEMS, "query"));
  }

  @ParameterizedTest
  @CsvSource({"example.org,nothing", "example.org,''", "romeo@example.org,nothing"})
  void anUnknownNodeIsNotFound(String to, String node) {
    IqReply notFound = IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    assertThat(ask(to, INFO, node)).isEqualTo(notFound);
    assertThat(ask(to, ITEMS, node)).isEqualTo(notFound);
  }

  @Test
  void theStreamFeatureNamesWhatTheServerAnswersForIt() {
    context.advertise("urn:xmpp:ping");
    Element caps = context.host().streamFeatures().getFirst();
    assertThat(caps.attribute("hash")).isEqualTo("sha-1");
    String node = caps.attribute("node") + "#" + caps.attribute("ver");
    Element info = result(ask("example.org", INFO, node));
    assertThat(info.attribute("node")).isEqualTo(node);
    assertThat(features(info)).contains("urn:xmpp:ping");
    assertThat(VerificationString.of(info)).isEqualTo(caps.attribute("ver"));
    assertThat(ask("example.org", INFO, caps.attribute("node") + "#stale"))
        .isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
  }

  @Test
  void theOwnAccountTellsItsFeaturesAndAvailableSessions() {
    context.advertiseForAccounts("urn:xmpp:sid:0");
    romeo.presence(TestXml.presence("<presence/>"));
    TestSession unavailable = context.bind("romeo@example.org/orchard");
    assertThat(unavailable.available()).isFalse();
    Element info = result(ask(null, INFO, null));
    assertThat(info.children().getFirst())
        .isEqualTo(
            TestXml.element(
                "<identity xmlns='%s' category='account' type='registered'/>".formatted(INFO)));
    assertThat(features(info)).containsExactly(INFO, ITEMS, "urn:xmpp:sid:0");
    assertThat(result(ask("romeo@example.org", ITEMS, null)))
        .isEqualTo(
            TestXml.element(
                "<query xmlns='%s'><item jid='romeo@example.org/garden'/></query>"
                    .formatted(ITEMS)));
  }

  @ParameterizedTest
  @EnumSource(
      value = Subscription.class,
      names = {"FROM", "BOTH"})
  void aContactThatSeesThePresenceIsTold(Subscription subscription) {
    TestSession juliet = context.bind("juliet@example.org/balcony");
    juliet.presence(TestXml.presence("<presence/>"));
    subscribe("juliet@example.org", "romeo@example.org", subscription);
    assertThat(features(result(ask("juliet@example.org", INFO, null))))
        .containsExactly(INFO, ITEMS);
    assertThat(result(ask("juliet@example.org", ITEMS, null)).children()).hasSize(1);
    assertThat(ask("juliet@example.org", INFO, "nothing"))
        .isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
  }

  @ParameterizedTest
  @EnumSource(
      value = Subscription.class,
      names = {"NONE", "TO"})
  void row67AStrangerCannotTellAnAccountFromNone(Subscription subscription) {
    TestSession juliet = context.bind("juliet@example.org/balcony");
    juliet.presence(TestXml.presence("<presence/>"));
    subscribe("juliet@example.org", "romeo@example.org", subscription);
    for (@Nullable String node : new @Nullable String[] {null, "nothing"}) {
      assertThat(ask("juliet@example.org", INFO, node))
          .isEqualTo(ask("nobody@example.org", INFO, node))
          .isEqualTo(IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE));
      assertThat(ask("juliet@example.org", ITEMS, node))
          .isEqualTo(ask("nobody@example.org", ITEMS, node))
          .isEqualTo(
              IqReply.result(Element.builder(ITEMS, "query").attribute("node", node).build()));
    }
  }

  @Test
  void row67ARosterLeftBehindByAnAccountTellsNothing() {
    subscribe("nobody@example.org", "romeo@example.org", Subscription.BOTH);
    assertThat(ask("nobody@example.org", INFO, null))
        .isEqualTo(IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE));
  }

  private void subscribe(String owner, String contact, Subscription subscription) {
    context
        .stores()
        .rosters()
        .put(
            Jid.of(owner),
            new RosterItem(
                Jid.of(contact), null, subscription, false, false, List.of(), null, true));
  }

  private IqReply ask(@Nullable String to, String namespace, @Nullable String node) {
    return context.ask(
        romeo,
        Iq.of(
            Iq.Type.GET,
            null,
            to == null ? null : Jid.of(to),
            "d1",
            Element.builder(namespace, "query").attribute("node", node).build()));
  }

  private static Element result(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    return Objects.requireNonNull(((IqReply.Result) reply).payload());
  }

  private static List<String> features(Element info) {
    return info.children().stream()
        .filter(child -> child.is(INFO, "feature"))
        .map(feature -> Objects.requireNonNull(feature.attribute("var")))
        .toList();
  }
}
