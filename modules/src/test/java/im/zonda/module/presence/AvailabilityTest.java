package im.zonda.module.presence;

import static im.zonda.module.testing.TestXml.presence;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestSession;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.Subscription;
import org.junit.jupiter.api.Test;

/// RFC 6121, sections 4.2, 4.4, 4.5 and 4.6.
class AvailabilityTest {
  private final PresenceFixture server = new PresenceFixture();

  private void romeoKnows4() {
    server.holds("romeo@example.org", "both@example.net", Subscription.BOTH);
    server.holds("romeo@example.org", "to@example.net", Subscription.TO);
    server.holds("romeo@example.org", "from@example.net", Subscription.FROM);
    server.holds("romeo@example.org", "none@example.net", Subscription.NONE);
  }

  @Test
  void section4_2_2_initialPresenceGoesToFromAndBothAndProbesToToAndBoth() {
    romeoKnows4();
    TestSession garden = server.connects("romeo@example.org/garden");

    server.context.sends(garden, presence("<presence><show>away</show></presence>"));

    Expect.sent(
        server.context,
        "<presence from='romeo@example.org/garden' to='both@example.net'><show>away</show></presence>",
        "<presence from='romeo@example.org/garden' to='from@example.net'><show>away</show></presence>",
        "<presence type='probe' from='romeo@example.org/garden' to='both@example.net'/>",
        "<presence type='probe' from='romeo@example.org/garden' to='to@example.net'/>");
    Expect.receives(
        garden,
        "<presence from='romeo@example.org/garden' to='romeo@example.org'>"
            + "<show>away</show></presence>");
    assertThat(garden.available()).isTrue();
  }

  @Test
  void section4_4_2_subsequentPresenceIsBroadcastWithoutProbes() {
    romeoKnows4();
    TestSession garden = server.online("romeo@example.org/garden");

    server.context.sends(garden, presence("<presence><priority>5</priority></presence>"));

    Expect.sent(
        server.context,
        "<presence from='romeo@example.org/garden' to='both@example.net'>"
            + "<priority>5</priority></presence>",
        "<presence from='romeo@example.org/garden' to='from@example.net'>"
            + "<priority>5</priority></presence>");
    assertThat(garden.priority()).isEqualTo(5);
  }

  @Test
  void section4_2_2_ownSessionsSeeEachOther() {
    TestSession garden = server.online("romeo@example.org/garden");
    TestSession silent = server.connects("romeo@example.org/silent");
    TestSession orchard = server.connects("romeo@example.org/orchard");

    server.sends(orchard, "<presence/>");

    Expect.receives(garden, "<presence from='romeo@example.org/orchard' to='romeo@example.org'/>");
    Expect.receives(
        orchard,
        "<presence from='romeo@example.org/orchard' to='romeo@example.org'/>",
        "<presence from='romeo@example.org/garden' to='romeo@example.org'/>");
    Expect.receivesNothing(silent);
  }

  @Test
  void section4_5_2_unavailableIsBroadcastWithItsContentAlsoToTheSessionItself() {
    romeoKnows4();
    TestSession garden = server.online("romeo@example.org/garden");
    TestSession orchard = server.online("romeo@example.org/orchard");
    garden.takeReceived();

    server.context.sends(
        garden, presence("<presence type='unavailable'><status>gone</status></presence>"));

    String gone =
        "<presence type='unavailable' from='romeo@example.org/garden' to='%s'>"
            + "<status>gone</status></presence>";
    Expect.sent(
        server.context, gone.formatted("both@example.net"), gone.formatted("from@example.net"));
    Expect.receives(orchard, gone.formatted("romeo@example.org"));
    Expect.receives(garden, gone.formatted("romeo@example.org"));
    assertThat(garden.available()).isFalse();
  }

  @Test
  void unavailableFromAnUnavailableSessionIsToldToNobody() {
    romeoKnows4();
    TestSession garden = server.connects("romeo@example.org/garden");

    server.context.sends(garden, presence("<presence type='unavailable'/>"));

    assertThat(server.context.takeSent()).isEmpty();
    Expect.receivesNothing(garden);
  }

  @Test
  void afterUnavailableTheNextPresenceIsInitialAgain() {
    server.holds("romeo@example.org", "to@example.net", Subscription.TO);
    TestSession garden = server.online("romeo@example.org/garden");
    server.sends(garden, "<presence type='unavailable'/>");

    server.context.sends(garden, presence("<presence/>"));

    Expect.sent(
        server.context,
        "<presence type='probe' from='romeo@example.org/garden' to='to@example.net'/>");
  }

  @Test
  void row66_aSessionThatBreaksIsUnavailableForAllWhoSawIt() {
    romeoKnows4();
    TestSession garden = server.online("romeo@example.org/garden");
    TestSession orchard = server.online("romeo@example.org/orchard");
    server.context.sends(garden, presence("<presence to='room@muc.example.net/romeo'/>"));
    server.context.takeSent();

    server.context.end(garden);

    String gone = "<presence type='unavailable' from='romeo@example.org/garden' to='%s'/>";
    Expect.sent(
        server.context,
        gone.formatted("both@example.net"),
        gone.formatted("from@example.net"),
        gone.formatted("room@muc.example.net/romeo"));
    Expect.receives(orchard, gone.formatted("romeo@example.org"));
  }

  @Test
  void row66_aSessionThatBreaksAfterUnavailableSaysNothingTwice() {
    romeoKnows4();
    TestSession garden = server.online("romeo@example.org/garden");
    server.sends(garden, "<presence to='room@muc.example.net/romeo'/>");
    server.sends(garden, "<presence type='unavailable'/>");

    server.context.end(garden);

    assertThat(server.context.takeSent()).isEmpty();
  }

  @Test
  void row66_directedPresenceIsWithdrawnAlsoWithoutAnyBroadcast() {
    TestSession garden = server.connects("romeo@example.org/garden");
    assertThat(server.context.sends(garden, presence("<presence to='nurse@example.net'/>")))
        .isEqualTo(Verdict.pass());

    server.context.end(garden);

    Expect.sent(
        server.context,
        "<presence type='unavailable' from='romeo@example.org/garden' to='nurse@example.net'/>");
  }

  @Test
  void row66_directedPresenceIsWithdrawnFromEachOnce() {
    server.holds("romeo@example.org", "from@example.net", Subscription.FROM);
    TestSession garden = server.connects("romeo@example.org/garden");
    server.context.sends(garden, presence("<presence to='from@example.net'/>"));
    server.context.sends(garden, presence("<presence to='nurse@example.net'/>"));
    server.context.sends(garden, presence("<presence to='nurse@example.net'/>"));
    server.sends(garden, "<presence/>");

    server.context.sends(garden, presence("<presence type='unavailable'/>"));

    String gone = "<presence type='unavailable' from='romeo@example.org/garden' to='%s'/>";
    Expect.sent(
        server.context, gone.formatted("from@example.net"), gone.formatted("nurse@example.net"));
  }

  @Test
  void section4_6_3_whoWasToldUnavailableIsNotToldAgain() {
    TestSession garden = server.online("romeo@example.org/garden");
    server.context.sends(garden, presence("<presence to='nurse@example.net'/>"));
    int values = garden.valueCount();
    server.context.sends(garden, presence("<presence type='unavailable' to='nurse@example.net'/>"));
    assertThat(garden.valueCount()).isEqualTo(values - 1);

    server.context.end(garden);

    assertThat(server.context.takeSent()).isEmpty();
  }

  @Test
  void section4_6_3_whoSeesTheBroadcastsNeedsNoPlace() {
    server.holds("romeo@example.org", "both@example.net", Subscription.BOTH);
    TestSession garden = server.online("romeo@example.org/garden");
    int values = garden.valueCount();

    server.context.sends(garden, presence("<presence to='both@example.net/x'/>"));

    assertThat(garden.valueCount()).isEqualTo(values);
    assertThat(garden.available()).isTrue();
  }

  @Test
  void directedPresenceIsNotBroadcastLater() {
    TestSession garden = server.online("romeo@example.org/garden");
    server.context.sends(garden, presence("<presence to='nurse@example.net'/>"));

    server.context.sends(garden, presence("<presence><show>dnd</show></presence>"));

    assertThat(server.context.takeSent()).isEmpty();
  }

  @Test
  void directedPresenceHasALimit() {
    TestSession garden = server.online("romeo@example.org/garden");
    int limit = server.context.config().limits().directedPresences();
    for (int i = 0; i < limit; i++) {
      assertThat(server.context.sends(garden, presence("<presence to='a" + i + "@example.net'/>")))
          .isEqualTo(Verdict.pass());
    }

    assertThat(server.context.sends(garden, presence("<presence to='more@example.net'/>")))
        .isEqualTo(Verdict.refuse(ErrorCondition.RESOURCE_CONSTRAINT));
    assertThat(server.context.sends(garden, presence("<presence to='a0@example.net'/>")))
        .isEqualTo(Verdict.pass());
  }

  @Test
  void presenceArrivesAtTheAvailableSessions() {
    TestSession garden = server.online("romeo@example.org/garden");
    TestSession silent = server.connects("romeo@example.org/silent");
    TestSession balcony = server.online("juliet@example.org/balcony");

    server.sends(balcony, "<presence to='romeo@example.org'><show>chat</show></presence>");

    Expect.receives(
        garden,
        "<presence from='juliet@example.org/balcony' to='romeo@example.org'>"
            + "<show>chat</show></presence>");
    Expect.receivesNothing(silent);
  }

  @Test
  void anIdleSessionWithoutContactsHoldsNothing() {
    TestSession garden = server.context.bind("romeo@example.org/garden");
    server.sends(garden, "<presence/>");
    assertThat(garden.valueCount()).isZero();
  }

  @Test
  void loginOfFriendsShowsThemToEachOther() {
    server.holds("romeo@example.org", "juliet@example.org", Subscription.BOTH);
    server.holds("juliet@example.org", "romeo@example.org", Subscription.BOTH);
    TestSession balcony = server.connects("juliet@example.org/balcony");
    server.sends(balcony, "<presence><status>Hi</status></presence>");
    Expect.receives(
        balcony,
        "<presence from='juliet@example.org/balcony'><status>Hi</status></presence>",
        "<presence type='unavailable' from='romeo@example.org'"
            + " to='juliet@example.org/balcony'/>");
    TestSession garden = server.connects("romeo@example.org/garden");

    server.sends(garden, "<presence/>");

    Expect.receives(
        garden,
        "<presence from='romeo@example.org/garden'/>",
        "<presence from='juliet@example.org/balcony' to='romeo@example.org/garden'>"
            + "<status>Hi</status></presence>");
    Expect.receives(balcony, "<presence from='romeo@example.org/garden' to='juliet@example.org'/>");
    assertThat(server.context.home(Jid.of("romeo@example.org")).sessions()).hasSize(1);
  }
}
