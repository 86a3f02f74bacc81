package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.dns.Target;
import im.zonda.dns.Tlsa;
import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.stanza.Message;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.PeerCertificates;
import im.zonda.stream.TlsStart;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Streams between two servers of ours: `a.example` opens one to `x.b.example`.
final class ServerStreamTest {
  private static final DomainPair FORTH = new DomainPair("a.example", "x.b.example");
  private static final PeerCertificates GOOD =
      TestCertificates.presented(TestCertificates.NAMES, null);
  private static final PeerCertificates UNTRUSTED =
      TestCertificates.presented(TestCertificates.NAMES, "unable to find path");

  private final TestServer a = new TestServer("a.example");
  private final TestServer b = new TestServer("x.b.example");
  private final TestServer.End out =
      a.connect(a.streams.outgoing(FORTH).profile(TestServer.target()));
  private final TestServer.End in = b.connect(b.streams.incoming());

  private String open(PeerCertificates ofA, PeerCertificates ofB) {
    out.transport.certificates = ofB;
    in.transport.certificates = ofA;
    out.bytes.stream().connected();
    return TestServer.join(out, in);
  }

  private static Message message(String from, String to, String body) {
    return Message.of(
        Message.Type.CHAT,
        Jid.of(from),
        Jid.of(to),
        "1",
        List.of(Element.text(new QName("jabber:client", "body"), body)));
  }

  @Test
  void certificatesProveBothServers() {
    String log = open(GOOD, GOOD);

    assertThat(log)
        .contains("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        .contains(
            "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
                + "<mechanism>EXTERNAL</mechanism></mechanisms>")
        .contains(
            "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>"
                + "YS5leGFtcGxl</auth>")
        .contains("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>")
        .contains("<enabled xmlns='urn:xmpp:sm:3' id='id4' max='300' resume='true'/>");
    assertThat(a.gate.take())
        .containsExactly("accepted a.example x.b.example", "ready a.example x.b.example");
    assertThat(b.gate.take())
        .containsExactly("accepted x.b.example a.example", "ready x.b.example a.example");
    TlsStart client = Objects.requireNonNull(out.transport.tlsStart);
    assertThat(client.localDomain()).isEqualTo("a.example");
    assertThat(client.peerDomain()).isEqualTo("x.b.example");
    TlsStart server = Objects.requireNonNull(in.transport.tlsStart);
    assertThat(server.requestsCertificate()).isTrue();
    assertThat(server.localDomain()).isEqualTo("x.b.example");
  }

  @Test
  void headersAreThoseOfServers() {
    out.bytes.stream().connected();
    String header = out.output();
    assertThat(header)
        .isEqualTo(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:server'"
                + " xmlns:stream='http://etherx.jabber.org/streams'"
                + " xmlns:db='jabber:server:dialback' from='a.example' to='x.b.example'"
                + " xml:lang='en' version='1.0'>");
    assertThat(in.send(header))
        .startsWith(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:server'"
                + " xmlns:stream='http://etherx.jabber.org/streams'"
                + " xmlns:db='jabber:server:dialback' id='id1' from='x.b.example' to='a.example'");
  }

  @Test
  void stanzasAreAcknowledgedOnceTheyAreHandled() {
    open(GOOD, GOOD);
    a.gate.take();
    b.gate.take();

    a.gate.link().deliver(FORTH, message("u@a.example", "v@x.b.example", "1"), 7, 0);
    a.gate.link().deliver(FORTH, message("u@a.example", "v@x.b.example", "2"), 8, 0);
    assertThat(TestServer.join(out, in))
        .contains("<message from='u@a.example' to='v@x.b.example' id='1' type='chat'><body>1")
        .contains("<r xmlns='urn:xmpp:sm:3'/>")
        .doesNotContain("<a ");

    assertThat(b.gate.take())
        .containsExactly("received 1 x.b.example a.example", "received 2 x.b.example a.example");
    assertThat(((Message) b.gate.stanzas.getFirst()).hasBody()).isTrue();
    b.gate.link().handled(2);
    TestServer.join(out, in);
    assertThat(a.gate.take()).isEmpty();
    b.gate.link().handled(1);
    assertThat(TestServer.join(out, in)).contains("<a xmlns='urn:xmpp:sm:3' h='2'/>");
    assertThat(a.gate.take()).containsExactly("acknowledged 8 a.example x.b.example");
  }

  private static final String HEADER =
      "<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams'"
          + " from='a.example' to='x.b.example' version='1.0'>";

  /// Opens a bidirectional stream to the second server, on which acknowledgements may be enabled.
  private void openByHand() {
    in.transport.certificates = GOOD;
    in.transport.secure = true;
    in.send(HEADER);
    in.send("<bidi xmlns='urn:xmpp:bidi'/>");
    in.send(
        "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>YS5leGFtcGxl</auth>");
    in.send(HEADER);
  }

  /// Otherwise they would count as delivered when their bytes have left.
  @Test
  void stanzasDoNotGoBackBeforeItIsKnownWhetherTheyAreAcknowledged() {
    openByHand();
    assertThat(b.gate.take()).containsExactly("accepted x.b.example a.example");
    in.send("<enable xmlns='urn:xmpp:sm:3'/>");
    assertThat(b.gate.take()).containsExactly("ready x.b.example a.example");
    DomainPair back = new DomainPair("x.b.example", "a.example");
    b.gate.link().deliver(back, message("v@x.b.example", "u@a.example", "hi"), 1, 0);
    in.output();
    in.bytes.stream().written(1);
    assertThat(b.gate.take()).isEmpty();
    in.send("<a xmlns='urn:xmpp:sm:3' h='1'/>");
    assertThat(b.gate.take()).containsExactly("acknowledged 1 x.b.example a.example");
  }

  @Test
  void stanzasGoBackToAServerThatSendsStanzasWithoutAcknowledgements() {
    openByHand();
    b.gate.take();
    in.send("<message from='u@a.example' to='v@x.b.example'/>");
    assertThat(b.gate.take())
        .containsExactly("ready x.b.example a.example", "received 1 x.b.example a.example");
  }

  @Test
  void stanzasGoBackToAServerThatIsSilent() {
    openByHand();
    b.gate.take();
    in.transport.now += 3_000;
    in.bytes.stream().tick();
    assertThat(b.gate.take()).containsExactly("ready x.b.example a.example");
  }

  @Test
  void stanzasGoBackOnABidirectionalStream() {
    open(GOOD, GOOD);
    DomainPair back = new DomainPair("x.b.example", "a.example");
    b.gate.link().deliver(back, message("v@x.b.example", "u@a.example", "hi"), 1, 0);
    TestServer.join(out, in);
    assertThat(a.gate.take()).contains("received 1 a.example x.b.example");
    a.gate.link().handled(1);
    TestServer.join(out, in);
    assertThat(b.gate.take()).contains("acknowledged 1 x.b.example a.example");
    assertThat(a.gate.link().status().bidirectional()).isTrue();
    assertThat(a.gate.link().maxStanzaBytes()).isEqualTo(262_144);
  }

  @Test
  void aServerThatIsNotTrustedGetsNothing() {
    open(GOOD, UNTRUSTED);
    assertThat(a.gate.take()).containsExactly("failed a.example x.b.example NOT_TRUSTED");
    assertThat(b.gate.take()).isEmpty();
    assertThat(out.transport.closed).isTrue();
  }

  @Test
  void aServerThatDoesNotTrustUsIsNotSentStanzas() {
    String log = open(UNTRUSTED, GOOD);
    assertThat(log).doesNotContain("<mechanism>");
    assertThat(a.gate.take()).containsExactly("failed a.example x.b.example NOT_ACCEPTED");
  }

  /// Such as Prosody's that a certificate is not trusted.
  @Test
  void theTextOfAStreamErrorIsReported() {
    DomainPair pair = new DomainPair("a.example", "b.example");
    TestServer.End stream = a.connect(a.streams.outgoing(pair).profile(TestServer.target()));
    stream.bytes.stream().connected();
    stream.send(
        "<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams'"
            + " version='1.0' from='b.example' to='a.example' id='1'><stream:error>"
            + "<text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>not trusted</text>"
            + "<not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>");
    assertThat(a.gate.take()).containsExactly("failed a.example b.example NOT_ACCEPTED");
    assertThat(a.gate.detail()).endsWith("not-authorized: not trusted");
  }

  @Test
  void aDomainThatTheOtherServerDoesNotServeDoesNotExist() {
    DomainPair elsewhere = new DomainPair("a.example", "elsewhere.example");
    TestServer.End stream = a.connect(a.streams.outgoing(elsewhere).profile(TestServer.target()));
    stream.bytes.stream().connected();
    assertThat(TestServer.join(stream, in)).contains("<host-unknown");
    assertThat(a.gate.take()).containsExactly("failed a.example elsewhere.example NO_SUCH_DOMAIN");
  }

  @Test
  void withoutTlsNothingIsSent() {
    out.bytes.stream().connected();
    out.output();
    out.send(
        "<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams'"
            + " from='x.b.example' id='1' version='1.0'><stream:features/>");
    assertThat(a.gate.take()).containsExactly("failed a.example x.b.example NO_TLS");
  }

  @Test
  void dialbackProvesADomainWhereItIsAllowed() {
    a.allowsDialback = true;
    b.allowsDialback = true;
    String log = open(UNTRUSTED, UNTRUSTED);
    assertThat(log)
        .contains("<dialback xmlns='urn:xmpp:features:dialback'><errors/></dialback>")
        .contains("<db:result from='a.example' to='x.b.example'>");
    assertThat(b.askedFor).isEqualTo("a.example");
    assertThat(b.gate.take()).isEmpty();

    TestServer.End asking = b.connect(b.asked.profile(TestServer.target()));
    TestServer.End authority = a.connect(a.streams.incoming());
    asking.bytes.stream().connected();
    assertThat(TestServer.join(asking, authority))
        .contains("<db:verify from='x.b.example' id='id2' to='a.example'>")
        .contains(
            "<db:verify from='a.example' id='id2' to='x.b.example' type='valid'></db:verify>");
    assertThat(asking.transport.closed).isTrue();

    assertThat(TestServer.join(out, in))
        .contains("<db:result from='x.b.example' to='a.example' type='valid'></db:result>");
    assertThat(b.gate.take())
        .containsExactly("accepted x.b.example a.example", "ready x.b.example a.example");
    assertThat(a.gate.take())
        .containsExactly("accepted a.example x.b.example", "ready a.example x.b.example");
    assertThat(b.gate.link().status().trust()).isEqualTo("dialback");
  }

  @Test
  void aKeyThatIsNotTheirsEndsTheStream() {
    a.allowsDialback = true;
    b.allowsDialback = true;
    open(UNTRUSTED, UNTRUSTED);
    TestServer spoofed = new TestServer("mallory.example", "a.example");
    TestServer.End asking = b.connect(b.asked.profile(TestServer.target()));
    TestServer.End authority = spoofed.connect(spoofed.streams.incoming());
    asking.bytes.stream().connected();
    assertThat(TestServer.join(asking, authority)).contains("type='invalid'");

    TestServer.join(out, in);
    assertThat(a.gate.take()).containsExactly("failed a.example x.b.example NOT_ACCEPTED");
    assertThat(b.gate.take()).isEmpty();
    assertThat(in.transport.closed).isTrue();
  }

  // ---- DANE

  private static final Tlsa OTHER = new Tlsa(3, 0, 1, "00".repeat(32));

  private static Tlsa sha256(PeerCertificates certificates) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(certificates.chain().getFirst().getEncoded());
    return new Tlsa(3, 0, 1, HexFormat.of().formatHex(hash));
  }

  private String openTo(Target server, PeerCertificates ofB) {
    TestServer.End first = a.connect(a.streams.outgoing(FORTH).profile(server));
    first.transport.certificates = ofB;
    in.transport.certificates = GOOD;
    first.bytes.stream().connected();
    return TestServer.join(first, in);
  }

  @Test
  void aCertificateThatDaneNamesNeedsNoAuthority() throws Exception {
    openTo(TestServer.target(OTHER, sha256(UNTRUSTED)), UNTRUSTED);
    assertThat(a.gate.take()).contains("ready a.example x.b.example");
    assertThat(a.gate.link().status().trust()).isEqualTo("certificate");
  }

  @Test
  void aCertificateThatDaneDoesNotNameIsNotTrusted() {
    openTo(TestServer.target(OTHER), GOOD);
    assertThat(a.gate.take()).containsExactly("failed a.example x.b.example NOT_TRUSTED");
  }

  @Test
  void dialbackIsNotEnoughAgainstDane() {
    a.allowsDialback = true;
    b.allowsDialback = true;
    assertThat(openTo(TestServer.target(OTHER), GOOD)).doesNotContain("<db:result");
    assertThat(a.gate.take()).containsExactly("failed a.example x.b.example NOT_TRUSTED");
  }

  @Test
  void recordsThatCannotBeUsedCountForNothing() {
    openTo(TestServer.target(new Tlsa(9, 0, 1, "00")), GOOD);
    assertThat(a.gate.take()).contains("ready a.example x.b.example");
  }

  @Test
  void keysAreNotVerifiedByAServerThatDaneDoesNotName() {
    a.allowsDialback = true;
    b.allowsDialback = true;
    open(UNTRUSTED, UNTRUSTED);
    TestServer.End asking = b.connect(b.asked.profile(TestServer.target(OTHER)));
    TestServer.End authority = a.connect(a.streams.incoming());
    asking.transport.certificates = GOOD;
    asking.bytes.stream().connected();
    assertThat(TestServer.join(asking, authority)).doesNotContain("<db:verify");
    assertThat(TestServer.join(out, in)).contains("<remote-server-timeout ");
    assertThat(b.gate.take()).isEmpty();
  }

  /// Answers of a server that only receives.
  @Test
  void acknowledgementsAreNotLimitedInAll() {
    out.transport.secure = true;
    out.transport.certificates = GOOD;
    out.bytes.stream().secured();
    String header =
        "<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams'"
            + " from='x.b.example' id='1' version='1.0'>";
    out.send(
        header
            + "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
            + "<mechanism>EXTERNAL</mechanism></mechanisms></stream:features>");
    out.send("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>");
    out.send(header + "<stream:features><sm xmlns='urn:xmpp:sm:3'/></stream:features>");
    out.send("<enabled xmlns='urn:xmpp:sm:3'/>");
    assertThat(a.gate.take()).containsExactly("ready a.example x.b.example");
    for (int i = 0; i < 10_000; i++) {
      out.send("<a xmlns='urn:xmpp:sm:3' h='0'/>");
    }
    assertThat(out.transport.closed).isFalse();
    assertThat(out.send("<message from='v@x.b.example' to='u@a.example'/>"))
        .as("it has not been asked to send")
        .contains("<not-authorized ");
  }

  @Test
  void readingStopsWhileTooMuchIsNotHandled() {
    open(GOOD, GOOD);
    for (int i = 1; i <= ServerLink.MAX_UNHANDLED + 1; i++) {
      in.send("<message from='u@a.example' to='v@x.b.example'/>");
      assertThat(in.transport.reading).isEqualTo(i <= ServerLink.MAX_UNHANDLED);
    }
    for (int i = 1; i <= ServerLink.MAX_UNHANDLED + 1; i++) {
      b.gate.link().handled(i);
    }
    in.output();
    assertThat(in.transport.reading).isTrue();
  }

  /// Opens a stream to a server without acknowledgements.
  private void openWithoutAcknowledgements() {
    a.allowsDialback = true;
    a.requiresTls = false;
    out.bytes.stream().connected();
    out.send(
        "<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams'"
            + " from='x.b.example' id='1' version='1.0'><stream:features/>");
    out.send(
        "<db:result xmlns:db='jabber:server:dialback' from='x.b.example' to='a.example'"
            + " type='valid'/>");
    assertThat(a.gate.take()).containsExactly("ready a.example x.b.example");
  }

  @Test
  void withoutAcknowledgementsTheBytesThatHaveLeftCount() {
    openWithoutAcknowledgements();
    a.gate.link().deliver(FORTH, message("u@a.example", "v@x.b.example", "1"), 5, 0);
    assertThat(out.output()).startsWith("<message ");
    assertThat(a.gate.take()).containsExactly("acknowledged 5 a.example x.b.example");
  }

  /// Otherwise what leaves with the end of the stream would be sent again on the next one.
  @Test
  void withoutAcknowledgementsALinkEndsWithTheOutputOfItsStream() {
    openWithoutAcknowledgements();
    out.transport.slow = true;
    a.gate.link().deliver(FORTH, message("u@a.example", "v@x.b.example", "1"), 5, 0);
    a.gate.link().deliver(FORTH, message("u@a.example", "v@x.b.example", "2"), 6, 0);
    out.send("</stream:stream>");
    assertThat(a.gate.take()).isEmpty();
    out.bytes.stream().written(1);
    assertThat(a.gate.take()).containsExactly("acknowledged 5 a.example x.b.example");
    out.bytes.stream().outputEnded();
    assertThat(a.gate.take()).containsExactly("ended CLOSED a.example x.b.example");
    out.bytes.stream().disconnected();
    assertThat(a.gate.take()).isEmpty();
  }

  @Test
  void theEndOfAStreamIsReportedOnce() {
    open(GOOD, GOOD);
    a.gate.take();
    b.gate.take();
    b.gate.link().close(StreamErrorCondition.SYSTEM_SHUTDOWN, null);
    TestServer.join(out, in);
    assertThat(a.gate.take()).containsExactly("ended CLOSED a.example x.b.example");
    assertThat(b.gate.take()).hasSize(1);
    a.gate.link().deliver(FORTH, message("u@a.example", "v@x.b.example", "1"), 9, 0);
    assertThat(out.output()).isEmpty();
  }
}
