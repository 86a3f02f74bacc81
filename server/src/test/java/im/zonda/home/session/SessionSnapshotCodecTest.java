package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.link.SessionVersion;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The version of a session in what crosses between nodes, of this program and the one before.
final class SessionSnapshotCodecTest {
  private final SessionSnapshotCodec codec = new SessionSnapshotCodec();

  private static SessionSnapshot session(long resumptions, Map<String, String> values) {
    return TestSnapshot.of(Jid.of("romeo@example.net/orchard"), "id", Instant.EPOCH)
        .handled(7)
        .acknowledged(9)
        .resumptions(resumptions)
        .values(values)
        .replica();
  }

  private SessionSnapshot readWhole(SessionSnapshot session) throws IOException {
    return codec.read(codec.whole(session), null, null);
  }

  private SessionSnapshot readAttached(SessionSnapshot session) throws IOException {
    return codec.read(
        codec.attached(session.state(), session.until(), false),
        codec.queue(session.sent(), SentEntries.NONE, 9, Map.of("said", "once")),
        codec.handled(session.received().handled()));
  }

  @Test
  void theVersionIsReadAsItWasWritten() throws IOException {
    SessionSnapshot session = session(3, Map.of("key", "value"));
    assertThat(readWhole(session)).isEqualTo(session);
    SessionSnapshot attached = readAttached(session);
    assertThat(attached.version()).isEqualTo(new SessionVersion(3, 9, 7));
    assertThat(attached.state().values()).isEqualTo(Map.of("key", "value", "said", "once"));
  }

  /// The version before keeps the number of the last resumption among the values of modules.
  @Test
  void theVersionIsWhereTheProgramBeforeHasIt() throws IOException {
    SessionSnapshot former = session(0, Map.of("resumptions", "3"));
    assertThat(codec.whole(former)).isEqualTo(codec.whole(session(3, Map.of())));
    assertThat(readWhole(former)).isEqualTo(session(3, Map.of()));
    assertThat(readAttached(former).version()).isEqualTo(new SessionVersion(3, 9, 7));
  }

  @Test
  void aSessionOfAnUnknownVersionIsNotRead() {
    for (String number : List.of("", "three", "-3")) {
      SessionSnapshot unknown = session(0, Map.of("resumptions", number));
      assertThatThrownBy(() -> readWhole(unknown))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("unknown version");
      assertThatThrownBy(() -> readAttached(unknown)).isInstanceOf(IOException.class);
    }
  }
}
