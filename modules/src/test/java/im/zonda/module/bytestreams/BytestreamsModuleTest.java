package im.zonda.module.bytestreams;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bytestream.Bytestreams.Activation;
import im.zonda.config.Proxy;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BytestreamsModuleTest {
  private static final String ROMEO = "romeo@example.org/orchard";
  private static final String QUERY = "<query xmlns='http://jabber.org/protocol/bytestreams'/>";
  private static final String ACTIVATE =
      "<query xmlns='http://jabber.org/protocol/bytestreams' sid='vxf9n471bn46'>"
          + "<activate>target@example.org/bar</activate></query>";

  private TestContext context = start("24.24.24.1", 7625);

  private static TestContext start(@Nullable String address, @Nullable Integer port) {
    Proxy proxy =
        new Proxy(List.of("127.0.0.1:0"), address, port, "streamer", List.of("*.example.net"));
    TestContext context = new TestContext();
    return context.config(config(context.config(), proxy)).install(new BytestreamsModule());
  }

  private static ServerConfig config(ServerConfig d, Proxy proxy) {
    return RecordCopy.with(d, "proxy", proxy);
  }

  private void ask(String from, String type, String payload) {
    context
        .host()
        .services()
        .getFirst()
        .acceptForDomain(
            TestXml.iq(
                "<iq type='%s' id='s' from='%s' to='streamer.example.org'>%s</iq>"
                    .formatted(type, from, payload)));
  }

  private Element answer(String from, String type, String payload) {
    ask(from, type, payload);
    List<Stanza> sent = context.takeSent();
    assertThat(sent).hasSize(1);
    return sent.getFirst().toElement();
  }

  private void expectResult(String payload) {
    Expect.sent(
        context,
        "<iq type='result' id='s' from='streamer.example.org' to='"
            + ROMEO
            + "'>"
            + payload
            + "</iq>");
  }

  private String condition(String from, String type, String payload) {
    return answer(from, type, payload).children().getLast().children().getFirst().name().name();
  }

  @Test
  void withoutAListenerThereIsNoProxy() {
    TestContext off = new TestContext().install(new BytestreamsModule());
    assertThat(off.host().services()).isEmpty();
  }

  @Test
  void theAddressIsTheOneOfTheConfiguration() {
    ask(ROMEO, "get", QUERY);
    expectResult(
        "<query xmlns='http://jabber.org/protocol/bytestreams'>"
            + "<streamhost host='24.24.24.1' jid='streamer.example.org' port='7625'/></query>");
  }

  @Test
  void withoutOneItIsTheHostAndThePortOfTheListener() {
    context = start(null, null);
    context.stores().bytestreams().listen(4711);
    ask(ROMEO, "get", QUERY);
    expectResult(
        "<query xmlns='http://jabber.org/protocol/bytestreams'>"
            + "<streamhost host='example.org' jid='streamer.example.org' port='4711'/></query>");
    context.stores().bytestreams().listen(0);
    assertThat(condition(ROMEO, "get", QUERY)).isEqualTo("not-allowed");
  }

  @ParameterizedTest
  @CsvSource({
    "romeo@example.org/x, true",
    "romeo@chat.example.net/x, true",
    "example.org, false",
    "romeo@example.net/x, false",
    "romeo@badexample.net/x, false",
    "romeo@example.com/x, false"
  })
  void usersOfTheHostAndOfDomainsThatAreNamedMayUseIt(String from, boolean may) {
    for (String payload : List.of(QUERY, ACTIVATE)) {
      context.stores().bytestreams().answer(Activation.ACTIVE);
      String type = payload.equals(QUERY) ? "get" : "set";
      if (may) {
        assertThat(answer(from, type, payload).attribute("type")).isEqualTo("result");
      } else {
        assertThat(condition(from, type, payload)).isEqualTo("forbidden");
      }
    }
    assertThat(context.stores().bytestreams().asked()).hasSize(may ? 1 : 0);
  }

  /// SHA-1 of `vxf9n471bn46romeo@example.org/orchardtarget@example.org/bar`.
  @Test
  void theHashIsMadeOfThatRequester() {
    context.stores().bytestreams().answer(Activation.ACTIVE);
    ask(ROMEO, "set", ACTIVATE);
    expectResult("");
    assertThat(context.stores().bytestreams().asked())
        .containsExactly("e6ca50afe634032508febec89a706da32017c469 romeo@example.org");
    ask("romeo@example.org/other", "set", ACTIVATE);
    assertThat(context.stores().bytestreams().asked().getLast()).doesNotStartWith("e6ca50af");
  }

  @ParameterizedTest
  @CsvSource({
    "NOT_CONNECTED, item-not-found",
    "ONE_PARTY, not-allowed",
    "TOO_MANY, resource-constraint"
  })
  void whatCannotBeActivatedIsAnErrorOfSection635(Activation outcome, String condition) {
    context.stores().bytestreams().answer(outcome);
    assertThat(condition(ROMEO, "set", ACTIVATE)).isEqualTo(condition);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<query xmlns='http://jabber.org/protocol/bytestreams'><activate>a@b</activate></query>",
        "<query xmlns='http://jabber.org/protocol/bytestreams' sid=''><activate>a@b</activate>"
            + "</query>",
        "<query xmlns='http://jabber.org/protocol/bytestreams' sid='x'/>",
        "<query xmlns='http://jabber.org/protocol/bytestreams' sid='x'><activate/></query>",
        "<query xmlns='http://jabber.org/protocol/bytestreams' sid='x'><activate>@</activate>"
            + "</query>"
      })
  void aRequestIsCheckedFirst(String query) {
    assertThat(condition(ROMEO, "set", query)).isEqualTo("bad-request");
    assertThat(context.stores().bytestreams().asked()).isEmpty();
  }

  @Test
  void thereIsNoUdp() {
    String udp = ACTIVATE.replace("sid=", "mode='udp' sid=");
    assertThat(condition(ROMEO, "set", udp)).isEqualTo("feature-not-implemented");
  }

  @Test
  void onlyAnotherDomainNeedsAnotherService() {
    BytestreamsModule module = new BytestreamsModule();
    ServerConfig before = context.config();
    Proxy changed = new Proxy(List.of("127.0.0.2:7"), "192.0.2.1", 7, "streamer", List.of());
    Proxy moved = new Proxy(List.of("127.0.0.2:7"), "192.0.2.1", 7, "proxy", List.of());
    assertThat(module.reload(before, config(before, changed))).isTrue();
    assertThat(module.reload(before, config(before, moved))).isFalse();
    assertThat(module.reload(before, config(before, Proxy.DEFAULTS))).isFalse();
  }
}
