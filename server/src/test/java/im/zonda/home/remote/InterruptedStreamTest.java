package im.zonda.home.remote;

import static im.zonda.home.remote.RemoteServer.PAIR;
import static im.zonda.home.remote.RemoteServer.message;
import static im.zonda.home.remote.RemoteServer.texts;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamFailure.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What the home of a pair does while a stream waits to be resumed (XEP-0198, section 5).
class InterruptedStreamTest {
  private final RemoteServer server = new RemoteServer();
  private final TestStream stream = new TestStream();

  private void interrupt() {
    server.domains.interrupted(PAIR, stream);
    server.workers.runAll();
  }

  private void resume() {
    server.domains.resumed(PAIR, stream);
    server.workers.runAll();
  }

  @Test
  void aStreamWithNothingToSendIsResumedWhenSomethingIsSent() {
    server.ready(stream);
    interrupt();
    assertThat(server.attempts).isEmpty();
    server.send(message("one"));
    assertThat(server.attempts).hasSize(1);
    assertThat(stream.delivered).isEmpty();
    resume();
    assertThat(texts(stream)).containsExactly("one");
  }

  /// The other server cannot resume it, and may have something to send.
  @Test
  void aBidirectionalStreamIsResumedAtOnce() {
    stream.bidirectional = true;
    server.ready(stream);
    interrupt();
    assertThat(server.attempts).hasSize(1);
    server.failed(Reason.UNREACHABLE);
    server.time.advance(Duration.ofSeconds(4));
    assertThat(server.attempts).hasSize(2);
  }

  @Test
  void theOtherServerHasTimeToResumeItsStream() {
    stream.bidirectional = true;
    stream.incoming = true;
    server.ready(stream);
    server.send(message("one"));
    interrupt();
    server.time.advance(Duration.ofSeconds(4));
    assertThat(server.attempts).isEmpty();
    resume();
    server.time.advance(Duration.ofSeconds(10));
    assertThat(server.attempts).isEmpty();
    server.send(message("two"));
    assertThat(texts(stream)).containsExactly("one", "two");
  }

  @Test
  void anotherStreamOfTheOtherServerTakesNoneOfThatTime() {
    stream.bidirectional = true;
    stream.incoming = true;
    server.ready(stream);
    server.send(message("one"));
    interrupt();
    TestStream other = new TestStream();
    other.incoming = true;
    server.accepted(other);
    assertThat(server.attempts).isEmpty();
    resume();
    assertThat(stream.closed).isFalse();
  }

  @Test
  void aServerThatDoesNotComeBackIsConnectedTo() {
    stream.incoming = true;
    server.ready(stream);
    server.send(message("one"));
    interrupt();
    server.time.advance(Duration.ofSeconds(5));
    assertThat(server.attempts).hasSize(1);
    TestStream other = new TestStream();
    server.ready(other);
    assertThat(texts(other)).containsExactly("one");
    assertThat(stream.closed).as("nothing is sent on both").isTrue();
    server.ended(stream);
    server.acknowledged(other);
    assertThat(server.waiting()).isEmpty();
  }

  @Test
  void whatIsNotResumedIsSentOnAnotherStream() {
    server.ready(stream);
    server.send(message("one"));
    server.send(message("two"));
    interrupt();
    server.domains.acknowledged(PAIR, 1, stream);
    server.ended(stream);
    TestStream other = new TestStream();
    server.ready(other);
    assertThat(texts(other)).containsExactly("two");
    assertThat(server.attempts).hasSize(1);
  }

  @Test
  void aDomainThatNoLongerExistsIsNotWaitedFor() {
    server.ready(stream);
    server.send(message("one"));
    interrupt();
    server.failed(Reason.NO_SUCH_DOMAIN);
    assertThat(stream.closed).isTrue();
    assertThat(server.errors()).containsExactly("message id-one remote-server-not-found");
    assertThat(server.domains.queuedBytes()).isZero();
  }

  @Test
  void theTimeToGiveUpGoesOn() {
    server.ready(stream);
    server.send(message("one"));
    interrupt();
    for (int i = 0; i < 10; i++) {
      server.failed(Reason.UNREACHABLE);
      assertThat(server.errors()).isEmpty();
      server.time.advance(Duration.ofMinutes(1));
    }
    server.failed(Reason.UNREACHABLE);
    assertThat(server.errors()).containsExactly("message id-one remote-server-timeout");
    assertThat(stream.closed).isTrue();
  }

  @Test
  void aStreamThatBreaksAgainAndAgainIsNotResumedAllTheTime() {
    server.ready(stream);
    server.send(message("one"));
    interrupt();
    assertThat(server.attempts).hasSize(1);
    for (int i = 0; i < 5; i++) {
      resume();
      interrupt();
    }
    assertThat(server.attempts).hasSize(1);
    server.time.advance(Duration.ofSeconds(60));
    assertThat(server.attempts).hasSize(2);
  }

  @Test
  void anotherStreamIsUsedIfTheFirstCannotBeResumed() {
    TestStream second = new TestStream();
    server.ready(stream);
    server.ready(second);
    server.send(message("one"));
    interrupt();
    assertThat(second.delivered).isEmpty();
    server.failed(Reason.UNREACHABLE);
    assertThat(texts(second)).containsExactly("one");
    assertThat(stream.closed).isTrue();
  }

  @Test
  void aSecondStreamIsNotUsedWhileItIsInterrupted() {
    TestStream second = new TestStream();
    server.ready(second);
    server.ready(stream);
    interrupt();
    server.ended(second);
    server.send(message("one"));
    assertThat(stream.delivered).isEmpty();
    assertThat(server.attempts).hasSize(1);
    resume();
    assertThat(texts(stream)).containsExactly("one");
  }

  @Test
  void showsThatItIsInterrupted() {
    server.ready(stream);
    server.send(message("one"));
    interrupt();
    RemoteLinkStatus status = server.domains.links(Duration.ofSeconds(1)).getFirst();
    ServerStreamFailure failure = status.lastFailure();
    assertThat(failure).isNotNull();
    assertThat(status.unacknowledged()).isEqualTo(1);
    resume();
    assertThat(server.domains.links(Duration.ofSeconds(1)).getFirst().lastFailure()).isNull();
  }
}
