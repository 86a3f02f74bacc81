package im.zonda.host;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.session.KeptState;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshot.Certainty;
import im.zonda.home.session.SessionSnapshot.SentStanza;
import im.zonda.home.session.SessionSnapshot.State;
import im.zonda.home.session.SessionSnapshotCodec;
import im.zonda.home.session.TestSnapshot;
import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The bytes of snapshots as the version before writes them: they are written and read unchanged.
final class SessionBytesTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcón");

  /// The restart file of [#full] and [#bare].
  private static final String FILE =
      """
      WkYAAVpTAAYAAAHkAAAAGmp1bGlldEBleGFtcGxlLm9yZy9iYWxjw7NuABNhR0Z6YUNCdlppQjBhR1Vn
      YVdRAAABmtRlTXsAAAAAAAAABwAAAAAAAAAJAAAAAgAAAZrOb2wBAAAAcjxtZXNzYWdlIGZyb209J3Jv
      bWVvQGV4YW1wbGUub3JnL29yY2hhcmQnIHRvPSdqdWxpZXRAZXhhbXBsZS5vcmcvYmFsY29ueScgdHlw
      ZT0nY2hhdCc+PGJvZHk+Zmlyc3Q8L2JvZHk+PC9tZXNzYWdlPgAAAZrOb2wCAAAATTxpcSBmcm9tPSdl
      eGFtcGxlLm9yZycgdG89J2p1bGlldEBleGFtcGxlLm9yZy9iYWxjw7NuJyBpZD0nNycgdHlwZT0ncmVz
      dWx0Jy8+AAAAeDxwcmVzZW5jZSBmcm9tPSdqdWxpZXRAZXhhbXBsZS5vcmcvYmFsY8Ozbic+PHNob3c+
      YXdheTwvc2hvdz48c3RhdHVzPsOgICZsdDsgYjwvc3RhdHVzPjxwcmlvcml0eT41PC9wcmlvcml0eT48
      L3ByZXNlbmNlPgEAAAAAAAAAWgAAAAEAAAAAAAAAXwAAAAIAB2NhcmJvbnMAAAAEdHJ1ZQALcmVzdW1w
      dGlvbnMAAAAHMzE0NTcyOAAAAFIAAAAZcm9tZW9AZXhhbXBsZS5uZXQvb3JjaGFyZAACaWQAAAAAAAAA
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/////wAAAAAHGZqp
      """;

  /// The session of [#moving].
  private static final String MOVING =
      """
      WlMACAAAAAAAAAAKAAAAAgAAAAAAAAAIAAAAAAAAAAoAAAAAAAAACgAAAZrIeYsAAAAAGmp1bGlldEBl
      eGFtcGxlLm9yZy9iYWxjw7NuABNhR0Z6YUNCdlppQjBhR1VnYVdRAAABmtRlTXsAAAAAAAAABwAAAAAA
      AAAJAAAAAgAAAZrOb2wBAAAAcjxtZXNzYWdlIGZyb209J3JvbWVvQGV4YW1wbGUub3JnL29yY2hhcmQn
      IHRvPSdqdWxpZXRAZXhhbXBsZS5vcmcvYmFsY29ueScgdHlwZT0nY2hhdCc+PGJvZHk+Zmlyc3Q8L2Jv
      ZHk+PC9tZXNzYWdlPgAAAZrOb2wCAAAATTxpcSBmcm9tPSdleGFtcGxlLm9yZycgdG89J2p1bGlldEBl
      eGFtcGxlLm9yZy9iYWxjw7NuJyBpZD0nNycgdHlwZT0ncmVzdWx0Jy8+AAAAeDxwcmVzZW5jZSBmcm9t
      PSdqdWxpZXRAZXhhbXBsZS5vcmcvYmFsY8Ozbic+PHNob3c+YXdheTwvc2hvdz48c3RhdHVzPsOgICZs
      dDsgYjwvc3RhdHVzPjxwcmlvcml0eT41PC9wcmlvcml0eT48L3ByZXNlbmNlPgEAAAAAAAAAWgAAAAEA
      AAAAAAAAXwAAAAIAB2NhcmJvbnMAAAAEdHJ1ZQALcmVzdW1wdGlvbnMAAAAHMzE0NTcyOA==
      """;

  /// [#bare], all of whose stanzas are handled.
  private static final String COMPLETE =
      """
      WlMACAAAAAAAAAAAAAAAAP////////////////////8AAAAZcm9tZW9AZXhhbXBsZS5uZXQvb3JjaGFy
      ZAACaWQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
      """;

  /// The replica of [#full] without a stream.
  private static final String DETACHED =
      """
      WlMACP//////////AAAAAP////////////////////8AAAAaanVsaWV0QGV4YW1wbGUub3JnL2JhbGPD
      s24AE2FHRnphQ0J2WmlCMGFHVWdhV1EAAAGa1GVNewAAAAAAAAAHAAAAAAAAAAkAAAACAAABms5vbAEA
      AAByPG1lc3NhZ2UgZnJvbT0ncm9tZW9AZXhhbXBsZS5vcmcvb3JjaGFyZCcgdG89J2p1bGlldEBleGFt
      cGxlLm9yZy9iYWxjb255JyB0eXBlPSdjaGF0Jz48Ym9keT5maXJzdDwvYm9keT48L21lc3NhZ2U+AAAB
      ms5vbAIAAABNPGlxIGZyb209J2V4YW1wbGUub3JnJyB0bz0nanVsaWV0QGV4YW1wbGUub3JnL2JhbGPD
      s24nIGlkPSc3JyB0eXBlPSdyZXN1bHQnLz4AAAB4PHByZXNlbmNlIGZyb209J2p1bGlldEBleGFtcGxl
      Lm9yZy9iYWxjw7NuJz48c2hvdz5hd2F5PC9zaG93PjxzdGF0dXM+w6AgJmx0OyBiPC9zdGF0dXM+PHBy
      aW9yaXR5PjU8L3ByaW9yaXR5PjwvcHJlc2VuY2U+AQAAAAAAAABaAAAAAQAAAAAAAABfAAAAAgAHY2Fy
      Ym9ucwAAAAR0cnVlAAtyZXN1bXB0aW9ucwAAAAczMTQ1NzI4
      """;

  /// The state of [#full] with a stream.
  private static final String STATE =
      """
      WlMACQAAABpqdWxpZXRAZXhhbXBsZS5vcmcvYmFsY8OzbgATYUdGemFDQnZaaUIwYUdVZ2FXUQAAAZrU
      ZU17AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB4PHByZXNlbmNlIGZyb209J2p1bGlldEBleGFtcGxlLm9y
      Zy9iYWxjw7NuJz48c2hvdz5hd2F5PC9zaG93PjxzdGF0dXM+w6AgJmx0OyBiPC9zdGF0dXM+PHByaW9y
      aXR5PjU8L3ByaW9yaXR5PjwvcHJlc2VuY2U+AQAAAAAAAAAAAAAAAAAAAAIAB2NhcmJvbnMAAAAEdHJ1
      ZQALcmVzdW1wdGlvbnMAAAAHMzE0NTcyOA==
      """;

  /// Its queue.
  private static final String QUEUE =
      """
      AAAAAAAAAAoAAAAAAAAACQAAAAAAAABaAAAAAQAAAAAAAABfAAAAAgAAAZrOb2wBAAAAcjxtZXNzYWdl
      IGZyb209J3JvbWVvQGV4YW1wbGUub3JnL29yY2hhcmQnIHRvPSdqdWxpZXRAZXhhbXBsZS5vcmcvYmFs
      Y29ueScgdHlwZT0nY2hhdCc+PGJvZHk+Zmlyc3Q8L2JvZHk+PC9tZXNzYWdlPgAAAZrOb2wCAAAATTxp
      cSBmcm9tPSdleGFtcGxlLm9yZycgdG89J2p1bGlldEBleGFtcGxlLm9yZy9iYWxjw7NuJyBpZD0nNycg
      dHlwZT0ncmVzdWx0Jy8+AAAAAQAEc2FpZAAAAARvbmNl
      """;

  /// Its count.
  private static final String RESUMED =
      """
      AAAAAAAwAAA=
      """;

  private static final String HANDLED =
      """
      AAAAAAAAAAc=
      """;

  private final SessionSnapshotCodec codec = new SessionSnapshotCodec();

  @TempDir private Path folder;

  private static Presence presence() {
    return (Presence)
        TestStanzas.of(
            "<presence from='juliet@example.org/balcón'><show>away</show><status>à &lt; b</status>"
                + "<priority>5</priority></presence>");
  }

  private static TestSnapshot full() {
    return TestSnapshot.of(JULIET, "aGFzaCBvZiB0aGUgaWQ", Instant.ofEpochMilli(1_764_500_000_123L))
        .handled(7)
        .acknowledged(9)
        .resumptions(3 << 20)
        .sent(
            List.of(
                new SentStanza(
                    TestStanzas.message("first"), Instant.ofEpochMilli(1_764_400_000_001L)),
                new SentStanza(
                    TestStanzas.of(
                        "<iq from='example.org' to='juliet@example.org/balcón' type='result'"
                            + " id='7'/>"),
                    Instant.ofEpochMilli(1_764_400_000_002L))))
        .presence(presence())
        .catchingUp(new SentEntries(90, Set.of(95L)))
        .values(Map.of("carbons", "true"));
  }

  private static SessionSnapshot bare() {
    return TestSnapshot.of(Jid.of("romeo@example.net/orchard"), "id", Instant.EPOCH).saved();
  }

  private static SessionSnapshot moving() {
    return full()
        .moving(
            10,
            Set.of(8L, 10L),
            new Certainty(OptionalLong.of(10), OptionalLong.of(1_764_300_000_000L)));
  }

  private static byte[] bytes(String base64) {
    return Base64.getMimeDecoder().decode(base64);
  }

  private static String text(byte[] bytes) {
    return Base64.getMimeEncoder(80, new byte[] {'\n'}).encodeToString(bytes) + "\n";
  }

  @Test
  void theRestartFile() throws IOException {
    SavedStateFiles files = new SavedStateFiles(folder);
    Path file = folder.resolve("sessions");
    files.saveSessions(List.of(full().saved(), bare()));
    assertThat(text(Files.readAllBytes(file))).isEqualTo(FILE);
    Files.write(file, bytes(FILE));
    List<SessionSnapshot> read = files.takeSessions();
    assertThat(text(codec.whole(read.getFirst()))).isEqualTo(text(codec.whole(full().saved())));
    assertThat(read.getLast()).isEqualTo(bare());
  }

  private SessionSnapshot read(String whole) throws IOException {
    return codec.read(bytes(whole), null, null);
  }

  @Test
  void aSessionThatMoves() throws IOException {
    assertThat(text(codec.whole(moving()))).isEqualTo(MOVING);
    SessionSnapshot read = read(MOVING);
    assertThat(text(codec.whole(read))).isEqualTo(MOVING);
    assertThat(read.isReplica()).isFalse();
    assertThat(read.received().pending()).containsExactly(8L, 10L);
    assertThat(text(codec.whole(bare()))).isEqualTo(COMPLETE);
    assertThat(read(COMPLETE)).isEqualTo(bare());
  }

  @Test
  void aReplicaOfASessionWithoutAStream() throws IOException {
    assertThat(text(codec.whole(full().replica()))).isEqualTo(DETACHED);
    SessionSnapshot read = read(DETACHED);
    assertThat(text(codec.whole(read))).isEqualTo(DETACHED);
    assertThat(read.isReplica()).isTrue();
  }

  @Test
  void aReplicaOfASessionWithAStream() throws IOException {
    SessionSnapshot full = full().replica();
    assertThat(text(codec.attached(full.state(), full.until(), true))).isEqualTo(STATE);
    assertThat(text(queue(full))).isEqualTo(QUEUE);
    assertThat(text(codec.handled(7))).isEqualTo(HANDLED);
    SessionSnapshot read = codec.read(bytes(STATE), bytes(QUEUE), bytes(HANDLED));
    assertThat(read.version()).isEqualTo(full.version());
    assertThat(read.state().values()).isEqualTo(Map.of("carbons", "true", "said", "once"));
    assertThat(read.log()).isEqualTo(full.log());
    assertThat(read.certainty().replicatedUpTo()).hasValue(10);
    assertThat(text(queue(read))).isEqualTo(QUEUE);
  }

  private byte[] queue(SessionSnapshot session) {
    return codec.queue(session.sent(), session.log().sent(), 10, Map.of("said", "once"));
  }

  private static String written(
      String id,
      long resumptions,
      @Nullable Presence presence,
      Map<String, String> values,
      long readUpTo) {
    State state = new State(JULIET, id, resumptions, presence, values);
    return new KeptState(state, readUpTo).write();
  }

  @Test
  void theNumberOfAResumption() throws IOException {
    assertThat(text(codec.resumed(3 << 20))).isEqualTo(RESUMED);
    assertThat(codec.readResumed(bytes(RESUMED))).isEqualTo(3 << 20);
    assertThat(SessionSnapshotCodec.Section.RESUMED.key("id")).isEqualTo("id#resumed");
  }

  @Test
  void theStateAtTheKeeper() {
    String written =
        "<session xmlns='urn:zonda:session' jid='juliet@example.org/balcón' id='id' read='93'>"
            + "<presence>&lt;presence from='juliet@example.org/balcón'&gt;&lt;show&gt;away"
            + "&lt;/show&gt;&lt;status&gt;à &amp;lt; b&lt;/status&gt;&lt;priority&gt;5"
            + "&lt;/priority&gt;&lt;/presence&gt;</presence><value name='b'>é&lt;</value>"
            + "<value name='carbons'>true</value><value name='resumptions'>3145728</value>"
            + "</session>";
    assertThat(written("id", 3 << 20, presence(), Map.of("carbons", "true", "b", "é<"), 93))
        .isEqualTo(written);
    assertThat(Objects.requireNonNull(KeptState.read(written)).write()).isEqualTo(written);
    assertThat(written("id", 0, null, Map.of(), 0))
        .isEqualTo("<session xmlns='urn:zonda:session' jid='juliet@example.org/balcón' id='id'/>");
  }
}
