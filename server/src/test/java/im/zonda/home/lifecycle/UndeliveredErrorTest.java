package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.forward.NodeOrigin;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An error for the sender of a message, whose home cannot be loaded: its session has just come
/// from another node, and the database is away.
final class UndeliveredErrorTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Jid ROMEO = Jid.of("romeo@example.org");

  private final RunningRouter running = new RunningRouter(limits -> limits);
  private final RecordingStream stream = new RecordingStream();
  private final AtomicInteger handled = new AtomicInteger();

  @AfterEach
  void stop() {
    running.close();
  }

  private void refuseMessageOfJuliet() {
    Message message = (Message) TestStanzas.message("wherefore").withAddresses(JULIET, ROMEO);
    StanzaError error = StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT);
    NodeOrigin origin =
        new NodeOrigin(JULIET, 1, new NodeOrigin.Cause(0, 0, 0, true), handled::incrementAndGet);
    running.router.routes().route(new Envelope(Message.error(message, error), origin, null));
    origin.release();
    running.awaitIdle();
  }

  /// Sent again instead, the message would come after later ones.
  @Test
  void isBroughtAgainUntilItsHomeIsThere() {
    running.createAccount(JULIET.bare());
    running.failLoads(true);
    refuseMessageOfJuliet();
    running.pass(3);
    assertThat(handled).hasValue(0);
    running.failLoads(false);
    running.bind(JULIET, stream);
    running.pass(1);
    assertThat(handled).hasValue(1);
    assertThat(stream.stanzas()).singleElement().matches(Stanza::isError);
  }
}
