package im.zonda.home.remote;

import static im.zonda.home.remote.RemoteServer.texts;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.S2s;
import im.zonda.config.limits.S2sLimits;
import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Who loses something when the bounds that all pairs share are reached: the one who uses most.
class PairBoundsTest {
  private final RemoteServer server = new RemoteServer();

  private static Message message(String from, String to, String body) {
    return Message.of(
        Message.Type.CHAT,
        Jid.of(from),
        Jid.of(to),
        "id-" + body.substring(0, Math.min(body.length(), 20)),
        List.of(Element.builder(Namespaces.CLIENT, "body").text(body).build()));
  }

  private void send(String from, String domain, String body) {
    server.send(message(from + "@verona.example/a", "juliet@" + domain, body));
  }

  private void limit(long queueBytes, long allBytes, int links) {
    S2sLimits limits = RemoteServer.limits(queueBytes, allBytes, links);
    S2s base = S2s.DEFAULTS;
    server.settings =
        new S2s(
            true,
            base.listen(),
            base.listenTls(),
            base.trust(),
            base.ca(),
            base.giveUp(),
            base.idle(),
            List.of(),
            List.of(),
            base.stanzaRate(),
            base.presenceRate(),
            base.strangers(),
            base.dns(),
            limits,
            Map.of(),
            Map.of());
  }

  private TestStream opened(String remote, String address) {
    TestStream stream = new TestStream();
    stream.incoming = true;
    stream.address = address;
    server.domains.accepted(new DomainPair("verona.example", remote), stream);
    server.workers.runAll();
    return stream;
  }

  private List<String> errorsTo(String account) {
    return server.arrived.stream()
        .filter(each -> each.stanza().isError())
        .filter(each -> Jid.of(account + "@verona.example/a").equals(each.stanza().to()))
        .map(each -> String.valueOf(each.stanza().id()))
        .toList();
  }

  @Test
  void anAccountThatFillsTheTableLosesFromItAndNobodyElse() {
    limit(65_536, 1L << 30, 16);
    for (int i = 0; i < 16; i++) {
      send("tybalt", "silent-" + i + ".example", "x" + i);
    }
    for (int i = 0; i < 5; i++) {
      send("romeo", "new-" + i + ".example", "r" + i);
    }
    assertThat(errorsTo("romeo")).isEmpty();
    assertThat(errorsTo("tybalt")).containsExactly("id-x0", "id-x1", "id-x2", "id-x3", "id-x4");
    send("tybalt", "one-more.example", "more");
    assertThat(errorsTo("tybalt")).hasSize(6).endsWith("id-more");
    send("romeo", "new-0.example", "again");
    assertThat(errorsTo("romeo")).isEmpty();
  }

  @Test
  void aPairThatAnotherAccountUsesIsNotLost() {
    limit(65_536, 1L << 30, 16);
    for (int i = 0; i < 16; i++) {
      send("tybalt", "silent-" + i + ".example", "x" + i);
    }
    send("romeo", "silent-0.example", "r");
    send("benvolio", "new.example", "b");
    assertThat(errorsTo("romeo")).isEmpty();
    assertThat(errorsTo("benvolio")).isEmpty();
    assertThat(errorsTo("tybalt")).containsExactly("id-x1");
  }

  @Test
  void streamsFromOutsideAreCountedAndPaidForByTheirNetwork() {
    limit(65_536, 1L << 30, 16);
    List<TestStream> streams = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      streams.add(opened("d" + i + ".evil.example", "198.51.100.7"));
    }
    assertThat(streams.getLast().condition).isEqualTo(StreamErrorCondition.RESOURCE_CONSTRAINT);
    assertThat(streams.getFirst().closed).isFalse();
    send("romeo", "new.example", "r");
    assertThat(errorsTo("romeo")).isEmpty();
    assertThat(streams.getFirst().condition).isEqualTo(StreamErrorCondition.RESOURCE_CONSTRAINT);
    TestStream other = opened("padua.example", "192.0.2.9");
    assertThat(other.closed).isFalse();
    assertThat(streams.get(1).closed).isTrue();
  }

  @Test
  void answersToThePeersOfAnIntruderAreNotChargedToTheOneWhoAnswers() {
    limit(65_536, 1L << 30, 16);
    List<TestStream> streams = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      streams.add(opened("d" + i + ".evil.example", "198.51.100.7"));
      send("romeo", "d" + i + ".evil.example", "answer");
    }
    send("romeo", "new.example", "r");
    assertThat(errorsTo("romeo")).containsExactly("id-answer");
    assertThat(streams.getFirst().closed).isTrue();
  }

  /// The address of a proxy says nothing about who uses it.
  @Test
  void streamsThroughAProxyOnThisMachineArePaidForByTheDomainAbove() {
    limit(65_536, 1L << 30, 16);
    for (int i = 0; i < 15; i++) {
      assertThat(opened("d" + i + ".evil.example", "127.0.0.1").closed).isFalse();
    }
    assertThat(opened("padua.example", "127.0.0.1").closed).isFalse();
    assertThat(opened("one-more.evil.example", "127.0.0.1").closed).isTrue();
    send("romeo", "new.example", "r");
    assertThat(errorsTo("romeo")).isEmpty();
  }

  @Test
  void aPairWithoutAStreamIsLostFirst() {
    limit(65_536, 1L << 30, 16);
    send("tybalt", "mantua.example", "first");
    TestStream stream = new TestStream();
    server.ready(stream);
    for (int i = 0; i < 15; i++) {
      send("tybalt", "silent-" + i + ".example", "x" + i);
    }
    send("romeo", "new.example", "r");
    assertThat(stream.closed).isFalse();
    assertThat(errorsTo("tybalt")).containsExactly("id-x0");
  }

  @Test
  void aStreamThatHasEndedLeavesItsPlace() {
    limit(65_536, 1L << 30, 16);
    for (int i = 0; i < 100; i++) {
      TestStream stream = opened("d" + i + ".evil.example", "198.51.100.7");
      assertThat(stream.closed).isFalse();
      server.domains.ended(
          new DomainPair("verona.example", "d" + i + ".evil.example"),
          stream,
          new ServerStreamFailure(Reason.CLOSED, "by the test"));
    }
  }

  /// The queues of a restart belong to those who have written the messages.
  @Test
  void afterARestartTheTableIsChargedToTheSameAccount() {
    for (int i = 0; i < 16; i++) {
      send("tybalt", "silent-" + i + ".example", "x" + i);
    }
    send("romeo", "new.example", "r");
    RemoteServer next = server.restart();
    limit(65_536, 1L << 30, 17);
    next.settings = server.settings;
    next.send(message("benvolio@verona.example/a", "juliet@other.example", "b"));
    assertThat(next.errors()).singleElement().asString().startsWith("message id-x");
  }

  // ---- bytes

  @Test
  void blackHolesDoNotFillTheQueuesOfOthers() {
    limit(65_536, 1_048_576, 1_000);
    String large = "x".repeat(30_000);
    for (int i = 0; i < 40; i++) {
      send("tybalt", "hole-" + i + ".example", large);
    }
    for (int i = 0; i < 20; i++) {
      send("romeo", "new-" + i + ".example", "r" + i + "r".repeat(10_000));
    }
    assertThat(errorsTo("romeo")).isEmpty();
    assertThat(errorsTo("tybalt")).isNotEmpty();
    assertThat(server.domains.queuedBytes()).isLessThanOrEqualTo(1_048_576);
  }

  @Test
  void oneSenderDoesNotFillTheQueueOfADomainForOthers() {
    limit(65_536, 1L << 30, 1_000);
    for (int i = 0; i < 10; i++) {
      send("tybalt", "mantua.example", i + "x".repeat(10_000));
    }
    assertThat(errorsTo("tybalt")).hasSize(4);
    send("romeo", "mantua.example", "r".repeat(10_000));
    assertThat(errorsTo("romeo")).isEmpty();
    assertThat(errorsTo("tybalt")).hasSize(5);
    TestStream stream = new TestStream();
    server.ready(stream);
    assertThat(texts(stream)).startsWith("0" + "x".repeat(10_000));
  }

  @Test
  void whatAServerDoesNotAcknowledgeIsReturnedToo() {
    limit(1L << 30, 1_048_576, 1_000);
    TestStream stream = new TestStream();
    server.ready(stream);
    String large = "x".repeat(700_000);
    send("tybalt", "mantua.example", large);
    assertThat(texts(stream)).hasSize(1);
    send("romeo", "padua.example", "r".repeat(400_000));
    assertThat(stream.closed).isTrue();
    server.ended(stream);
    send("romeo", "padua.example", "again");
    assertThat(errorsTo("tybalt")).hasSize(1);
  }
}
