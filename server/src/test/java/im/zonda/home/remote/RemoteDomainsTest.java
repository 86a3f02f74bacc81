package im.zonda.home.remote;

import static im.zonda.home.remote.RemoteServer.PAIR;
import static im.zonda.home.remote.RemoteServer.message;
import static im.zonda.home.remote.RemoteServer.texts;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.S2s;
import im.zonda.config.limits.S2sLimits;
import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RemoteDomainsTest {
  private final RemoteServer server = new RemoteServer();
  private final TestStream stream = new TestStream();

  /// An origin of a client that waits for an acknowledgement.
  private static final class Held implements Origin {
    int held;

    @Override
    public Jid session() {
      return Jid.of("romeo@verona.example/orchard");
    }

    @Override
    public long number() {
      return 1;
    }

    @Override
    public InboundFlow flow() {
      return new InboundFlow() {
        @Override
        public void pauseReading() {
          throw new AssertionError("a client is not stopped for a remote domain");
        }

        @Override
        public void resumeReading() {
          throw new AssertionError("it was not stopped");
        }
      };
    }

    @Override
    public boolean acknowledges() {
      return true;
    }

    @Override
    public void hold() {
      held++;
    }

    @Override
    public void release() {
      held--;
    }
  }

  private static Stanza incoming(String from, String to) {
    return Message.of(Message.Type.CHAT, Jid.of(from), Jid.of(to), "m", List.of());
  }

  private void receive(Stanza stanza, long number) {
    server.domains.received(PAIR, stanza, number, stream);
  }

  private static S2s with(S2s base, S2sLimits limits, List<String> allow, List<String> deny) {
    return new S2s(
        true,
        base.listen(),
        base.listenTls(),
        base.trust(),
        base.ca(),
        base.giveUp(),
        base.idle(),
        allow,
        deny,
        2,
        1,
        base.strangers(),
        base.dns(),
        limits,
        Map.of(),
        Map.of());
  }

  private void limit(long queueBytes, long allBytes, int links) {
    S2sLimits limits = RemoteServer.limits(queueBytes, allBytes, links);
    server.settings = with(S2s.DEFAULTS, limits, List.of(), List.of());
  }

  private void deny(String... domains) {
    server.settings = with(S2s.DEFAULTS, S2sLimits.DEFAULTS, List.of(), List.of(domains));
    server.domains.enforcePermissions();
    server.workers.runAll();
  }

  // ---- changed settings

  @Test
  void theQueueOfADomainThatIsDeniedNowIsReturned() {
    server.send(message("one"));
    deny("padua.example");
    assertThat(server.errors()).isEmpty();
    deny("mantua.example");
    assertThat(server.errors()).containsExactly("message id-one not-allowed");
    assertThat(server.waiting()).isEmpty();
    server.send(message("two"));
    assertThat(server.errors()).endsWith("message id-two not-allowed").hasSize(2);
    int attempts = server.attempts.size();
    server.failed(Reason.UNREACHABLE);
    server.time.advance(Duration.ofHours(1));
    server.sweep();
    assertThat(server.attempts).hasSize(attempts);
  }

  @Test
  void theStreamsOfADomainThatIsDeniedNowEnd() {
    server.ready(stream);
    TestStream other = new TestStream();
    server.domains.accepted(new DomainPair("verona.example", "padua.example"), other);
    server.send(message("one"));
    deny("mantua.example");
    assertThat(stream.condition).isEqualTo(StreamErrorCondition.POLICY_VIOLATION);
    assertThat(other.closed).isFalse();
    server.send(message("two"));
    assertThat(texts(stream)).as("on the stream that is about to end").containsExactly("one");
    server.ended(stream);
    assertThat(server.errors())
        .as("what was not acknowledged")
        .containsExactly("message id-two not-allowed", "message id-one not-allowed");
  }

  @Test
  void aDomainThatIsAllowedAgainIsConnectedTo() {
    server.send(message("one"));
    deny("mantua.example");
    deny();
    server.send(message("two"));
    server.ready(stream);
    assertThat(texts(stream)).containsExactly("two");
  }

  @Test
  void streamsProvedByDialbackEndWhereItIsNotEnoughAnyMore() {
    TestStream proved = new TestStream();
    proved.trust = "dialback";
    server.settings = S2s.DEFAULTS;
    server.ready(stream);
    server.domains.accepted(new DomainPair("verona.example", "padua.example"), proved);
    server.domains.enforcePermissions();
    assertThat(proved.condition).isEqualTo(StreamErrorCondition.POLICY_VIOLATION);
    assertThat(stream.closed).isFalse();
  }

  // ---- status

  @Test
  void streamsWithoutAQueueAreListed() {
    server.send(message("one"));
    server.domains.accepted(new DomainPair("verona.example", "padua.example"), stream);
    assertThat(server.domains.links(Duration.ofSeconds(10)))
        .extracting(link -> link.pair().remote() + " " + link.waiting())
        .containsExactlyInAnyOrder("mantua.example 1", "padua.example 0");
  }

  // ---- to other servers

  @Test
  void theSenderIsAcknowledgedOnceTheMessageIsStored() {
    Held origin = new Held();
    server.send(message("one"), origin);
    assertThat(origin.held).isZero();
    assertThat(server.waiting()).containsExactly("one");
  }

  @Test
  void aMessageThatCannotBeStoredIsRejected() {
    server.stores.fail(StoreException.Category.FULL);
    server.send(message("one"), new Held());
    assertThat(server.errors()).containsExactly("message id-one resource-constraint");
    server.ready(stream);
    assertThat(stream.delivered).isEmpty();
  }

  @Test
  void aFullQueueRejectsItsOwnSendersOnly() {
    limit(65_536, 1L << 30, 100);
    String large = "x".repeat(20_000);
    server.send(message(large));
    server.send(message("y" + large));
    assertThat(server.errors()).containsExactly("message id-y" + large + " resource-constraint");
    server.send(message(Message.Type.CHAT, "nurse@padua.example", "other"));
    server.send(message("small"));
    assertThat(server.errors()).hasSize(1);
    server.ready(stream);
    server.acknowledged(stream);
    server.send(message("y" + large));
    assertThat(server.errors()).hasSize(1);
  }

  @Test
  void whenAllQueuesAreFullThoseWithLittleStillAcceptStanzas() {
    limit(1L << 30, 1_048_576, 100);
    String large = "x".repeat(250_000);
    server.send(message(large));
    server.send(message(large));
    server.send(message("z" + large));
    assertThat(server.errors()).containsExactly("message id-z" + large + " resource-constraint");
    server.send(message(Message.Type.CHAT, "nurse@padua.example", "x".repeat(60_000)));
    assertThat(server.errors())
        .as("the sender's own largest queue gives way")
        .hasSize(2)
        .endsWith("message id-" + large + " resource-constraint");
  }

  @Test
  void noMorePairsThanTheLimit() {
    limit(65_536, 1L << 30, 1);
    server.send(message("one"));
    server.send(message(Message.Type.CHAT, "nurse@padua.example", "two"));
    assertThat(server.errors()).containsExactly("message id-two resource-constraint");
  }

  @Test
  void doesNotRelayForDomainsThatAreNotServed() {
    server.routes.route(Envelope.of(incoming("tybalt@padua.example", "juliet@mantua.example")));
    server.workers.runAll();
    assertThat(server.attempts).isEmpty();
    assertThat(server.domains.size()).isZero();
  }

  @Test
  void aDeadDomainDoesNotStopAnother() {
    server.send(message("one"));
    server.failed(Reason.TIMEOUT);
    server.send(message(Message.Type.CHAT, "nurse@padua.example", "two"));
    server.domains.ready(new DomainPair("verona.example", "padua.example"), stream);
    server.workers.runAll();
    assertThat(texts(stream)).containsExactly("two");
  }

  // ---- from other servers

  @Test
  void whatComesInIsRoutedAndAcknowledgedWhenItHasBeenHandled() {
    server.domains.accepted(PAIR, stream);
    Stanza stanza = incoming("juliet@mantua.example/balcony", "romeo@verona.example");
    receive(stanza, 1);
    Origin origin = server.arrived.getFirst().origin();
    assertThat(stream.handled).as("no one holds it").containsExactly(1L);
    assertThat(server.arrived.getFirst().stanza()).isSameAs(stanza);
    assertThat(origin.acknowledges()).isTrue();
  }

  @Test
  void aStanzaThatIsHeldIsAcknowledgedLater() {
    server.domains.accepted(PAIR, stream);
    server.routes.remove(
        Jid.of("rooms.verona.example"), server.routes.to(Jid.of("rooms.verona.example")));
    Origin[] held = new Origin[1];
    server.routes.add(
        Jid.of("garden.verona.example"),
        envelope -> {
          held[0] = envelope.origin();
          held[0].hold();
        });
    DomainPair pair = new DomainPair("garden.verona.example", "mantua.example");
    server.domains.accepted(pair, stream);
    server.domains.received(
        pair, incoming("juliet@mantua.example", "a@garden.verona.example"), 1, stream);
    receive(incoming("juliet@mantua.example", "romeo@verona.example"), 2);
    assertThat(stream.handled).containsExactly(2L);
    held[0].release();
    assertThat(stream.handled).containsExactly(2L, 1L);
  }

  @Test
  void addressesOfOtherDomainsEndTheStream() {
    server.domains.accepted(PAIR, stream);
    receive(incoming("juliet@padua.example", "romeo@verona.example"), 1);
    assertThat(stream.condition).isEqualTo(StreamErrorCondition.INVALID_FROM);
    receive(incoming("juliet@mantua.example", "romeo@padua.example"), 2);
    assertThat(stream.condition).isEqualTo(StreamErrorCondition.IMPROPER_ADDRESSING);
    assertThat(server.arrived).isEmpty();
    assertThat(stream.handled).isEmpty();
  }

  @Test
  void domainsThatAreDeniedNeitherSendNorGetAnything() {
    server.settings =
        with(
            S2s.DEFAULTS,
            S2sLimits.DEFAULTS,
            List.of(),
            List.of("mantua.example", "*.padua.example"));
    server.domains.accepted(PAIR, stream);
    assertThat(stream.condition).isEqualTo(StreamErrorCondition.POLICY_VIOLATION);
    receive(incoming("juliet@mantua.example", "romeo@verona.example"), 1);
    assertThat(server.arrived).isEmpty();
    server.send(message("one"));
    server.send(message(Message.Type.CHAT, "nurse@house.padua.example", "two"));
    assertThat(server.errors())
        .containsExactly("message id-one not-allowed", "message id-two not-allowed");
    server.send(message(Message.Type.CHAT, "nurse@padua.example", "three"));
    assertThat(server.attempts).hasSize(1);
  }

  @Test
  void aDomainThatSendsTooFastIsNotReadForAWhile() {
    server.settings = with(S2s.DEFAULTS, S2sLimits.DEFAULTS, List.of(), List.of());
    server.domains.accepted(PAIR, stream);
    for (int i = 1; i <= 10; i++) {
      receive(incoming("juliet@mantua.example", "romeo@verona.example"), i);
    }
    assertThat(stream.paused).isZero();
    for (int i = 11; i <= 14; i++) {
      receive(incoming("juliet@mantua.example", "romeo@verona.example"), i);
    }
    assertThat(stream.paused).isEqualTo(1);
    assertThat(server.arrived).as("nothing is dropped").hasSize(14);
    server.time.advance(Duration.ofSeconds(2));
    assertThat(stream.paused).isZero();
  }

  @Test
  void presenceHasARateOfItsOwn() {
    server.settings = with(S2s.DEFAULTS, S2sLimits.DEFAULTS, List.of(), List.of());
    server.domains.accepted(PAIR, stream);
    for (int i = 1; i <= 6; i++) {
      receive(
          Presence.of(
              Presence.Type.AVAILABLE,
              Jid.of("juliet@mantua.example/balcony"),
              Jid.of("romeo@verona.example"),
              null,
              List.of()),
          i);
    }
    assertThat(stream.paused).isEqualTo(1);
  }

  @Test
  void afterTheEndOfAStreamNothingComesInOnIt() {
    server.domains.accepted(PAIR, stream);
    server.ended(stream);
    receive(incoming("juliet@mantua.example", "romeo@verona.example"), 1);
    assertThat(server.arrived).isEmpty();
  }

  // ---- upkeep

  @Test
  void aPairIsUnloadedAndItsQueueRemovedWhenItIsNotNeeded() {
    server.send(message("one"));
    server.ready(stream);
    server.acknowledged(stream);
    server.sweep();
    assertThat(server.domains.size()).isEqualTo(1);
    server.ended(stream);
    server.sweep();
    server.sweep();
    assertThat(server.domains.size()).isZero();
    assertThat(server.stores.remoteQueues().list("verona.example", null, 10)).isEmpty();
    server.send(message("two"));
    assertThat(server.attempts).hasSize(2);
    assertThat(server.waiting()).containsExactly("two");
  }

  @Test
  void aPairWithSomethingThatWaitsStays() {
    server.send(message("one"));
    server.failed(Reason.TIMEOUT);
    server.sweep();
    server.sweep();
    assertThat(server.domains.size()).isEqualTo(1);
    assertThat(server.stores.remoteQueues().list("verona.example", null, 10)).hasSize(1);
  }

  @Test
  void anIdleStreamIsClosed() {
    server.send(message("one"));
    server.ready(stream);
    server.acknowledged(stream);
    server.time.advance(Duration.ofMinutes(10));
    server.sweep();
    server.send(message("two"));
    server.acknowledged(stream);
    server.time.advance(Duration.ofMinutes(10));
    server.sweep();
    assertThat(stream.closed).isFalse();
    server.time.advance(Duration.ofMinutes(5));
    server.sweep();
    assertThat(stream.closed).isTrue();
    assertThat(stream.condition).isNull();
  }

  @Test
  void queuesAreLoadedLaterIfTheStoreFailsAtTheStart() {
    server.send(message("one"));
    RemoteServer next = new RemoteServer(PAIR.local(), server.time, server.data, log -> log);
    next.stores.fail(StoreException.Category.UNAVAILABLE);
    next.sweep();
    assertThat(next.attempts).isEmpty();
    next.stores.beforeCall(() -> {});
    next.sweep();
    assertThat(next.attempts).containsExactly(PAIR);
  }
}
