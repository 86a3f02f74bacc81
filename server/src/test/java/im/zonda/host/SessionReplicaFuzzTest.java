package im.zonda.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.home.session.MovingSession;
import im.zonda.home.session.SavedSession;
import im.zonda.home.session.SentEntries;
import im.zonda.jid.Jid;
import im.zonda.runtime.AllocatedBytes;
import im.zonda.stanza.Stanza;
import im.zonda.xml.ByteArraySink;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
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
  private static final BinarySessionReplicaCodec FORM = new BinarySessionReplicaCodec();

  private static final byte[] STATE =
      FORM.attached(
          new SavedSession(
              Jid.of("romeo@example.net/orchard"),
              "id",
              Instant.EPOCH,
              0,
              0,
              List.of(),
              null,
              false,
              SentEntries.NONE,
              0,
              Map.of("a", "b")));

  private static final byte[] HANDLED = FORM.handled(7);

  private static final Logger LOG = (Logger) LoggerFactory.getLogger(SessionCodec.class);

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
    MovingSession session = read(data, null, null);
    assertThat(AllocatedBytes.of(() -> read(data, null, null)))
        .isLessThan(AllocatedBytes.allowed(data));
    if (session != null) {
      assertThat(text(FORM.read(FORM.whole(session), null, null))).isEqualTo(text(session));
    }
  }

  @FuzzTest(maxDuration = "2m")
  void anyQueue(byte[] data) throws IOException {
    MovingSession session = read(STATE, data, HANDLED);
    assertThat(AllocatedBytes.of(() -> read(STATE, data, HANDLED)))
        .isLessThan(AllocatedBytes.allowed(data));
    if (session != null) {
      byte[] queue =
          FORM.queue(
              session.session(),
              session.replicatedUpTo().orElseThrow(),
              session.session().values());
      assertThat(text(FORM.read(STATE, queue, HANDLED))).isEqualTo(text(session));
    }
  }

  private static @Nullable MovingSession read(
      byte[] state, byte @Nullable [] queue, byte @Nullable [] handled) {
    try {
      return FORM.read(state, queue, handled);
    } catch (IOException e) {
      return null;
    }
  }

  private static String text(MovingSession moving) {
    SavedSession session = moving.session();
    StringBuilder text = new StringBuilder();
    text.append(session.jid()).append(' ').append(session.id()).append(' ');
    text.append(session.until()).append(' ').append(session.handled()).append(' ');
    text.append(session.acknowledged()).append(' ').append(session.catchingUp()).append(' ');
    for (SavedSession.Sent sent : session.unacknowledged()) {
      text.append(sent.time()).append(xml(sent.stanza()));
    }
    text.append(session.presence() == null ? "" : xml(session.presence()));
    text.append(session.sent().upTo()).append(new TreeSet<>(session.sent().others()));
    text.append(session.version())
        .append(new TreeMap<>(session.values()))
        .append(moving.received());
    text.append(moving.pending()).append(moving.replicatedUpTo());
    return text.append(moving.possiblyHandledSince()).toString();
  }

  private static String xml(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(256);
    stanza.writeTo(sink);
    return new String(sink.toByteArray(), UTF_8);
  }
}
