package im.zonda.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.home.session.MovingSession;
import im.zonda.home.session.SavedSession;
import im.zonda.home.session.SentEntries;
import im.zonda.jid.Jid;
import im.zonda.link.SessionVersion;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// The version of a session in what crosses between nodes, of this program and the one before.
final class BinarySessionReplicaCodecTest {
  private final BinarySessionReplicaCodec form = new BinarySessionReplicaCodec();

  private static SavedSession session(long resumptions, Map<String, String> values) {
    return new SavedSession(
        Jid.of("romeo@example.net/orchard"),
        "id",
        Instant.EPOCH,
        7,
        9,
        List.of(),
        null,
        false,
        SentEntries.NONE,
        resumptions,
        values);
  }

  private byte[] whole(SavedSession session) {
    return form.whole(MovingSession.copy(session, OptionalLong.empty(), OptionalLong.empty()));
  }

  private SavedSession readAttached(SavedSession session) throws IOException {
    return form.read(
            form.attached(session),
            form.queue(session, 9, Map.of("said", "once")),
            form.handled(session.handled()))
        .session();
  }

  @Test
  void theVersionIsReadAsItWasWritten() throws IOException {
    SavedSession session = session(3, Map.of("key", "value"));
    assertThat(form.read(whole(session), null, null).session()).isEqualTo(session);
    SavedSession attached = readAttached(session);
    assertThat(attached.version()).isEqualTo(new SessionVersion(3, 9, 7));
    assertThat(attached.values()).isEqualTo(Map.of("key", "value", "said", "once"));
  }

  /// The version before keeps the number of the last resumption among the values of modules.
  @Test
  void theVersionIsWhereTheProgramBeforeHasIt() throws IOException {
    SavedSession former = session(0, Map.of("resumptions", "3"));
    assertThat(whole(former)).isEqualTo(whole(session(3, Map.of())));
    assertThat(form.read(whole(former), null, null).session()).isEqualTo(session(3, Map.of()));
    assertThat(readAttached(former).version()).isEqualTo(new SessionVersion(3, 9, 7));
  }

  @Test
  void aSessionOfAnUnknownVersionIsNotRead() {
    for (String number : List.of("", "three", "-3")) {
      SavedSession unknown = session(0, Map.of("resumptions", number));
      assertThatThrownBy(() -> form.read(whole(unknown), null, null))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("unknown version");
      assertThatThrownBy(() -> readAttached(unknown)).isInstanceOf(IOException.class);
    }
  }
}
