package im.zonda.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.module.Envelope;
import im.zonda.runtime.AllocatedBytes;
import org.jspecify.annotations.Nullable;

/// Any bytes: they are rejected, or are an envelope that is written and read as the same one. Runs
/// the committed seeds; `./zonda test --fuzz` searches for more.
class EnvelopeCodecFuzzTest {
  private static final EnvelopeCodec FORM = new EnvelopeCodec(100_000);

  @FuzzTest(maxDuration = "2m")
  void anyBytes(byte[] data) throws EnvelopeFormatException {
    Envelope envelope = read(data);
    assertThat(AllocatedBytes.of(() -> read(data))).isLessThan(AllocatedBytes.allowed(data));
    if (envelope != null) {
      Envelope again = FORM.read(FORM.write(envelope), EnvelopeCodecTest.Written::new);
      // Not their texts: attributes have no order.
      assertThat(again.stanza().toElement()).isEqualTo(envelope.stanza().toElement());
      assertThat(again.withStanza(envelope.stanza())).isEqualTo(envelope);
    }
  }

  private static @Nullable Envelope read(byte[] data) {
    try {
      return FORM.read(data, EnvelopeCodecTest.Written::new);
    } catch (EnvelopeFormatException e) {
      return null;
    }
  }
}
