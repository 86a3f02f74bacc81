package im.zonda.storage.sql.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.storage.sql.log.StoredMessage.DamagedRow;
import im.zonda.store.MessageLog;
import im.zonda.xml.ByteArraySink;

/// Any bytes in the column of a stanza: they are damage, or a stanza that is written and read as
/// the same one; and no row is read whose checksum is another. Runs the committed seeds; `./zonda
/// test --fuzz` searches for more.
class StoredMessageFuzzTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net/balcony");
  private static final long OWNER = 7;
  private static final long ID = 1_790_000_000_000_000L;

  @FuzzTest(maxDuration = "2m")
  void anyMessage(byte[] data) throws DamagedRow {
    Message message;
    try {
      message = StoredMessage.message(data);
    } catch (DamagedRow e) {
      return;
    }
    byte[] written = bytes(message);
    assertThat(StoredMessage.message(written).toElement()).isEqualTo(message.toElement());
    long checksum = StoredMessage.checksum(ID, OWNER, JULIET, data);
    MessageLog.Entry entry = entry(ID, data, checksum);
    assertThat(entry.id()).isEqualTo(ID);
    assertThat(entry.with()).isEqualTo(JULIET);
    assertThat(entry.message().toElement()).isEqualTo(message.toElement());
    assertThatThrownBy(() -> entry(ID + 1, data, checksum)).isInstanceOf(DamagedRow.class);
    assertThatThrownBy(() -> entry(ID, data, checksum ^ 1)).isInstanceOf(DamagedRow.class);
  }

  private static MessageLog.Entry entry(long id, byte[] stanza, long checksum) throws DamagedRow {
    return StoredMessage.entry(ROMEO, OWNER, id, JULIET.toString(), stanza, checksum);
  }

  @FuzzTest(maxDuration = "2m")
  void anyPresence(byte[] data) throws DamagedRow {
    Presence presence;
    try {
      presence = StoredMessage.presence(data);
    } catch (DamagedRow e) {
      return;
    }
    assertThat(StoredMessage.presence(bytes(presence)).toElement()).isEqualTo(presence.toElement());
  }

  private static byte[] bytes(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(256);
    stanza.writeTo(sink);
    return sink.toByteArray();
  }
}
