package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replication;
import im.zonda.jid.Jid;
import im.zonda.session.SessionKey;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The copy of a session whose stream is at the home's own node.
final class AttachedCopyTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final RunningRouter running = new RunningRouter(limits -> limits, new Confirming());

  /// A standby that has each copy at once.
  private static final class Confirming implements Replication {
    @Override
    public boolean hasStandby(Jid home) {
      return true;
    }

    @Override
    public void copy(
        Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
      if (listener != null) {
        listener.confirmed(true);
      }
    }
  }

  @AfterEach
  void stop() {
    running.close();
  }

  /// The client gets the count of its stanzas when the replica has it, or there is no replica.
  @Test
  void aCopyThatCannotBeWrittenKeepsNoCountFromTheClient() {
    RecordingStream stream = new RecordingStream();
    TestLink link = running.bind(JULIET, stream);
    link.manage();
    running.awaitIdle();
    link.received(TestStanzas.of("<presence/>"));
    settle();
    assertThat(stream.handled()).as("with the copy").isEqualTo(1);
    SessionKey<String> unwritable =
        new SessionKey<>("x".repeat(70_000), String.class, text -> text, text -> text);
    Objects.requireNonNull(running.at(JULIET)).set(unwritable, "value");
    link.received(TestStanzas.of("<presence/>"));
    settle();
    assertThat(stream.handled()).isEqualTo(2);
  }

  private void settle() {
    running.awaitIdle();
    running.advance(Duration.ofSeconds(1));
    running.awaitIdle();
  }
}
