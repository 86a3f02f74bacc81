package im.zonda.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshotCodec;
import im.zonda.home.session.TestSnapshot;
import im.zonda.jid.Jid;
import im.zonda.link.SessionVersion;
import im.zonda.module.SavedState;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a clean stop writes and the next start reads: one bad entry costs itself alone.
final class RestartFileTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");

  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    file = folder.resolve("words");
  }

  /// Words; those that begin with `unwritable` or `unreadable` are what they say.
  private static final class Words implements SavedState.Codec<String> {
    @Override
    public String name() {
      return "words";
    }

    @Override
    public int version() {
      return 7;
    }

    @Override
    public void write(String entry, DataOutput out) throws IOException {
      out.writeUTF(entry);
      if (entry.startsWith("unwritable")) {
        throw new IOException("made to fail by the test");
      }
      out.writeInt(entry.length());
    }

    @Override
    public String read(DataInput in) throws IOException {
      String entry = in.readUTF();
      if (entry.startsWith("unreadable")) {
        throw new IllegalStateException("made to fail by the test");
      }
      if (in.readInt() != entry.length()) {
        throw new IOException("not where it should be");
      }
      return entry;
    }
  }

  private RestartFile<String> words() {
    return new RestartFile<>(file, new Words());
  }

  @Test
  void entriesAreReadOnce() {
    words().write(List.of("a", "b"));
    assertThat(words().take()).containsExactly("a", "b");
    assertThat(words().take()).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void anEntryThatCannotBeReadCostsItselfAlone() {
    words().write(List.of("unreadable 1", "a", "unreadable 2", "b"));
    assertThat(words().take()).containsExactly("a", "b");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void anEntryThatCannotBeWrittenCostsItselfAlone() {
    words().write(List.of("a", "unwritable", "b"));
    assertThat(words().take()).containsExactly("a", "b");
  }

  @Test
  void aDamagedFileIsDiscarded() throws IOException {
    words().write(List.of("a", "b"));
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 20] ^= 1;
    Files.write(file, bytes);
    assertThat(words().take()).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFileThatWasCutIsDiscarded() throws IOException {
    words().write(List.of("a", "b"));
    byte[] bytes = Files.readAllBytes(file);
    for (int length = 0; length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThat(words().take()).isEmpty();
    }
  }

  /// The file of a server before entries had lengths.
  @Test
  void theFormerLayoutIsRead() throws IOException {
    Files.write(file, former(new Words(), List.of("a", "b")));
    assertThat(words().take()).containsExactly("a", "b");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void anotherVersionIsDiscarded() throws IOException {
    byte[] bytes = former(new Words(), List.of("a"));
    bytes[3]++;
    Files.write(file, bytes);
    assertThat(words().take()).isEmpty();
  }

  private static <T> byte[] former(SavedState.Codec<T> form, List<T> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(form.version());
    out.writeInt(entries.size());
    for (T entry : entries) {
      form.write(entry, out);
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes.toByteArray());
    out.writeLong(crc.getValue());
    return bytes.toByteArray();
  }

  // ---- sessions

  private RestartFile<SessionSnapshot> sessions() {
    return new RestartFile<>(folder.resolve("sessions"), new SessionSnapshotCodec());
  }

  /// Makes what begins with that word unreadable in the file, in place.
  private void spoil(String word) throws IOException {
    Path saved = folder.resolve("sessions");
    String before = new String(Files.readAllBytes(saved), ISO_8859_1);
    String after = before.replace("<" + word + ">", "<" + word + "<");
    assertThat(after).isNotEqualTo(before);
    byte[] bytes = after.getBytes(ISO_8859_1);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - Long.BYTES);
    ByteBuffer.wrap(bytes).putLong(bytes.length - Long.BYTES, crc.getValue());
    Files.write(saved, bytes);
  }

  private static Presence presence(String status) {
    return (Presence) TestStanzas.of("<presence><status>" + status + "</status></presence>");
  }

  @Test
  void aSessionComesBackAsItWas() {
    sessions().write(List.of(session(JULIET, presence("here"), List.of(TestStanzas.message("1")))));
    assertThat(sessions().take())
        .singleElement()
        .satisfies(each -> {
          assertThat(each)
              .usingRecursiveComparison()
              .ignoringFields("state.presence", "sent.unacknowledged")
              .isEqualTo(session(JULIET, null, List.of()));
          assertThat(TestStanzas.text(Objects.requireNonNull(each.state().presence())))
              .isEqualTo("here");
          assertThat(texts(each)).containsExactly("1");
        });
  }

  private static List<String> texts(SessionSnapshot session) {
    return session.sent().unacknowledged().stream()
        .map(sent -> TestStanzas.text(sent.stanza()))
        .toList();
  }

  @Test
  void aStanzaThatCannotBeReadCostsItselfAloneAndKeepsItsNumber() throws IOException {
    Stanza unreadable =
        TestStanzas.of(
            "<message from='romeo@example.org/orchard' to='juliet@example.org'><subject>s</subject>"
                + "</message>");
    sessions()
        .write(
            List.of(
                session(
                    JULIET,
                    presence("here"),
                    List.of(TestStanzas.message("1"), unreadable, TestStanzas.message("3"))),
                session(ROMEO, null, List.of(TestStanzas.message("4")))));
    spoil("subject");
    List<SessionSnapshot> taken = sessions().take();
    assertThat(taken).extracting(SessionSnapshot::jid).containsExactly(JULIET, ROMEO);
    assertThat(texts(taken.getFirst())).containsExactly("1", "message", "3");
    assertThat(taken.getFirst().sent().unacknowledged().get(1).stanza())
        .isInstanceOfSatisfying(
            Message.class, message -> assertThat(message.from()).isEqualTo(ROMEO));
    assertThat(texts(taken.getLast())).containsExactly("4");
  }

  /// The client believes that it is available, and so do its contacts.
  @Test
  void aPresenceThatCannotBeReadLeavesItsSessionAvailable() throws IOException {
    sessions()
        .write(
            List.of(session(JULIET, presence("here"), List.of()), session(ROMEO, null, List.of())));
    spoil("status");
    List<SessionSnapshot> taken = sessions().take();
    assertThat(taken).hasSize(2);
    assertThat(taken.getFirst().state().presence())
        .isNotNull()
        .satisfies(presence -> {
          assertThat(Objects.requireNonNull(presence).type()).isEqualTo(Presence.Type.AVAILABLE);
          assertThat(presence.payloads()).isEmpty();
        });
    assertThat(taken.getLast().state().presence()).isNull();
  }

  @Test
  void sessionsOfTheFormerLayoutAreRead() throws IOException {
    List<SessionSnapshot> all =
        List.of(
            session(JULIET, presence("here"), List.of(TestStanzas.message("1"))),
            session(ROMEO, null, List.of()));
    Files.write(folder.resolve("sessions"), former(new SessionSnapshotCodec(), all));
    spoil("status");
    assertThat(sessions().take()).extracting(SessionSnapshot::jid).containsExactly(JULIET, ROMEO);
  }

  /// The version before keeps the number of the last resumption among the values of modules.
  @Test
  void theVersionOfASessionIsReadWhereTheVersionBeforeWritesIt() {
    sessions().write(List.of(session(JULIET, 0, Map.of("key", "value", "resumptions", "2"))));
    SessionSnapshot taken = sessions().take().getFirst();
    assertThat(taken).isEqualTo(session(JULIET, 2, Map.of("key", "value")));
    assertThat(taken.version()).isEqualTo(new SessionVersion(2, 4, 3));
  }

  /// It would count as older than all others.
  @Test
  void aSessionOfAnUnknownVersionCostsItselfAlone() {
    sessions()
        .write(
            List.of(session(JULIET, 0, Map.of("resumptions", "two")), session(ROMEO, 1, Map.of())));
    assertThat(sessions().take()).extracting(SessionSnapshot::jid).containsExactly(ROMEO);
  }

  private static SessionSnapshot session(Jid jid, long resumptions, Map<String, String> values) {
    return TestSnapshot.of(jid, "id", Instant.ofEpochSecond(60))
        .handled(3)
        .acknowledged(4)
        .resumptions(resumptions)
        .values(values)
        .saved();
  }

  private static SessionSnapshot session(
      Jid jid, @Nullable Presence presence, List<Stanza> unacknowledged) {
    return TestSnapshot.of(jid, "id of " + jid, Instant.ofEpochSecond(60))
        .handled(3)
        .acknowledged(4)
        .sent(Instant.ofEpochSecond(5), unacknowledged)
        .presence(presence)
        .catchingUp(new SentEntries(9, Set.of(11L)))
        .resumptions(2)
        .values(Map.of("key", "value"))
        .saved();
  }
}
