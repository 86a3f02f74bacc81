package im.zonda.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// A role that is no client's needs nothing from the core (XEP-0114).
final class ComponentRoleTest {
  private static final String HEADER =
      "<stream:stream xmlns='jabber:component:accept'"
          + " xmlns:stream='http://etherx.jabber.org/streams' to='plays.shakespeare.lit'>";

  /// SHA-1 of the stream identifier and the secret.
  private static final String HANDSHAKE =
      "<handshake>b09ea9b3b7f586be8a08d0a3dd7466f110aeb136</handshake>";

  private final MemoryTransport transport = new MemoryTransport();
  private final Queue<Runnable> workers = new ArrayDeque<>();
  private final List<ComponentRole> roles = new ArrayList<>();
  private final ByteStream bytes =
      new ByteStream(
          ComponentRole.profile(
              domain -> domain.endsWith("example.org") ? "example.org" : null, workers::add, roles),
          transport);

  private String send(String text) {
    byte[] sent = text.getBytes(StandardCharsets.UTF_8);
    bytes.input(sent, 0, sent.length);
    while (!workers.isEmpty() || !transport.tasks.isEmpty()) {
      (workers.isEmpty() ? transport.tasks : workers).remove().run();
    }
    return transport.output();
  }

  @Test
  void theHeaderIsAnsweredInItsNamespaceAndWithoutVersion() {
    assertThat(send(HEADER))
        .isEqualTo(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept'"
                + " xmlns:stream='http://etherx.jabber.org/streams' id='3BF96D32'"
                + " from='plays.shakespeare.lit' xml:lang='en'>");
  }

  @Test
  void aHandshakeIsFollowedByStanzas() {
    send(HEADER);
    assertThat(send(HANDSHAKE + "<message to='a@example.org'/>")).isEqualTo("<handshake/>");

    assertThat(roles.getFirst().received)
        .extracting(frame -> frame.name().namespace() + " " + frame.attribute("to"))
        .containsExactly("jabber:component:accept a@example.org");
    assertThat(bytes.stream().isEstablished()).isTrue();
    assertThat(bytes.stream().account()).hasToString("plays.shakespeare.lit");
  }

  @Test
  void aWrongHandshakeEndsTheStream() {
    send(HEADER);
    assertThat(send("<handshake>00</handshake>"))
        .contains("<not-authorized ")
        .endsWith("</stream:stream>");
    assertThat(transport.closed).isTrue();
  }

  @Test
  void headersOfOtherPeersEndTheStream() {
    assertThat(send(HEADER.replace("component:accept", "client"))).contains("<invalid-namespace ");
  }

  @Test
  void aDomainThatIsServedIsNotTaken() {
    assertThat(send(HEADER.replace("plays.shakespeare.lit", "rooms.example.org")))
        .contains("<conflict ");
  }

  @Test
  void negotiationHasItsTimeAndSilenceIsPinged() {
    send(HEADER);
    transport.now += 9_000;
    bytes.stream().tick();
    send(HANDSHAKE);
    transport.now += 61_000;
    bytes.stream().tick();
    assertThat(transport.output()).isEqualTo("<presence/>");
    transport.now += 11_000;
    bytes.stream().tick();
    assertThat(transport.output()).contains("<connection-timeout ");
  }

  @Test
  void whatComesBeforeAuthenticationIsLimited() {
    send(HEADER);
    assertThat(send(" ".repeat(2_000))).contains("<policy-violation ");
  }
}
