package im.zonda.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StreamErrorCondition;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every value can be written and read again; bytes that are no value are rejected.
final class LinkCodecTest {
  private final LinkCodec form = new LinkCodec(1 << 20);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatIsWrittenToASessionIsReadAsItWas(long seed) throws LinkFormatException {
    AnyValues any = new AnyValues(new SplittableRandom(seed));
    for (int i = 0; i < 2_000; i++) {
      ToSession value = any.toSession();
      byte[] written = LinkCodec.write(value);
      ToSession read = form.readToSession(written);
      assertThat(read).hasSameClassAs(value);
      assertThat(LinkCodec.write(read)).isEqualTo(written);
      assertThat(AnyValues.text(read)).isEqualTo(AnyValues.text(value));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatIsWrittenToAStreamIsReadAsItWas(long seed) throws LinkFormatException {
    AnyValues any = new AnyValues(new SplittableRandom(seed));
    for (int i = 0; i < 2_000; i++) {
      ToStream value = any.toStream();
      byte[] written = LinkCodec.write(value);
      ToStream read = form.readToStream(written);
      assertThat(read).hasSameClassAs(value);
      assertThat(LinkCodec.write(read)).isEqualTo(written);
      assertThat(AnyValues.text(read)).isEqualTo(AnyValues.text(value));
    }
  }

  @Test
  void everyBeginningOfAValueIsRefused() {
    AnyValues any = new AnyValues(new SplittableRandom(5));
    for (int i = 0; i < 200; i++) {
      byte[] session = LinkCodec.write(any.toSession());
      byte[] stream = LinkCodec.write(any.toStream());
      for (int length = 0; length < session.length; length++) {
        byte[] part = Arrays.copyOf(session, length);
        assertThatThrownBy(() -> form.readToSession(part)).isInstanceOf(LinkFormatException.class);
      }
      for (int length = 0; length < stream.length; length++) {
        byte[] part = Arrays.copyOf(stream, length);
        assertThatThrownBy(() -> form.readToStream(part)).isInstanceOf(LinkFormatException.class);
      }
      byte[] more = Arrays.copyOf(session, session.length + 1);
      assertThatThrownBy(() -> form.readToSession(more)).isInstanceOf(LinkFormatException.class);
    }
  }

  @Test
  void anotherVersionAndAnUnknownKindAreRefused() {
    byte[] version = LinkCodec.write(new ToSession.Lost());
    version[0]++;
    assertThatThrownBy(() -> form.readToSession(version)).hasMessageContaining("version");
    byte[] kind = LinkCodec.write(new ToSession.Lost());
    kind[1] = 100;
    assertThatThrownBy(() -> form.readToSession(kind)).hasMessageContaining("kind");
    assertThatThrownBy(() -> form.readToStream(kind)).hasMessageContaining("kind");
  }

  /// While the nodes of a cluster are upgraded one after another. A stanza that takes all the rest
  /// has nothing behind it.
  @Test
  void fieldsThatALaterVersionHasAddedAreSkipped() throws LinkFormatException {
    AnyValues any = new AnyValues(new SplittableRandom(6));
    for (int i = 0; i < 500; i++) {
      ToSession toSession = any.toSession();
      if (!(toSession instanceof ToSession.Received)) {
        byte[] written = LinkCodec.write(toSession);
        assertThat(LinkCodec.write(form.readToSession(withAdded(written)))).isEqualTo(written);
      }
      ToStream toStream = any.toStream();
      if (!(toStream instanceof ToStream.Deliver)) {
        byte[] written = LinkCodec.write(toStream);
        assertThat(LinkCodec.write(form.readToStream(withAdded(written)))).isEqualTo(written);
      }
    }
  }

  /// Two fields: number 100 of three bytes, number 300 of none.
  private static byte[] withAdded(byte[] value) {
    byte[] all = Arrays.copyOf(value, value.length + 8);
    System.arraycopy(
        new byte[] {100, 3, 'n', 'e', 'w', (byte) 0xac, 2, 0}, 0, all, value.length, 8);
    return all;
  }

  private static ToSession.Resume resume(long sent, long handled) {
    return new ToSession.Resume(
        Jid.of("juliet@example.org"), "id", 4, false, new SessionVersion(3, sent, handled));
  }

  /// The count of handled stanzas is a field that a former version skips.
  @Test
  void aResumptionSaysHowManyStanzasWereHandled() throws LinkFormatException {
    for (long handled : new long[] {1, 300, Long.MAX_VALUE >>> 1}) {
      byte[] written = LinkCodec.write(resume(2, handled));
      byte[] without = LinkCodec.write(resume(2, 0));
      assertThat(form.readToSession(written)).isEqualTo(resume(2, handled));
      assertThat(form.readToSession(withAdded(written))).isEqualTo(resume(2, handled));
      assertThat(Arrays.copyOf(written, without.length)).isEqualTo(without);
      assertThat(written[without.length]).as("its name").isEqualTo((byte) 1);
      assertThat(written[without.length + 1])
          .as("its length")
          .isEqualTo((byte) (written.length - without.length - 2));
    }
  }

  @Test
  void aCountThatIsNoNumberIsRefused() {
    byte[] written = LinkCodec.write(resume(2, 1));
    byte[] longer = Arrays.copyOf(written, written.length + 1);
    longer[written.length - 2] = 2;
    assertThatThrownBy(() -> form.readToSession(longer)).hasMessageContaining("no number");
  }

  /// It does not say how many stanzas the client has been sent.
  @Test
  void aResumptionOfAFormerVersionIsRead() throws LinkFormatException {
    ToSession resume = resume(0, 0);
    byte[] written = LinkCodec.write(resume);
    byte[] former = Arrays.copyOf(written, written.length - 1);
    former[1] = 13;
    assertThat(form.readToSession(former)).isEqualTo(resume);
  }

  @Test
  void whatIsLongerThanTheBoundIsRefused() throws LinkFormatException {
    ToStream close = new ToStream.Close(StreamErrorCondition.CONFLICT, "x".repeat(100));
    byte[] written = LinkCodec.write(close);
    assertThat(new LinkCodec(written.length).readToStream(written)).isEqualTo(close);
    assertThatThrownBy(() -> new LinkCodec(written.length - 1).readToStream(written))
        .isInstanceOf(LinkFormatException.class);
  }

  @Test
  void aLengthThatIsOnlyClaimedAllocatesNothing() {
    // Version 1, kind 2 (Resume), an address of 2 to the power of 62 bytes.
    byte[] claim = {
      1,
      2,
      (byte) 0x80,
      (byte) 0x80,
      (byte) 0x80,
      (byte) 0x80,
      (byte) 0x80,
      (byte) 0x80,
      (byte) 0x80,
      (byte) 0x80,
      0x40,
      'a'
    };
    assertThatThrownBy(() -> form.readToSession(claim)).hasMessageContaining("longer than");
  }

  @Test
  void aNumberHasOneForm() {
    assertThatThrownBy(() -> form.readToSession(new byte[] {1, 6, (byte) 0x81, 0}))
        .isInstanceOf(LinkFormatException.class);
    assertThatThrownBy(() -> form.readToSession(new byte[] {1, 8, 2}))
        .hasMessageContaining("neither");
  }

  @Test
  void addressesAndConditionsAreChecked() {
    byte[] address = LinkCodec.write(new ToStream.Resumed(Jid.of("a@b/c"), 1, 2));
    address[3] = '@';
    assertThatThrownBy(() -> form.readToStream(address)).hasMessageContaining("address");
    byte[] condition = LinkCodec.write(new ToStream.NotBound(ErrorCondition.CONFLICT));
    condition[3] = 'X';
    assertThatThrownBy(() -> form.readToStream(condition)).hasMessageContaining("ErrorCondition");
  }
}
