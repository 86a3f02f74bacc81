package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.jid.Jid;
import im.zonda.runtime.AllocatedBytes;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
      assertThat(parts(CODEC.read(CODEC.whole(session), null, null))).isEqualTo(parts(session));
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
      assertThat(parts(CODEC.read(STATE, queue, HANDLED))).isEqualTo(parts(session));
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

  /// What a session consists of. Stanzas are compared as elements: attributes have no order.
  private static List<@Nullable Object> parts(SessionSnapshot session) {
    SessionSnapshot.State state = session.state();
    List<@Nullable Object> parts = new ArrayList<>();
    parts.addAll(Arrays.asList(state.jid(), state.id(), session.until(), session.version()));
    parts.add(session.sent().acknowledged());
    for (SessionSnapshot.SentStanza sent : session.sent().unacknowledged()) {
      parts.addAll(List.of(sent.time(), sent.stanza().toElement()));
    }
    parts.add(state.presence() == null ? null : state.presence().toElement());
    parts.addAll(List.of(session.log().catchingUp(), session.log().sent().upTo()));
    parts.add(new TreeSet<>(session.log().sent().others()));
    parts.addAll(Arrays.asList(state.values(), session.received()));
    parts.add(session.certainty());
    return parts;
  }
}
