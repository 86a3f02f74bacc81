package im.zonda.route;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Iq;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class DomainRequestsTest {
  private static final int MOST = 32;
  private static final Jid FLOODER = Jid.of("flooder.example");
  private static final Jid BYSTANDER = Jid.of("bystander.example");

  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private final List<String> answers = new ArrayList<>();
  private final Routes routes = new Routes();
  private final DomainRequests requests = new DomainRequests(waiting::add, routes.errors(), MOST);

  DomainRequestsTest() {
    routes.add(FLOODER, envelope -> answers.add("error for the flooder"));
    routes.add(BYSTANDER, envelope -> answers.add("error for the bystander"));
  }

  private void ask(Jid sender) {
    Iq request = Iq.of(Iq.Type.GET, sender, Jid.of("example.org"), "q", null);
    requests.run(Envelope.of(request), sender, () -> answers.add("answer"));
  }

  @Test
  void whoSendsTooManyPaysAndOthersAreAnswered() {
    for (int i = 0; i < MOST; i++) {
      ask(FLOODER);
    }
    assertThat(answers).isEmpty();
    ask(FLOODER);
    assertThat(answers).containsExactly("error for the flooder");

    for (int i = 0; i <= DomainRequests.FREE; i++) {
      ask(BYSTANDER);
    }
    assertThat(answers).containsExactly("error for the flooder", "error for the bystander");
    answers.clear();
    waiting.forEach(Runnable::run);
    assertThat(answers).hasSize(MOST + DomainRequests.FREE).containsOnly("answer");
    assertThat(requests.size()).isZero();
    ask(FLOODER);
    assertThat(requests.size()).isEqualTo(1);
  }

  @Test
  void aRequestThatFailsIsAnsweredAndFreesItsPlace() {
    Iq request = Iq.of(Iq.Type.GET, FLOODER, Jid.of("example.org"), "q", null);
    requests.run(
        Envelope.of(request),
        FLOODER,
        () -> {
          throw new IllegalStateException("no answer");
        });
    waiting.forEach(Runnable::run);
    assertThat(answers).containsExactly("error for the flooder");
    assertThat(requests.size()).isZero();
  }

  @Test
  void withoutAWorkerTheSenderGetsAnError() {
    DomainRequests stopped =
        new DomainRequests(
            task -> {
              throw new RejectedExecutionException("no more workers");
            },
            routes.errors(),
            MOST);
    Iq request = Iq.of(Iq.Type.GET, FLOODER, Jid.of("example.org"), "q", null);
    stopped.run(Envelope.of(request), FLOODER, () -> answers.add("answer"));
    assertThat(answers).containsExactly("error for the flooder");
    assertThat(stopped.size()).isZero();
  }
}
