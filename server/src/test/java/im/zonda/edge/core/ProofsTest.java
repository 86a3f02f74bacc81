package im.zonda.edge.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProofsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final String EDGE = "CN=edge.test";

  private Instant now = Instant.ofEpochSecond(1_000_000);
  private final Proofs first = start("first", "secret");
  private final Proofs second = start("second", "secret");

  private Proofs start(String core, String secret) {
    return new Proofs(secret.getBytes(UTF_8), core, () -> now, Duration.ofMinutes(10));
  }

  @Test
  void aTicketIsValidForItsEdgeAndAddressAlsoAfterANewStart() {
    String ticket = first.ticket(EDGE, ROMEO);
    assertThat(second.isTicket(ticket, EDGE, ROMEO)).isTrue();
    assertThat(second.isTicket(ticket, "CN=other.test", ROMEO)).isFalse();
    assertThat(second.isTicket(ticket, EDGE, Jid.of("romeo@example.org/garden"))).isFalse();
    assertThat(start("second", "other").isTicket(ticket, EDGE, ROMEO)).isFalse();
  }

  @Test
  void aStateIsValidForItsEdgeAndForAnotherStart() {
    String proof = first.state(EDGE, Proofs.digest("state"));
    assertThat(second.isState(proof, EDGE, "state")).isTrue();
    assertThat(second.isState(proof, EDGE, "another state")).isFalse();
    assertThat(second.isState(proof, "CN=other.test", "state")).isFalse();
    assertThat(start("second", "other").isState(proof, EDGE, "state")).isFalse();
    // The session has ended there, or it would be there.
    assertThat(first.isState(proof, EDGE, "state")).isFalse();
  }

  @Test
  void aStateThatIsTooOldIsNotValid() {
    String proof = first.state(EDGE, Proofs.digest("state"));
    now = now.plus(Duration.ofMinutes(10)).minusSeconds(1);
    assertThat(second.isState(proof, EDGE, "state")).isTrue();
    now = now.plusSeconds(1);
    assertThat(second.isState(proof, EDGE, "state")).isFalse();
  }

  @Test
  void aProofThatWasChangedIsNotValid() {
    String proof = first.state(EDGE, Proofs.digest("state"));
    assertThat(second.isState(proof.replace("1000000.", "1000001."), EDGE, "state")).isFalse();
    assertThat(second.isState(proof.replace("first", "third"), EDGE, "state")).isFalse();
    assertThat(second.isState("", EDGE, "state")).isFalse();
    assertThat(second.isState(first.ticket(EDGE, ROMEO), EDGE, "state")).isFalse();
  }
}
