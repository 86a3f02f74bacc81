package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.DomainPair;
import im.zonda.throttle.VerificationThrottle;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Servers that claim what they have not proved, in scripted bytes.
final class ServerStreamAttackTest {
  private static final String HEADER =
      "<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams'"
          + " xmlns:db='jabber:server:dialback' from='a.example' to='here.example' version='1.0'>";
  private static final String AUTH =
      "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>=</auth>";

  private final TestServer here = new TestServer("here.example", "rooms.here.example");
  private final TestServer.End in = here.connect(here.streams.incoming());

  private void secure() {
    in.transport.secure = true;
    in.transport.certificates = TestCertificates.presented(TestCertificates.NAMES, null);
  }

  private void authenticate() {
    secure();
    assertThat(in.send(HEADER)).contains("EXTERNAL");
    assertThat(in.send(AUTH)).contains("<success ");
    in.send(HEADER);
    assertThat(here.gate.take()).containsExactly("accepted here.example a.example");
  }

  @Test
  void nothingIsTakenBeforeADomainIsProved() {
    secure();
    in.send(HEADER);
    assertThat(in.send("<message from='u@a.example' to='v@here.example'/>"))
        .contains("<not-authorized ");
    assertThat(here.gate.take()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "u@b.example, v@here.example, invalid-from",
    "u@here.example, v@here.example, invalid-from",
    "u@a.example, v@rooms.here.example, invalid-from",
    "u@a.example, v@elsewhere.example, host-unknown"
  })
  void aStreamSpeaksOnlyForThePairsThatItHasProved(String from, String to, String condition) {
    authenticate();
    assertThat(in.send("<message from='" + from + "' to='" + to + "'/>"))
        .contains("<" + condition + " ");
    assertThat(here.gate.take()).noneMatch(event -> event.startsWith("received"));
  }

  @ParameterizedTest
  @CsvSource({"from='u@a.example'", "to='v@here.example'"})
  void stanzasHaveBothAddresses(String attribute) {
    authenticate();
    assertThat(in.send("<message " + attribute + "/>")).contains("<improper-addressing ");
  }

  @Test
  void theHeaderDoesNotChangeAfterAuthentication() {
    secure();
    in.send(HEADER);
    in.send(AUTH);
    assertThat(in.send(HEADER.replace("'a.example'", "'x.b.example'"))).contains("<invalid-from ");
    assertThat(here.gate.take()).isEmpty();
  }

  /// RFC 6120, section 4.9.1.2: from a host or empty, but never left out.
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {"to='', improper-addressing", "to='other.example', host-unknown"})
  void withoutAHostTheAnswerHasAnEmptyFrom(String to, String condition) {
    assertThat(in.send(HEADER.replace("to='here.example'", to)))
        .contains(" from=''", "<" + condition + " ");
  }

  @ParameterizedTest
  @CsvSource({
    "to='here.example', to='other.example', host-unknown",
    "from='a.example', from='here.example', invalid-from",
    "from='a.example', from='u@a.example', improper-addressing",
    "from='a.example', from='denied.example', policy-violation"
  })
  void headersAreChecked(String old, String changed, String condition) {
    here.denied.add("denied.example");
    assertThat(in.send(HEADER.replace(old, changed))).contains("<" + condition + " ");
  }

  @Test
  void anIdentityThatIsNotInTheHeaderIsRefused() {
    secure();
    in.send(HEADER);
    assertThat(in.send(AUTH.replace(">=<", ">eC5iLmV4YW1wbGU=<"))).contains("<invalid-authzid/>");
    assertThat(in.send(AUTH.replace(">=<", ">YS5leGFtcGxl<"))).contains("<success ");
  }

  @Test
  void externalIsRefusedWhereTheCertificateIsNotGood() {
    secure();
    assertThat(in.send(HEADER.replace("'a.example'", "'evil.example'"))).doesNotContain("EXTERNAL");
    assertThat(in.send(AUTH)).contains("<not-authorized/>").contains("not for evil.example");
    in.send(AUTH);
    assertThat(in.send(AUTH)).contains("<policy-violation ");
  }

  @Test
  void answersThatWereNotAskedForEndTheStream() {
    authenticate();
    assertThat(in.send("<db:result from='b.example' to='here.example' type='valid'/>"))
        .contains("<invalid-from ");
    assertThat(here.gate.take()).doesNotContain("accepted here.example b.example");
  }

  @Test
  void dialbackErrorsDoNotEndTheStream() {
    authenticate();
    assertThat(in.send("<db:result from='a.example' to='other.example'>k</db:result>"))
        .isEqualTo(
            "<db:result from='other.example' to='a.example' type='error'><error type='cancel'>"
                + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
                + "</db:result>");
    assertThat(in.send("<db:result from='c.example' to='here.example'>k</db:result>"))
        .contains("<not-authorized ");
    assertThat(in.send("<db:result from='x.b.example' to='here.example'>k</db:result>"))
        .as("the certificate is good for it")
        .contains("type='valid'");
    assertThat(here.gate.take()).containsExactly("accepted here.example x.b.example");
    assertThat(here.askedFor).isEmpty();
  }

  @Test
  void dialbackNeedsTlsWherePolicySaysSo() {
    here.allowsDialback = true;
    in.send(HEADER);
    assertThat(in.send("<db:result from='a.example' to='here.example'>k</db:result>"))
        .contains("<policy-violation xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>");
    assertThat(here.askedFor).isEmpty();
  }

  /// What a stranger claims makes this server connect to others, on as many streams as he likes.
  @Test
  void claimedDomainsCostFewConnections() throws Exception {
    here.allowsDialback = true;
    String refused = "";
    for (int i = 0; i < 100; i++) {
      TestServer.End stream = here.connect(here.streams.incoming());
      stream.transport.secure = true;
      stream.transport.address = InetAddress.getByName("192.0.2.1");
      stream.send(HEADER);
      for (int domain = 0; domain < 5; domain++) {
        refused =
            stream.send(
                "<db:result from='d%d-%d.example' to='here.example'>k</db:result>"
                    .formatted(i, domain));
      }
    }
    assertThat(here.attempts).isEqualTo(VerificationThrottle.ADDRESS_AT_ONCE);
    assertThat(refused)
        .isEqualTo(
            "<db:result from='here.example' to='d99-4.example' type='error'><error type='wait'>"
                + "<resource-constraint xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
                + "</db:result>");

    TestServer.End other = here.connect(here.streams.incoming());
    other.transport.secure = true;
    other.transport.address = InetAddress.getByName("198.51.100.1");
    other.send(HEADER);
    other.send("<db:result from='bystander.example' to='here.example'>k</db:result>");
    assertThat(here.askedFor).isEqualTo("bystander.example");
    DomainPair pair = new DomainPair("here.example", "d99-4.example");
    TestServer.End out = here.connect(here.streams.outgoing(pair).profile(TestServer.target()));
    out.bytes.stream().connected();
    assertThat(out.output()).as("our own queue is not bounded").contains("to='d99-4.example'");
  }

  @Test
  void aDomainOfThisServerOrOneThatIsDeniedCannotBeClaimed() {
    secure();
    here.allowsDialback = true;
    here.denied.add("x.b.example");
    in.send(HEADER);
    for (String claimed : List.of("rooms.here.example", "x.b.example")) {
      assertThat(in.send("<db:result from='" + claimed + "' to='here.example'>k</db:result>"))
          .contains("<not-allowed ");
    }
    assertThat(here.gate.take()).isEmpty();
    assertThat(here.askedFor).isEmpty();
  }

  @Test
  void oneStreamHasFewKeysVerifiedAtATimeAndEachOnce() {
    secure();
    here.allowsDialback = true;
    in.send(HEADER);
    for (int i = 0; i < 16; i++) {
      String claim = "<db:result from='d%d.test' to='here.example'>k</db:result>".formatted(i);
      assertThat(in.send(claim + claim)).isEmpty();
      assertThat(here.attempts).isEqualTo(i + 1);
    }
    assertThat(in.send("<db:result from='d16.test' to='here.example'>k</db:result>"))
        .contains("<resource-constraint ");
    assertThat(here.attempts).isEqualTo(16);
  }

  @Test
  void oneStreamCarriesABoundedNumberOfPairs() {
    secure();
    in.send(HEADER);
    int accepted = 0;
    for (int i = 0; i < 300; i++) {
      String answer =
          in.send("<db:result from='d%d.b.example' to='here.example'>k</db:result>".formatted(i));
      accepted += answer.contains("type='valid'") ? 1 : 0;
      assertThat(answer).containsAnyOf("type='valid'", "<resource-constraint ");
    }
    assertThat(accepted).isEqualTo(DialbackRequests.MAX_PAIRS);
  }

  /// An attempt that has ended makes room for another one.
  @Test
  void verificationsThatHaveEndedAreNotCounted() throws Exception {
    here.allowsDialback = true;
    for (int i = 0; i < 2 * VerificationThrottle.ADDRESS_AT_ONCE; i++) {
      TestServer.End stream = here.connect(here.streams.incoming());
      stream.transport.secure = true;
      stream.transport.address = InetAddress.getByName("192.0.2.1");
      stream.send(HEADER);
      stream.send("<db:result from='d%d.example' to='here.example'>k</db:result>".formatted(i));
      assertThat(here.attempts).isEqualTo(i + 1);
      TestServer.End asking = here.connect(here.asked.profile(TestServer.target()));
      asking.bytes.stream().disconnected();
      assertThat(stream.output()).contains("<remote-server-timeout ");
    }
  }

  @Test
  void keysAreAnsweredForServedDomainsOnly() {
    secure();
    in.send(HEADER);
    assertThat(in.send("<db:verify from='a.example' to='other.example' id='1'>k</db:verify>"))
        .contains("<item-not-found ");
    assertThat(in.send("<db:verify from='a.example' to='here.example' id='1'>k</db:verify>"))
        .isEqualTo(
            "<db:verify from='here.example' id='1' to='a.example' type='invalid'></db:verify>");
  }

  @Test
  void anUnprovedServerHasTheSmallLimits() {
    in.send(HEADER);
    assertThat(in.send(" ".repeat(200_000))).contains("<policy-violation ");
  }

  @Test
  void moreAcknowledgedThanSentEndsTheStream() {
    authenticate();
    assertThat(in.send("<enable xmlns='urn:xmpp:sm:3'/>")).contains("<enabled ");
    assertThat(in.send("<a xmlns='urn:xmpp:sm:3' h='1'/>"))
        .contains("<handled-count-too-high xmlns='urn:xmpp:sm:3' h='1' send-count='0'/>");
  }

  @Test
  void aStanzaThatCannotBeReadIsCountedAndTheStreamGoesOn() {
    authenticate();
    in.send("<enable xmlns='urn:xmpp:sm:3'/>");
    assertThat(in.send("<iq from='u@a.example' to='here.example'/><r xmlns='urn:xmpp:sm:3'/>"))
        .isEqualTo("<a xmlns='urn:xmpp:sm:3' h='1'/>");
  }
}
