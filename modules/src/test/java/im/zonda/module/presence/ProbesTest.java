package im.zonda.module.presence;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestSession;
import im.zonda.store.Subscription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RFC 6121, section 4.3.2.
class ProbesTest {
  private final PresenceFixture server = new PresenceFixture();

  private void probe(String to) {
    server.arrives(
        "<presence type='probe' from='juliet@example.net/balcony' to='%s'/>".formatted(to));
  }

  @Test
  void theLastPresenceOfEachAvailableSessionIsTheAnswer() {
    server.holds("romeo@example.org", "juliet@example.net", Subscription.FROM);
    TestSession garden = server.online("romeo@example.org/garden");
    server.sends(garden, "<presence><show>xa</show></presence>");
    server.online("romeo@example.org/orchard");
    server.connects("romeo@example.org/silent");
    server.context.takeSent();

    probe("romeo@example.org");

    Expect.sent(
        server.context,
        "<presence from='romeo@example.org/garden' to='juliet@example.net/balcony'>"
            + "<show>xa</show></presence>",
        "<presence from='romeo@example.org/orchard' to='juliet@example.net/balcony'/>");
  }

  @Test
  void aProbeOfAFullAddressIsAnsweredByThatSessionAlone() {
    server.holds("romeo@example.org", "juliet@example.net", Subscription.BOTH);
    server.online("romeo@example.org/garden");
    server.online("romeo@example.org/orchard");
    server.context.takeSent();

    probe("romeo@example.org/orchard");
    Expect.sent(
        server.context,
        "<presence from='romeo@example.org/orchard' to='juliet@example.net/balcony'/>");

    probe("romeo@example.org/cellar");
    Expect.sent(
        server.context,
        "<presence type='unavailable' from='romeo@example.org/cellar'"
            + " to='juliet@example.net/balcony'/>");
  }

  @Test
  void whoMayAskLearnsThatNobodyIsThere() {
    server.holds("romeo@example.org", "juliet@example.net", Subscription.FROM);
    server.connects("romeo@example.org/silent");

    probe("romeo@example.org");

    Expect.sent(
        server.context,
        "<presence type='unavailable' from='romeo@example.org' to='juliet@example.net/balcony'/>");
  }

  @ParameterizedTest
  @CsvSource({"NONE, false", "NONE, true", "TO, false", "TO, true"})
  void row66_whoMayNotAskLearnsNothing(Subscription subscription, boolean request) {
    server.holds("romeo@example.org", "juliet@example.net", subscription, false, request);
    server.online("romeo@example.org/garden");
    server.context.takeSent();

    probe("romeo@example.org");
    probe("romeo@example.org/garden");

    String nothing =
        "<presence type='unsubscribed' from='romeo@example.org' to='juliet@example.net'/>";
    Expect.sent(server.context, nothing, nothing);
  }

  @Test
  void row67_anAccountThatDoesNotExistAnswersTheSame() {
    server.context.account("mercutio@example.org");

    probe("mercutio@example.org");
    Expect.sent(
        server.context,
        "<presence type='unsubscribed' from='mercutio@example.org' to='juliet@example.net'/>");
    probe("nobody@example.org");
    Expect.sent(
        server.context,
        "<presence type='unsubscribed' from='nobody@example.org' to='juliet@example.net'/>");
  }

  @Test
  void section4_6_whoGotDirectedPresenceLearnsOnlyThatTheSessionIsThere() {
    TestSession garden = server.connects("romeo@example.org/garden");
    server.sends(garden, "<presence to='juliet@example.net'/>");
    server.sends(garden, "<presence><status>secret</status></presence>");
    server.online("romeo@example.org/orchard");
    server.context.takeSent();

    probe("romeo@example.org");

    Expect.sent(
        server.context,
        "<presence from='romeo@example.org/garden' to='juliet@example.net/balcony'/>");
  }

  @Test
  void ownSessionsMayAsk() {
    server.online("romeo@example.org/garden");
    TestSession orchard = server.connects("romeo@example.org/orchard");

    server.sends(orchard, "<presence type='probe' to='romeo@example.org'/>");

    Expect.receives(
        orchard, "<presence from='romeo@example.org/garden' to='romeo@example.org/orchard'/>");
    assertThat(server.context.takeSent()).isEmpty();
  }
}
