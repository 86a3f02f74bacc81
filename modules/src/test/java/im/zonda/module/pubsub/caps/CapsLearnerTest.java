package im.zonda.module.pubsub.caps;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.session.CapabilityCache;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CapsLearnerTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final String HASH = "rZ7Cuv6phuJn7RlYJcmoBNJYvmA=";
  private static final String SHA_256 = "CyaTG2M4HGl9dFMk96DX3GDqQyY0aZ2emoaYgBJkJ7U=";
  private static final String FEATURES =
      "<identity category='client' type='pc' name='Exodus 0.9.1'/>"
          + "<feature var='http://jabber.org/protocol/disco#info'/>"
          + "<feature var='http://jabber.org/protocol/tune+notify'/>";
  private static final String TUNE = "http://jabber.org/protocol/tune+notify";

  private final TestContext context = new TestContext();
  private final TestComponents components = (TestComponents) context.port(ExternalComponents.class);
  private final CapsLearner learner =
      new CapsLearner(context.port(CapabilityCache.class), components, context.ids());
  private final List<String> learned = new ArrayList<>();

  private static Caps caps(String hash, String algorithm) {
    return Objects.requireNonNull(
        Caps.of(
            TestXml.presence(
                "<presence><c xmlns='http://jabber.org/protocol/caps' node='http://x' ver='"
                    + hash
                    + "'"
                    + (algorithm.isEmpty() ? "" : " hash='" + algorithm + "'")
                    + "/></presence>")));
  }

  private void learn(String client, Caps caps) {
    learner.learn(
        JULIET,
        Jid.of(client),
        caps,
        features -> learned.add(client + " " + features.contains(TUNE)));
  }

  private void answer(int request, String content) {
    TestComponents.Request sent = components.requests.get(request);
    sent.answered()
        .accept(
            Iq.result(
                sent.iq(),
                TestXml.element(
                    "<query xmlns='http://jabber.org/protocol/disco#info'>"
                        + content
                        + "</query>")));
  }

  @Test
  void clientsOfOneVersionShareTheirCapabilities() {
    Caps first = learner.share(caps(HASH, "sha-1"));
    assertThat(learner.share(caps(HASH, "sha-1"))).isSameAs(first);
    assertThat(learner.share(caps(HASH, "sha-256"))).isEqualTo(caps(HASH, "sha-256"));
    for (int i = 0; i < 5_000; i++) {
      assertThat(learner.share(caps("version" + i, "")).version()).isEqualTo("version" + i);
    }
    assertThat(learner.share(caps(HASH, "sha-1"))).isEqualTo(first).isNotSameAs(first);
  }

  @Test
  void asksOneClientForEachHash() {
    learn("romeo@example.org/a", caps(HASH, "sha-1"));
    learn("nurse@example.net/b", caps(HASH, "sha-1"));
    learn("friar@example.net/c", caps(HASH, "sha-1"));
    assertThat(components.requests).hasSize(1);
    Iq asked = components.requests.getFirst().iq();
    assertThat(asked.from()).isEqualTo(JULIET);
    assertThat(asked.to()).isEqualTo(Jid.of("romeo@example.org/a"));
    assertThat(Objects.requireNonNull(asked.payload()).attribute("node"))
        .isEqualTo("http://x#" + HASH);
    answer(0, FEATURES);
    assertThat(learned)
        .containsExactly(
            "romeo@example.org/a true", "nurse@example.net/b true", "friar@example.net/c true");
    assertThat(learner.find(caps(HASH, "sha-1"))).contains(TUNE);
    assertThat(components.requests).hasSize(1);
  }

  @Test
  void otherHashFunctionsAreVerifiedToo() {
    learn("romeo@example.org/a", caps(SHA_256, "sha-256"));
    answer(0, FEATURES);
    assertThat(learner.find(caps(SHA_256, "sha-256"))).contains(TUNE);
    assertThat(learner.find(caps(SHA_256, "sha-1"))).isNull();
  }

  /// Who lies about a hash does so for itself only: the next client is asked.
  @Test
  void aWrongAnswerCountsForOneClientOnly() {
    learn("mallory@example.net/a", caps(HASH, "sha-1"));
    learn("romeo@example.org/b", caps(HASH, "sha-1"));
    answer(0, "<feature var='evil'/>");
    assertThat(learned).containsExactly("mallory@example.net/a false");
    assertThat(learner.find(caps(HASH, "sha-1"))).isNull();
    assertThat(components.requests).hasSize(2);
    answer(1, FEATURES);
    assertThat(learned).containsExactly("mallory@example.net/a false", "romeo@example.org/b true");
    assertThat(learner.find(caps(HASH, "sha-1"))).contains(TUNE);
  }

  /// Section 5.4: the answer must be well-formed also if the hash is right.
  @Test
  void aFeatureTwiceIsNotWellFormed() {
    learn("mallory@example.net/a", caps(HASH, "sha-1"));
    answer(0, FEATURES + "<feature var='http://jabber.org/protocol/tune+notify'/>");
    assertThat(learned).containsExactly("mallory@example.net/a true");
    assertThat(learner.find(caps(HASH, "sha-1"))).isNull();
  }

  @Test
  void whoDoesNotAnswerWantsNothing() {
    learn("romeo@example.org/a", caps(HASH, "sha-1"));
    learn("nurse@example.net/b", caps(HASH, "sha-1"));
    for (int i = 0; i < 2; i++) {
      TestComponents.Request sent = components.requests.get(i);
      sent.answered()
          .accept(Iq.error(sent.iq(), StanzaError.of(ErrorCondition.REMOTE_SERVER_TIMEOUT)));
    }
    assertThat(learned).containsExactly("romeo@example.org/a false", "nurse@example.net/b false");
    learn("friar@example.net/c", caps(HASH, "sha-1"));
    assertThat(components.requests).hasSize(3);
  }

  private void timesOut(int request) {
    TestComponents.Request sent = components.requests.get(request);
    sent.answered()
        .accept(Iq.error(sent.iq(), StanzaError.of(ErrorCondition.REMOTE_SERVER_TIMEOUT)));
  }

  /// Many accounts may see the same client.
  @Test
  void aClientIsAskedOnceHoweverManySeeIt() {
    for (int i = 0; i < 100; i++) {
      learn("mallory@example.net/a", caps(HASH, "sha-1"));
    }
    learn("romeo@example.org/b", caps(HASH, "sha-1"));
    timesOut(0);
    assertThat(learned).hasSize(100).containsOnly("mallory@example.net/a false");
    assertThat(components.requests).hasSize(2);
    answer(1, FEATURES);
    assertThat(learned).endsWith("romeo@example.org/b true");
  }

  @Test
  void othersAreAskedBeforeFurtherClientsOfWhoDoesNotAnswer() {
    for (int i = 0; i < 20; i++) {
      learn("mallory@example.org/" + i, caps(HASH, "sha-1"));
    }
    learn("romeo@example.org/b", caps(HASH, "sha-1"));
    timesOut(0);
    assertThat(components.requests.getLast().iq().to()).isEqualTo(Jid.of("romeo@example.org/b"));
    answer(1, FEATURES);
    assertThat(learned).hasSize(21).contains("romeo@example.org/b true");
  }

  @Test
  void whoWaitsOftenLeavesRoomForOthers() {
    for (int i = 0; i < 2_000; i++) {
      learn("mallory@example.org/" + i, caps(HASH, "sha-1"));
    }
    learn("romeo@example.org/b", caps(HASH, "sha-1"));
    assertThat(learned).isNotEmpty().doesNotContain("romeo@example.org/b false");
    answer(0, FEATURES);
    assertThat(learned).contains("romeo@example.org/b true");
  }

  @Test
  void capabilitiesWithoutAHashAreAskedForEachTime() {
    learn("romeo@example.org/a", caps("0.9", ""));
    learn("nurse@example.net/b", caps("0.9", ""));
    assertThat(components.requests).hasSize(2);
    answer(0, FEATURES);
    assertThat(learned).containsExactly("romeo@example.org/a true");
    assertThat(learner.find(caps("0.9", ""))).isNull();
  }

  /// Requests are charged to the account, or the domain, that has caused them.
  @Test
  void theClientIsCharged() {
    learn("romeo@example.org/a", caps("a", "sha-1"));
    learn("nurse@example.net/b", caps("b", "sha-1"));
    assertThat(components.requests.stream().map(TestComponents.Request::requester))
        .containsExactly(Jid.of("romeo@example.org"), Jid.of("example.net"));
  }

  @Test
  void presenceWithoutCapabilitiesHasNone() {
    assertThat(Caps.of(TestXml.presence("<presence/>"))).isNull();
    String long1 = "x".repeat(600);
    assertThat(
            Caps.of(
                TestXml.presence(
                    "<presence><c xmlns='http://jabber.org/protocol/caps' node='n' ver='"
                        + long1
                        + "'/></presence>")))
        .isNull();
    assertThat(Set.of(caps("a", "sha-1"))).contains(caps("a", "sha-1"));
  }
}
