package im.zonda.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.module.Envelope;

/// Any bytes: they are rejected, or are an envelope that is written and read as the same one.
class EnvelopeFormFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void anyBytes(byte[] data) throws EnvelopeFormatException {
    EnvelopeForm form = new EnvelopeForm(100_000);
    Envelope envelope;
    try {
      envelope = form.read(data, EnvelopeFormTest.Written::new);
    } catch (EnvelopeFormatException e) {
      return;
    }
    Envelope again = form.read(form.write(envelope), EnvelopeFormTest.Written::new);
    assertThat(EnvelopeFormTest.xml(again.stanza()))
        .isEqualTo(EnvelopeFormTest.xml(envelope.stanza()));
    assertThat(again.withStanza(envelope.stanza())).isEqualTo(envelope);
  }
}
