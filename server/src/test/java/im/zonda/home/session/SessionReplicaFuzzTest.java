package im.zonda.home.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.jid.Jid;
import im.zonda.runtime.AllocatedBytes;
import im.zonda.stanza.Stanza;
import im.zonda.xml.ByteArraySink;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.slf4j.LoggerFactory;

/// Any bytes in place of a session from another node, or of its queue: they are rejected, or are a
/// session that is written and read as the same one. Runs the committed seeds; `./zonda test
/// --fuzz` searches for more.
class SessionReplicaFuzzTest {
  private static final SessionSnapshotCodec CODEC = new SessionSnapshotCodec();

  private static final byte[] STATE =
      CODEC.attached(
          TestSnapshot.of(Jid.of("romeo@example.org/orchard"), "id", Instant.EPOCH)
              .values(Map.of("a", "b"))
              .replica()
              .state(),
          Instant.EPOCH,
          false);

  private static final byte[] HANDLED = CODEC.handled(7);

  private static final Logger LOG = (Logger) LoggerFactory.getLogger(SessionSnapshotCodec.class);

  /// Each stanza that cannot be read is an error in the log.
  @BeforeAll
  static void logNothing() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void logAgain() {
    LOG.setLevel(null);
  }

  @FuzzTest(maxDuration = "2m")
  void anySession(byte[] data) throws IOException {
    SessionSnapshot session = read(data, null, null);
    assertThat(AllocatedBytes.of(() -> read(data, null, null)))
        .isLessThan(AllocatedBytes.allowed(data));
    if (session != null) {
      assertThat(text(CODEC.read(CODEC.whole(session), null, null))).isEqualTo(text(session));
    }
  }

  @FuzzTest(maxDuration = "2m")
  void anyQueue(byte[] data) throws IOException {
    SessionSnapshot session = read(STATE, data, HANDLED);
    assertThat(AllocatedBytes.of(() -> read(STATE, data, HANDLED)))
        .isLessThan(AllocatedBytes.allowed(data));
    if (session != null) {
      byte[] queue =
          CODEC.queue(
              session.sent(),
              session.log().sent(),
              session.certainty().replicatedUpTo().orElseThrow(),
              session.state().values());
      assertThat(text(CODEC.read(STATE, queue, HANDLED))).isEqualTo(text(session));
    }
  }

  private static @Nullable SessionSnapshot read(
      byte[] state, byte @Nullable [] queue, byte @Nullable [] handled) {
    try {
      return CODEC.read(state, queue, handled);
    } catch (IOException e) {
      return null;
    }
  }

  private static String text(SessionSnapshot session) {
    SessionSnapshot.State state = session.state();
    StringBuilder text = new StringBuilder();
    text.append(state.jid()).append(' ').append(state.id()).append(' ').append(session.until());
    text.append(' ').append(session.sent().acknowledged()).append(' ').append(session.version());
    for (SessionSnapshot.SentStanza sent : session.sent().unacknowledged()) {
      text.append(sent.time()).append(xml(sent.stanza()));
    }
    text.append(state.presence() == null ? "" : xml(state.presence()));
    text.append(session.log().catchingUp()).append(session.log().sent().upTo());
    text.append(new TreeSet<>(session.log().sent().others()));
    text.append(new TreeMap<>(state.values())).append(session.received());
    return text.append(session.certainty()).toString();
  }

  private static String xml(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(256);
    stanza.writeTo(sink);
    return new String(sink.toByteArray(), UTF_8);
  }
}
