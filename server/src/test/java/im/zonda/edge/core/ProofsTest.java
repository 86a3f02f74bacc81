package im.zonda.edge.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProofsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final String EDGE = "CN=edge.test";

  private Instant now = Instant.ofEpochSecond(1_000_000);
  private final Proofs first = start("first", "secret");
  private final Proofs second = start("second", "secret");

  private Proofs start(String process, String secret) {
    return new Proofs(
        secret.getBytes(UTF_8), HomeProcesses.one(process), () -> now, Duration.ofMinutes(10));
  }

  private String proof() {
    return first.state(EDGE, ROMEO, "first", Proofs.digest("state"));
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
    String proof = proof();
    assertThat(second.isState(proof, EDGE, ROMEO, "state")).isTrue();
    assertThat(second.isState(proof, EDGE, ROMEO, "another state")).isFalse();
    assertThat(second.isState(proof, "CN=other.test", ROMEO, "state")).isFalse();
    assertThat(start("second", "other").isState(proof, EDGE, ROMEO, "state")).isFalse();
    // The session has ended there, or it would be there.
    assertThat(first.isState(proof, EDGE, ROMEO, "state")).isFalse();
  }

  @Test
  void aStateIsValidForTheAddressOfItsSessionOnly() {
    Jid juliet = Jid.of("juliet@example.org/balcony");
    assertThat(second.isState(proof(), EDGE, juliet, "state")).isFalse();
    assertThat(second.isState(proof(), EDGE, Jid.of("romeo@example.org/garden"), "state"))
        .isFalse();
  }

  /// Cores of one cluster, of which neither has the session.
  @Test
  void aStateIsValidOnceTheProcessOfTheSessionIsGone() {
    Set<String> members = new HashSet<>(Set.of("n1.17", "n2.17", "n3.17"));
    HomeProcesses cluster =
        new HomeProcesses() {
          @Override
          public String of(Jid account) {
            return "n3.17";
          }

          @Override
          public boolean isRunning(String process) {
            return members.contains(process);
          }
        };
    Proofs core = new Proofs("secret".getBytes(UTF_8), cluster, () -> now, Duration.ofMinutes(10));
    String process = Objects.requireNonNull(core.processOf(ROMEO));
    String proof = core.state(EDGE, ROMEO, process, Proofs.digest("state"));
    assertThat(core.isState(proof, EDGE, ROMEO, "state")).isFalse();
    members.remove("n1.17"); // the core that has given the proof, for example
    assertThat(core.isState(proof, EDGE, ROMEO, "state")).isFalse();
    members.remove("n3.17");
    assertThat(core.isState(proof, EDGE, ROMEO, "state")).isTrue();
    members.add("n3.18"); // the next start of the same node
    assertThat(core.isState(proof, EDGE, ROMEO, "state")).isTrue();
  }

  @Test
  void aStateThatIsTooOldIsNotValid() {
    String proof = proof();
    now = now.plus(Duration.ofMinutes(10)).minusSeconds(1);
    assertThat(second.isState(proof, EDGE, ROMEO, "state")).isTrue();
    now = now.plusSeconds(1);
    assertThat(second.isState(proof, EDGE, ROMEO, "state")).isFalse();
  }

  @Test
  void aProofThatWasChangedIsNotValid() {
    String proof = proof();
    assertThat(second.isState(proof.replace("1000000.", "1000001."), EDGE, ROMEO, "state"))
        .isFalse();
    assertThat(second.isState(proof.replace("first", "third"), EDGE, ROMEO, "state")).isFalse();
    assertThat(second.isState("", EDGE, ROMEO, "state")).isFalse();
    assertThat(second.isState(first.ticket(EDGE, ROMEO), EDGE, ROMEO, "state")).isFalse();
  }
}
