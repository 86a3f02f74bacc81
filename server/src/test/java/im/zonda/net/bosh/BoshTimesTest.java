package im.zonda.net.bosh;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.BoshLimits;
import im.zonda.xml.Element;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// How long messages take is measured when they leave with a response.
class BoshTimesTest {
  private int measured;

  private final BoshSession.Upstream upstream =
      new BoshSession.Upstream() {
        @Override
        public void process(BoshRequest request) {}

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void received(long number) {}

        @Override
        public void lost() {}

        @Override
        public void measured(long nanos) {
          measured++;
        }

        @Override
        public void describe(BodyWriter body) {}
      };

  @Test
  void aMessageIsMeasuredWhenThereIsARequestToAnswer() throws Exception {
    BoshRequest first =
        TestBodies.request("rid='100' to='example.org' ver='1.6' wait='60' hold='1'", "");
    BoshSession session =
        new BoshSession(BoshTerms.of(first, BoshLimits.DEFAULTS), "SomeSID", first, upstream, 0);
    session.receive(first, new CompletableFuture<>(), 0);
    session.proceed(0);
    Payload other = Payload.of(Element.of("urn:x", "m"));
    session.send(other);
    session.answer(0);
    assertThat(measured).as("not a message").isZero();
    session.send(new Payload(other.xml(), false, 0, System.nanoTime()));
    session.answer(0);
    assertThat(measured).as("no request to answer").isZero();
    session.receive(
        TestBodies.request("rid='101' sid='SomeSID'", ""), new CompletableFuture<>(), 0);
    session.proceed(0);
    session.answer(0);
    assertThat(measured).isEqualTo(1);
  }
}
