package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.DomainPair;
import im.zonda.stanza.Stanza;
import im.zonda.stream.PeerCertificates;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stanzas of another server that cannot be read (RFC 6120, sections 8.3 and 8.4).
class UnreadableStanzaTest {
  private static final DomainPair FORTH = new DomainPair("a.example", "x.b.example");
  private static final PeerCertificates GOOD =
      TestCertificates.presented(TestCertificates.NAMES, null);

  private final TestServer a = new TestServer("a.example");
  private final TestServer b = new TestServer("x.b.example");
  private final TestServer.End out =
      a.connect(a.streams.outgoing(FORTH).profile(TestServer.target()));
  private final TestServer.End in = b.connect(b.streams.incoming());

  @BeforeEach
  void open() {
    out.transport.certificates = GOOD;
    in.transport.certificates = GOOD;
    out.bytes.stream().connected();
    TestServer.join(out, in);
    b.gate.take();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "iq       | v@x.b.example/r | <iq type='get' id='q' to='v@x.b.example/r' from='u@a.example/h'/>"
            + " | bad-request",
        "iq       | x.b.example | <iq type='set' id='q' to='x.b.example' from='u@a.example'>"
            + "<a xmlns='urn:a'/><b xmlns='urn:b'/></iq> | bad-request",
        "iq       | x.b.example | <iq type='gain' id='q' to='x.b.example' from='u@a.example'/>"
            + " | bad-request",
        "iq       | x.b.example | <iq type='get' id='q' to='v w@x.b.example' from='u@a.example'>"
            + "<a xmlns='urn:a'/></iq> | jid-malformed",
        "message  | x.b.example | <message id='q' to='@x.b.example' from='u@a.example'/>"
            + " | jid-malformed",
        "presence | v@x.b.example | <presence id='q' to='v@x.b.example' from='u@a.example/h'>"
            + "<priority>300</priority></presence> | bad-request",
      })
  void theSenderGetsAnError(String kind, String from, String stanza, String condition) {
    String answer = in.send(stanza);
    assertThat(answer).doesNotContain("stream:error");
    assertThat(b.gate.take()).containsExactly("answered x.b.example a.example");
    Stanza error = b.gate.stanzas.getFirst();
    assertThat(error.toElement().name().name()).isEqualTo(kind);
    assertThat(error.isError()).isTrue();
    assertThat(error.id()).isEqualTo("q");
    assertThat(error.from()).hasToString(from);
    assertThat(String.valueOf(error.to())).startsWith("u@a.example");
    assertThat(
            Objects.requireNonNull(error.toElement().child("error"))
                .children()
                .getFirst()
                .name()
                .name())
        .isEqualTo(condition);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<iq type='error' id='q' to='v w@x.b.example' from='u@a.example'/>",
        "<iq type='result' id='q' to='x.b.example' from='u@a.example'><a/><b/></iq>",
        "<message type='error' id='q' to='@x.b.example' from='u@a.example'/>",
        "<presence type='unavailable' to='@x.b.example' from='u@a.example'/>",
        "<iq type='get' to='x.b.example' from='u@a.example'><a xmlns='urn:a'/></iq>",
        "<iq type='get' id='q' to='x.b.example' from='u u@a.example'><a xmlns='urn:a'/></iq>",
      })
  void whatMustNotOrCannotBeAnsweredIsNot(String stanza) {
    assertThat(in.send(stanza)).doesNotContain("stream:error");
    assertThat(b.gate.take()).isEmpty();
    assertThat(in.bytes.stream().closed()).isFalse();
  }

  /// The error would go to a server that has sent nothing.
  @Test
  void aDomainThatIsNotProvedGetsNoAnswer() {
    assertThat(in.send("<iq type='get' id='q' to='x.b.example' from='u@c.example'/>"))
        .contains("<invalid-from ");
    assertThat(b.gate.take()).noneMatch(each -> each.startsWith("answered"));
  }

  @Test
  void itCountsAsHandled() {
    in.send("<iq type='get' id='q' to='x.b.example' from='u@a.example'/>");
    assertThat(in.send("<r xmlns='urn:xmpp:sm:3'/>")).contains("<a xmlns='urn:xmpp:sm:3' h='1'/>");
  }
}
