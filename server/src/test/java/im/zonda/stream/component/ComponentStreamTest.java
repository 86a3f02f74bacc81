package im.zonda.stream.component;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.component.Components;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.link.ComponentGate;
import im.zonda.link.ComponentLink;
import im.zonda.runtime.TestRuntime;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.ByteStream;
import im.zonda.stream.MemoryTransport;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.framing.XmlParser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The stream of a component (XEP-0114, section 3). The stream identifier and the domain are those
/// of the XEP's examples.
class ComponentStreamTest {
  private static final String HEADER =
      "<stream:stream xmlns='jabber:component:accept'"
          + " xmlns:stream='http://etherx.jabber.org/streams' to='plays.shakespeare.lit'>";

  /// SHA-1 of `3BF96D32secret`.
  private static final String DIGEST = "b09ea9b3b7f586be8a08d0a3dd7466f110aeb136";

  private static final String HANDSHAKE = "<handshake>" + DIGEST + "</handshake>";

  /// Records what the stream reports.
  private static final class Reports implements ComponentGate {
    final List<String> events = new ArrayList<>();
    final List<ComponentLink> links = new ArrayList<>();

    @Override
    public void received(ComponentLink link, Stanza stanza) {
      ByteArraySink sink = new ByteArraySink(64);
      stanza.writeTo(sink);
      events.add(new String(sink.toByteArray(), StandardCharsets.UTF_8));
    }

    @Override
    public void report(ComponentLink link, Event event) {
      events.add(
          switch (event) {
            case Event.Opened() -> {
              links.add(link);
              yield "opened " + link.domain();
            }
            case Event.Written(long number) -> "written " + number;
            case Event.Ended() -> "ended";
            case Event.OutputEnded() -> "output ended";
          });
    }
  }

  private final MemoryTransport transport = new MemoryTransport();
  private final Reports reports = new Reports();
  private final Set<String> served = new HashSet<>(Set.of("shakespeare.lit", "rooms.here.lit"));
  private final ByteStream bytes = new ByteStream(context().profile(), transport);

  private ComponentContext context() {
    Components settings =
        new Components(
            List.of(),
            Duration.ofSeconds(30),
            1_000_000,
            16,
            Map.of(
                "plays.shakespeare.lit", "secret",
                "*.shakespeare.lit", "secret of all",
                "*.here.lit", "secret"));
    return new ComponentContext(
        settings,
        Limits.defaults(),
        new ComponentContext.Surroundings(
            domain -> served.contains(domain) ? domain : null,
            () -> Jid.of("shakespeare.lit"),
            reports),
        new TestRuntime().ids(() -> "3BF96D32").build());
  }

  private String send(String text) {
    byte[] sent = text.getBytes(StandardCharsets.UTF_8);
    bytes.input(sent, 0, sent.length);
    while (!transport.tasks.isEmpty()) {
      transport.tasks.remove().run();
    }
    return transport.output();
  }

  private void open() {
    send(HEADER);
    assertThat(send(HANDSHAKE)).isEqualTo("<handshake/>");
    reports.events.clear();
  }

  private static String error(String condition) {
    return "<stream:error><" + condition + " xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>";
  }

  // ---- header and handshake

  @Test
  void theHeaderIsAnsweredInItsNamespaceAndWithoutVersion() {
    assertThat(send("<?xml version='1.0'?>" + HEADER))
        .isEqualTo(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept'"
                + " xmlns:stream='http://etherx.jabber.org/streams' id='3BF96D32'"
                + " from='plays.shakespeare.lit' xml:lang='en'>");
  }

  @Test
  void theRightHandshakeOpensTheLink() {
    send(HEADER);
    assertThat(send(HANDSHAKE)).isEqualTo("<handshake/>");
    assertThat(reports.events).containsExactly("opened plays.shakespeare.lit");
    assertThat(bytes.stream().isEstablished()).isTrue();
    assertThat(bytes.stream().account()).hasToString("plays.shakespeare.lit");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<handshake/>",
        "<handshake>00</handshake>",
        "<handshake>B09EA9B3B7F586BE8A08D0A3DD7466F110AEB136</handshake>",
        "<handshake>b09ea9b3b7f586be8a08d0a3dd7466f110aeb137</handshake>",
        "<handshake><x>b09ea9b3b7f586be8a08d0a3dd7466f110aeb136</x></handshake>",
        "<password>b09ea9b3b7f586be8a08d0a3dd7466f110aeb136</password>",
        "<message from='plays.shakespeare.lit' to='a@shakespeare.lit'/>",
        "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'/>"
      })
  void anythingElseIsNotAuthorized(String element) {
    send(HEADER);
    assertThat(send(element)).startsWith(error("not-authorized")).endsWith("</stream:stream>");
    assertThat(transport.closed).isTrue();
    assertThat(reports.events).isEmpty();
  }

  @Test
  void aHandshakeOfAnotherStreamIsNotAuthorized() {
    send(HEADER);
    assertThat(send("<handshake>" + Handshake.digest("3BF96D33", "secret") + "</handshake>"))
        .startsWith(error("not-authorized"));
  }

  @Test
  void theDomainWithItsOwnSecretDoesNotTakeThatOfThePattern() {
    send(HEADER);
    String digest = Handshake.digest("3BF96D32", "secret of all");
    assertThat(send("<handshake>" + digest + "</handshake>")).startsWith(error("not-authorized"));
  }

  @Test
  void aPatternHasASecretForAllDomainsBelow() {
    send(HEADER.replace("plays.", "a.b."));
    String digest = Handshake.digest("3BF96D32", "secret of all");
    assertThat(send("<handshake>" + digest + "</handshake>")).isEqualTo("<handshake/>");
    assertThat(reports.events).containsExactly("opened a.b.shakespeare.lit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"other.lit", "plays.other.lit", "xshakespeare.lit", "a@b.here.lit"})
  void adomainWithoutSecretIsUnknown(String domain) {
    assertThat(send(HEADER.replace("plays.shakespeare.lit", domain)))
        .startsWith("<?xml version='1.0'?><stream:stream ")
        .contains(error("host-unknown"))
        .endsWith("</stream:stream>");
  }

  @Test
  void aHeaderWithoutAddresseeNamesNoComponent() {
    assertThat(send(HEADER.replace(" to='plays.shakespeare.lit'", "")))
        .contains(error("host-unknown"));
  }

  @Test
  void aDomainOfTheServerIsAConflict() {
    assertThat(send(HEADER.replace("plays.shakespeare.lit", "rooms.here.lit")))
        .contains(error("conflict"));
  }

  @Test
  void aDomainThatIsServedBeforeTheHandshakeIsAConflict() {
    send(HEADER);
    served.add("plays.shakespeare.lit");
    assertThat(send(HANDSHAKE)).startsWith(error("conflict"));
    assertThat(reports.events).isEmpty();
  }

  @Test
  void aHeaderInAnotherNamespaceIsInvalid() {
    assertThat(send(HEADER.replace("component:accept", "component:connect")))
        .contains(error("invalid-namespace"));
  }

  @Test
  void negotiationHasItsTime() {
    send(HEADER);
    transport.now += Limits.defaults().negotiationTime().toMillis() + 1;
    bytes.stream().tick();
    assertThat(transport.output()).startsWith(error("connection-timeout").replace("/>", ""));
  }

  @Test
  void whatComesBeforeTheHandshakeIsLimited() {
    send(HEADER);
    assertThat(send(" ".repeat(Limits.defaults().unauthenticatedBytes())))
        .startsWith(error("policy-violation").replace("/>", ""));
  }

  // ---- stanzas

  @Test
  void stanzasAreThoseOfClientsWithoutTheirNamespace() {
    open();
    send(
        "<message xmlns='jabber:component:accept' from='a@plays.shakespeare.lit/x'"
            + " to='romeo@shakespeare.lit' type='chat'><body>hi</body></message>");
    assertThat(reports.events)
        .containsExactly(
            "<message from='a@plays.shakespeare.lit/x' to='romeo@shakespeare.lit' type='chat'>"
                + "<body>hi</body></message>");
  }

  @Test
  void stanzasForTheComponentAreWrittenAndReported() throws Exception {
    open();
    Message message =
        (Message)
            Stanza.of(
                XmlParser.frame(
                    "<message from='romeo@shakespeare.lit/o' to='plays.shakespeare.lit'>"
                        + "<body>hi</body></message>",
                    "jabber:client"));
    reports.links.getFirst().deliver(message, 1, 0);
    assertThat(send(""))
        .isEqualTo(
            "<message from='romeo@shakespeare.lit/o' to='plays.shakespeare.lit'>"
                + "<body>hi</body></message>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "from='shakespeare.lit' to='romeo@shakespeare.lit'",
        "from='other.shakespeare.lit' to='romeo@shakespeare.lit'",
        "from='a@xplays.shakespeare.lit' to='romeo@shakespeare.lit'",
        "from='plays.shakespeare.lit@evil.lit' to='romeo@shakespeare.lit'"
      })
  void row57_anotherDomainInFromEndsTheStream(String addresses) {
    open();
    assertThat(send("<message " + addresses + "/>")).startsWith(error("invalid-from"));
    assertThat(reports.events).containsExactly("ended");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "from='plays.shakespeare.lit'", "to='romeo@shakespeare.lit'"})
  void aStanzaWithoutAddressesEndsTheStream(String addresses) {
    open();
    assertThat(send("<message " + addresses + "/>"))
        .startsWith(error("improper-addressing").replace("/>", ""));
    assertThat(reports.events).containsExactly("ended");
  }

  @Test
  void aMalformedAddressIsAnsweredAndTheStreamGoesOn() {
    open();
    assertThat(send("<message id='1' from='a@plays.shakespeare.lit' to='a@@b'/>"))
        .isEqualTo(
            "<message to='a@plays.shakespeare.lit' from='a@@b' id='1' type='error'>"
                + "<error type='modify'>"
                + "<jid-malformed xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>");
    assertThat(send("<iq type='get' from='plays.shakespeare.lit' to='shakespeare.lit'><q/></iq>"))
        .isEqualTo(
            "<iq from='shakespeare.lit' to='plays.shakespeare.lit' type='error'>"
                + "<error type='modify'>"
                + "<bad-request xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>");
    assertThat(bytes.stream().closed()).isFalse();
    assertThat(reports.events).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {HANDSHAKE, "<route/>", "<a xmlns='urn:xmpp:sm:3' h='1'/>"})
  void anElementThatIsNoStanzaEndsTheStream(String element) {
    open();
    assertThat(send(element)).startsWith(error("unsupported-stanza-type"));
  }

  // ---- silence and the end

  @Test
  void silenceIsPinged() {
    open();
    transport.now += Limits.defaults().idleTime().toMillis() + 1;
    bytes.stream().tick();
    assertThat(transport.output())
        .isEqualTo(
            "<iq from='shakespeare.lit' to='plays.shakespeare.lit' id='3BF96D32' type='get'>"
                + "<ping xmlns='urn:xmpp:ping'/></iq>");
    transport.now += Limits.defaults().pingTime().toMillis() + 1;
    bytes.stream().tick();
    assertThat(transport.output()).startsWith(error("connection-timeout"));
    assertThat(reports.events).containsExactly("ended");
  }

  @Test
  void whiteSpaceIsASignOfLife() {
    open();
    transport.now += Limits.defaults().idleTime().toMillis() + 1;
    bytes.stream().tick();
    send(" ");
    transport.now += Limits.defaults().pingTime().toMillis() + 1;
    bytes.stream().tick();
    assertThat(bytes.stream().closed()).isFalse();
  }

  @Test
  void theComponentIsPausedAndClosedByItsHome() {
    open();
    ComponentLink link = reports.links.getFirst();
    link.pauseReading();
    send("");
    assertThat(transport.reading).isFalse();
    link.resumeReading();
    send("");
    assertThat(transport.reading).isTrue();
    link.close(StreamErrorCondition.CONFLICT, null);
    assertThat(send("")).startsWith(error("conflict"));
    assertThat(reports.events).containsExactly("ended");
  }

  @Test
  void theEndIsReportedOnce() {
    open();
    send("</stream:stream>");
    bytes.stream().disconnected();
    bytes.stream().disconnected();
    assertThat(reports.events).containsExactly("ended", "output ended");
  }

  @Test
  void whatLeavesAfterTheEndIsReported() {
    open();
    send("</stream:stream>");
    bytes.stream().written(2);
    bytes.stream().outputEnded();
    bytes.stream().disconnected();
    assertThat(reports.events).containsExactly("ended", "written 2", "output ended");
  }

  @Test
  void theEndOfAPeerThatHasNotAuthenticatedIsNotReported() {
    send(HEADER);
    bytes.stream().disconnected();
    assertThat(reports.events).isEmpty();
  }
}
