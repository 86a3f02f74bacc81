package im.zonda.module.presence;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.testing.TestXml;
import im.zonda.store.RosterItem;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is kept of subscription requests (RFC 6121, section 3.1.3).
class PendingSubscriptionsTest {
  private static final String ROMEO = "romeo@example.org";
  private static final String JULIET = "juliet@example.net";

  private final PresenceFixture server = new PresenceFixture();

  @Test
  void aRequestIsKeptWithTheAttributesOfAStanzaAlone() {
    server.context.account(ROMEO);
    String padding = "'".repeat(1_000);
    server.arrives(
        "<presence type='subscribe' id='r1' xml:lang='en' xmlns:p=\""
            + padding
            + "\" p:a='' b='"
            + "x".repeat(10_000)
            + "' from='juliet@example.net' to='romeo@example.org'><status>?</status></presence>");

    RosterItem item = Objects.requireNonNull(server.item(ROMEO, JULIET));
    assertThat(Objects.requireNonNull(item.request()).toElement())
        .isEqualTo(
            TestXml.presence(
                    "<presence type='subscribe' id='r1' xml:lang='en' from='juliet@example.net'"
                        + " to='romeo@example.org'><status>?</status></presence>")
                .toElement());
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "xml:lang"})
  void whatIsStoredOfARequestIsBounded(String attribute) {
    server.context.account(ROMEO);
    server.arrives(
        "<presence type='subscribe' from='juliet@example.net' to='romeo@example.org' %s='%s'/>"
            .formatted(attribute, "x".repeat(PendingSubscriptions.REQUEST_BYTES)));

    RosterItem item = Objects.requireNonNull(server.item(ROMEO, JULIET));
    assertThat(Objects.requireNonNull(item.request()).toElement())
        .isEqualTo(
            TestXml.presence(
                    "<presence type='subscribe' from='juliet@example.net' to='romeo@example.org'/>")
                .toElement());
  }

  @Test
  void inventedRequestersMakeRoomForGenuineOnes() {
    int limit = server.context.config().limits().rosterItems();
    server.context.account(ROMEO);
    server.arrives("<presence type='subscribe' from='first@genuine.example' to='" + ROMEO + "'/>");
    for (int i = 0; i < limit + 5; i++) {
      server.arrives(
          "<presence type='subscribe' from='a%d@n%d.invented.example' to='%s'/>"
              .formatted(i, i, ROMEO));
    }
    server.arrives("<presence type='subscribe' from='" + JULIET + "' to='" + ROMEO + "'/>");
    server.arrives("<presence type='subscribe' from='second@genuine.example' to='" + ROMEO + "'/>");

    assertThat(server.context.stores().rosters().load(Jid.of(ROMEO)).items()).hasSize(limit);
    for (String genuine : List.of("first@genuine.example", "second@genuine.example", JULIET)) {
      assertThat(server.item(ROMEO, genuine)).as(genuine).isNotNull();
    }
    assertThat(server.item(ROMEO, "a0@n0.invented.example")).isNull();
    assertThat(server.item(ROMEO, "a2@n2.invented.example")).isNotNull();
  }
}
