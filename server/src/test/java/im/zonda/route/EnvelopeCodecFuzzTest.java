package im.zonda.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.module.Envelope;

/// Any bytes: they are rejected, or are an envelope that is written and read as the same one.
class EnvelopeCodecFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void anyBytes(byte[] data) throws EnvelopeFormatException {
    EnvelopeCodec form = new EnvelopeCodec(100_000);
    Envelope envelope;
    try {
      envelope = form.read(data, EnvelopeCodecTest.Written::new);
    } catch (EnvelopeFormatException e) {
      return;
    }
    Envelope again = form.read(form.write(envelope), EnvelopeCodecTest.Written::new);
    assertThat(EnvelopeCodecTest.xml(again.stanza()))
        .isEqualTo(EnvelopeCodecTest.xml(envelope.stanza()));
    assertThat(again.withStanza(envelope.stanza())).isEqualTo(envelope);
  }
}
