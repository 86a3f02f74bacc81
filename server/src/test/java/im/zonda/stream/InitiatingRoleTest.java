package im.zonda.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/// A stream that this server opens.
final class InitiatingRoleTest {
  private static final String HEADER =
      "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
          + " from='example.org' id='1' version='1.0'>";
  private static final String STARTTLS =
      "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>";
  private static final String PROCEED = "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>";

  private final MemoryTransport transport = new MemoryTransport();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final ByteStream bytes =
      new ByteStream(InitiatingRole.profile(events, peer -> true, false), transport);

  private String receive(String text) {
    byte[] sent = text.getBytes(StandardCharsets.UTF_8);
    bytes.input(sent, 0, sent.length);
    return transport.output();
  }

  @Test
  void theHeaderIsSentFirst() {
    bytes.stream().connected();
    assertThat(transport.output())
        .isEqualTo(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:client'"
                + " xmlns:stream='http://etherx.jabber.org/streams' xmlns:x='urn:x'"
                + " to='example.org' xml:lang='en' version='1.0'>");
    assertThat(receive(HEADER)).isEmpty();
    assertThat(events).containsExactly("connected", "opened from example.org");
  }

  @Test
  void tlsIsStartedAsClient() {
    bytes.stream().connected();
    transport.output();
    assertThat(receive(HEADER + STARTTLS)).startsWith("<starttls ");
    assertThat(receive(PROCEED)).isEqualTo("[TLS]");

    TlsStart start = Objects.requireNonNull(transport.tlsStart);
    assertThat(start.side()).isEqualTo(TlsStart.Side.CLIENT);
    assertThat(start.peerDomain()).isEqualTo("example.org");
  }

  @Test
  void row32_inputBehindProceedEndsTheStream() {
    bytes.stream().connected();
    receive(HEADER + STARTTLS);

    assertThat(receive(PROCEED + "<stream:features/>")).contains("<policy-violation ");
    assertThat(transport.tlsStarts).isZero();
  }

  @Test
  void aPeerThatIsNotTrustedGetsNothing() {
    bytes.stream().connected();
    receive(HEADER + STARTTLS);
    receive(PROCEED);

    bytes.stream().secured();

    assertThat(events).contains("untrusted null", "ended");
    assertThat(transport.output()).isEmpty();
    assertThat(transport.closed).isTrue();
  }

  @Test
  void aReplyOfTheWrongFormEndsTheStream() {
    bytes.stream().connected();
    transport.output();
    assertThat(receive(HEADER.replace("jabber:client", "jabber:server")))
        .startsWith("<stream:error><invalid-namespace ");
  }

  @Test
  void aFailureBeforeTheHeaderIsSilent() {
    bytes.stream().shutdown();
    assertThat(transport.output()).isEmpty();
    assertThat(transport.closed).isTrue();
  }
}
