package im.zonda.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.federation.TwoServers.Mode;
import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.host.XmppServer;
import im.zonda.json.JsonText;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamLink;
import im.zonda.operation.Outcome;
import im.zonda.testkit.client.ScriptedClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is said of links with other servers.
@Timeout(120)
class LinkOperationsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000);

  @TempDir private Path folder;

  private static RemoteLinkStatus failing(int waiting, String why) {
    return new RemoteLinkStatus(
        new DomainPair("a.example", "c.example"),
        waiting,
        0,
        2_048,
        false,
        NOW.plusSeconds(30).toEpochMilli(),
        new ServerStreamFailure(ServerStreamFailure.Reason.NOT_TRUSTED, why),
        null);
  }

  @Test
  void aLinkThatFailsSaysWhyAndWhenItIsTriedAgain() {
    assertThat(
            LinksText.of(
                List.of(ServerLink.of(failing(3, "its certificate is self-signed"))), 1, NOW))
        .isEqualTo(
            """
            a.example - c.example: waiting, next attempt in 30 s; 3 waiting, 0 not acknowledged, 2048 B
              last error: its certificate is self-signed
            1 link
            """);
  }

  @Test
  void textOfOtherServersStaysInItsLine() {
    assertThat(
            LinksText.of(List.of(ServerLink.of(failing(1, "x\n0 links\u001b[2J\u202e"))), 1, NOW))
        .contains("\n  last error: x 0 links [2J \n1 link\n");
  }

  @Test
  void anInterruptedStreamIsNotConnected() {
    RemoteLinkStatus link =
        new RemoteLinkStatus(
            new DomainPair("a.example", "b.example"),
            0,
            2,
            100,
            false,
            0,
            null,
            new ServerStreamLink.Status(
                false, false, "192.0.2.1", true, "certificate", true, false));
    assertThat(LinksText.of(List.of(ServerLink.of(link)), 5, NOW))
        .isEqualTo(
            """
            a.example - b.example: interrupted, outgoing, 192.0.2.1, TLS, proved by certificate, \
            acknowledged (XEP-0198); 0 waiting, 2 not acknowledged, 100 B
            5 links, 4 of them not listed; name a domain
            """);
  }

  @Test
  void linksOfARunningServer() throws IOException {
    TwoServers.makeCertificates(folder);
    try (TwoServers servers = TwoServers.start(Mode.STARTTLS, folder, UnaryOperator.identity())) {
      ScriptedClient romeo = servers.romeo();
      romeo.send("<iq type='get' id='p' to='b.example'><ping xmlns='urn:xmpp:ping'/></iq>");
      romeo.receiveFirst(each -> "p".equals(each.attribute("id")));
      LinkOperations a = operations(servers.a().server());
      assertThat(text(a, null))
          .isEqualTo(
              "a.example - b.example: connected, both ways, 127.0.0.1, TLS, proved by certificate,"
                  + " acknowledged (XEP-0198)\n1 link\n");
      assertThat(JsonText.of(LinkOperations.LIST.result().data(list(a, "b.example"))))
          .isEqualTo(
              "{\"total\":1,\"links\":[{\"node\":null,\"local\":\"a.example\",\"remote\":\"b.example\","
                  + "\"state\":\"connected\",\"waiting\":0,\"unacknowledged\":0,\"bytes\":0,"
                  + "\"retryAt\":null,\"error\":null,\"errorText\":null,\"stream\":"
                  + "{\"incoming\":false,\"bidirectional\":true,\"address\":\"127.0.0.1\","
                  + "\"tls\":true,\"trust\":\"certificate\",\"acknowledged\":true}}]}");
      assertThat(text(a, "c.example")).isEqualTo("no links\n");
      assertThat(text(operations(servers.b().server()), null))
          .startsWith("b.example - a.example: connected");
      assertThat(a.retry("b.example")).isEqualTo(Outcome.done(new LinkOperations.Tried(1)));
      assertThat(a.retry("c.example")).isEqualTo(Outcome.done(new LinkOperations.Tried(0)));
    }
  }

  @Test
  void withoutFederationThereIsNoList() {
    LinkOperations none = new LinkOperations(() -> null, List::of, LinkOperationsTest::nothing);
    assertThat(none.list(null))
        .isEqualTo(
            Outcome.refused(
                Outcome.Reason.NOT_APPLICABLE,
                "This server does not talk to other servers: s2s.enabled is false."));
    assertThat(none.retry("b.example")).isInstanceOf(Outcome.Refused.class);
  }

  private static DomainCheck.Parts nothing() {
    throw new AssertionError("nothing is checked");
  }

  private static LinkOperations operations(XmppServer server) {
    return new LinkOperations(server::federation, List::of, LinkOperationsTest::nothing);
  }

  private static LinkOperations.Listed list(LinkOperations operations, @Nullable String domain) {
    return operations.list(domain) instanceof Outcome.Done<LinkOperations.Listed>(var listed)
        ? listed
        : new LinkOperations.Listed(-1, List.of());
  }

  private static String text(LinkOperations operations, @Nullable String domain) {
    LinkOperations.Listed listed = list(operations, domain);
    return LinksText.of(listed.links(), listed.total(), NOW);
  }
}
