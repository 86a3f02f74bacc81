package im.zonda.app.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.Crossings;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// The scenarios that are played on every transport: a few of each kind, or with
/// `-Dzonda.test.all=true` all. The last test of each transport compares what has crossed it with
/// every kind of value that streams and sessions exchange, every stream feature and every element
/// of negotiation.
final class TransportScenarios {
  private static final boolean ALL = Boolean.getBoolean("zonda.test.all");

  private static final Set<String> CHOSEN =
      Set.of(
          "stream/bind2.xmpp",
          "stream/management.xmpp",
          "stream/sasl2.xmpp",
          "stream/unreadable.xmpp",
          "access/access.xmpp",
          "admin/commands.xmpp",
          "avatar/vcard.xmpp",
          "blocking/blocking.xmpp",
          "bytestreams/bytestreams.xmpp",
          "carbons/received.xmpp",
          "delegation/requests.xmpp",
          "guests/ended.xmpp",
          "guests/resumed.xmpp",
          "last/logout.xmpp",
          "mam/query.xmpp",
          "muc/archive.xmpp",
          "muc/moderation.xmpp",
          "muc/private-messages.xmpp",
          "offline/payloads.xmpp",
          "presence/subscription.xmpp",
          "privilege/messages.xmpp",
          "pubsub/attachments.xmpp",
          "pubsub/pages.xmpp",
          "push/inactive.xmpp",
          "registration/challenge.xmpp",
          "registration/preauth.xmpp",
          "roster/versions.xmpp",
          "upload/upload.xmpp",
          "vcard/vcard.xmpp");

  /// Kinds of values that no scenario causes, and the test that sends them over the links of every
  /// process: they need a node or an edge that dies, a slow client or a database that does not
  /// answer.
  private static final Map<Class<?>, String> IN_OTHER_TESTS =
      Map.of(
          ToSession.Recover.class, "EdgeFormTest, LinkFormTest, EdgesInClusterTest",
          ToStream.NotBound.class, "SessionBindingTest, LinkFormTest",
          ToStream.Unsettled.class, "RestoredSessionTest, LinkFormTest",
          ToStream.PauseReading.class, "SessionKeeperTest, EdgeSessionTest, LinkFormTest",
          ToStream.ResumeReading.class, "SessionKeeperTest, EdgeSessionTest, LinkFormTest",
          ToStream.Moved.class, "KeptStreamsTest, LinkFormTest");

  /// What is negotiated on every transport.
  private static final List<String> NEGOTIATION =
      List.of(
          "feature {http://jabber.org/features/iq-register}register",
          "feature {http://jabber.org/protocol/caps}c",
          "feature {urn:ietf:params:xml:ns:xmpp-bind}bind",
          "feature {urn:ietf:params:xml:ns:xmpp-sasl}mechanisms",
          "feature {urn:ietf:params:xml:ns:xmpp-session}optional",
          "feature {urn:ietf:params:xml:ns:xmpp-session}session",
          "feature {urn:xmpp:bind:0}bind",
          "feature {urn:xmpp:bind:0}feature",
          "feature {urn:xmpp:bind:0}inline",
          "feature {urn:xmpp:caps}c",
          "feature {urn:xmpp:csi:0}csi",
          "feature {urn:xmpp:fast:0}fast",
          "feature {urn:xmpp:features:pre-approval}sub",
          "feature {urn:xmpp:features:rosterver}ver",
          "feature {urn:xmpp:hashes:2}hash",
          "feature {urn:xmpp:iap:0}config-version",
          "feature {urn:xmpp:ibr-token:0}register",
          "feature {urn:xmpp:sasl:2}authentication",
          "feature {urn:xmpp:sasl:2}inline",
          "feature {urn:xmpp:sasl:upgrade:0}upgrade",
          "feature {urn:xmpp:sm:3}sm",
          "feature {urn:xmpp:stream-limits:0}idle-seconds",
          "feature {urn:xmpp:stream-limits:0}limits",
          "feature {urn:xmpp:stream-limits:0}max-bytes",
          "mechanism ANONYMOUS",
          "mechanism HT-SHA-256-NONE",
          "mechanism PLAIN",
          "mechanism SCRAM-SHA-1",
          "mechanism SCRAM-SHA-256",
          "mechanism SCRAM-SHA-512",
          "{http://etherx.jabber.org/streams}error",
          "{urn:ietf:params:xml:ns:xmpp-sasl}challenge",
          "{urn:ietf:params:xml:ns:xmpp-sasl}success",
          "{urn:xmpp:sasl:2}failure",
          "{urn:xmpp:sasl:2}success",
          "{urn:xmpp:sm:3}a",
          "{urn:xmpp:sm:3}enabled",
          "{urn:xmpp:sm:3}failed",
          "{urn:xmpp:sm:3}r",
          "{urn:xmpp:sm:3}resumed");

  /// What is negotiated on a connection that begins without TLS.
  static final Set<String> STARTTLS =
      Set.of(
          "feature {urn:ietf:params:xml:ns:xmpp-tls}required",
          "feature {urn:ietf:params:xml:ns:xmpp-tls}starttls",
          "feature {urn:xmpp:sasl-cb:0}channel-binding",
          "feature {urn:xmpp:sasl-cb:0}sasl-channel-binding",
          "mechanism HT-SHA-256-ENDP",
          "mechanism HT-SHA-256-EXPR",
          "mechanism SCRAM-SHA-1-PLUS",
          "mechanism SCRAM-SHA-256-PLUS",
          "mechanism SCRAM-SHA-512-PLUS",
          "{urn:ietf:params:xml:ns:xmpp-tls}proceed");

  /// What does not cross between an edge and its server: a stream sends [ToSession.EnablingOver]
  /// some seconds after its bind, which takes longer in real time than a scenario.
  static final Set<String> NOT_THROUGH_EDGE =
      Set.of(Crossings.nameOf(ToSession.EnablingOver.class));

  /// What does not cross without an edge: only an edge keeps the state of sessions.
  static final Set<String> NOT_DIRECTLY =
      Set.of(
          Crossings.nameOf(ToSession.EnablingOver.class), Crossings.nameOf(ToStream.State.class));

  private TransportScenarios() {}

  /// Plays all scenarios, or those that were chosen, on a server of the plan.
  ///
  /// @param possible whether a scenario can be played on this transport
  /// @param more what is negotiated on this transport, but not on every one
  /// @param never what cannot cross this transport
  static Stream<DynamicTest> play(
      ServerPlan plan, Predicate<Path> possible, Set<String> more, Set<String> never) {
    Crossings crossings = new Crossings();
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : Scenarios.all()) {
      if (isChosen(file) && possible.test(file)) {
        tests.add(
            DynamicTest.dynamicTest(
                Scenarios.name(file), () -> play(file, plan.withCrossings(crossings))));
      }
    }
    if (Scenarios.areAll()) {
      tests.add(
          DynamicTest.dynamicTest(
              "everything has crossed", () -> assertCrossed(crossings, more, never)));
    }
    return tests.stream();
  }

  private static boolean isChosen(Path file) {
    return ALL || !Scenarios.areAll() || CHOSEN.stream().anyMatch(file::endsWith);
  }

  private static void play(Path file, ServerPlan plan) throws Exception {
    try (TestServer server = plan.withClock(new FakeClock()).startOnSockets()) {
      ScenarioRunner.play(Scenarios.read(file), server);
    }
  }

  /// Compares what was seen with what has to be: all of it, and nothing that is not listed.
  static void assertCrossed(Crossings crossings, Set<String> more, Set<String> never) {
    Set<String> required = new TreeSet<>(NEGOTIATION);
    required.addAll(more);
    for (Class<?> values : List.of(ToSession.class, ToStream.class)) {
      Arrays.stream(values.getPermittedSubclasses()).map(Crossings::nameOf).forEach(required::add);
    }
    Set<String> exempt = new TreeSet<>(never);
    IN_OTHER_TESTS.keySet().stream().map(Crossings::nameOf).forEach(exempt::add);
    assertThat(required).containsAll(exempt);
    required.removeAll(exempt);
    Set<String> seen = crossings.seen();
    seen.removeAll(exempt);
    assertThat(seen).isEqualTo(required);
  }
}
