package im.zonda.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EnvelopeCodecTest {
  private static final Jid ROMEO = Jid.of("romeo@montague.example/orchard");
  private static final Jid JULIET = Jid.of("juliet@capulet.example");
  private static final Jid BALCONY = Jid.of("juliet@capulet.example/balcony");
  private static final Jid CHAMBER = Jid.of("juliet@capulet.example/chamber");
  private static final Jid NURSE = Jid.of("nurse@capulet.example/kitchen");

  private final EnvelopeCodec form = new EnvelopeCodec(10_000);

  /// An origin that is nothing but its identity.
  record Written(Jid session, long number) implements Origin {
    @Override
    public @Nullable InboundFlow flow() {
      return null;
    }

    @Override
    public boolean acknowledges() {
      return true;
    }

    @Override
    public void hold() {}

    @Override
    public void release() {}
  }

  static String xml(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(256);
    stanza.writeTo(sink);
    return new String(sink.toByteArray(), StandardCharsets.UTF_8);
  }

  private static Envelope any(SplittableRandom random) {
    Element payload =
        Element.builder("urn:test", "x")
            .attribute("a", "<&>'\"" + random.nextInt())
            .child("text", "ä€😀".repeat(random.nextInt(20)))
            .build();
    String id = random.nextBoolean() ? null : "id" + random.nextInt();
    Stanza stanza =
        switch (random.nextInt(3)) {
          case 0 -> Message.of(Message.Type.CHAT, ROMEO, JULIET, id, List.of(payload));
          case 1 -> Presence.of(Presence.Type.AVAILABLE, ROMEO, JULIET, id, List.of(payload));
          default -> Iq.of(Iq.Type.SET, ROMEO, JULIET, "q" + random.nextInt(), payload);
        };
    Origin origin = random.nextBoolean() ? Origin.NONE : new Written(ROMEO, random.nextLong());
    Envelope one = new Envelope(stanza, origin, random.nextBoolean() ? null : NURSE);
    return switch (random.nextInt(3)) {
      case 0 -> one;
      case 1 -> one.withSessions(List.of(BALCONY, CHAMBER));
      default -> one.withSessions(List.of(CHAMBER, BALCONY, NURSE));
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whatWasWrittenIsReadBack(long seed) throws Exception {
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      Envelope envelope = any(random);
      Envelope read = form.read(form.write(envelope), Written::new);

      assertThat(xml(read.stanza())).isEqualTo(xml(envelope.stanza()));
      assertThat(read.withStanza(envelope.stanza())).isEqualTo(envelope);
    }
  }

  /// Programs that know version 1 alone read all that is for one session.
  @Test
  void anEnvelopeForOneSessionHasVersion1() throws Exception {
    String chat = "<message from='a@b/c' to='d@e/f' type='chat' id='1'/>";
    byte[] first =
        HexFormat.of().parseHex("01" + "000461406263" + "0000" + "0000000000000007" + "00000035");
    byte[] bytes = Arrays.copyOf(first, first.length + chat.length());
    System.arraycopy(chat.getBytes(StandardCharsets.UTF_8), 0, bytes, first.length, chat.length());

    Envelope read = form.read(bytes, Written::new);
    assertThat(read.others()).isEmpty();
    assertThat(read.author()).isEqualTo(Jid.of("a@bc"));
    assertThat(form.write(read.withSessions(List.of(BALCONY)))[0]).isEqualTo((byte) 1);
    assertThat(form.write(read.withSessions(List.of(BALCONY, CHAMBER)))[0]).isEqualTo((byte) 2);
  }

  @Test
  void anEnvelopeForSeveralSessionsHasSeveral() {
    Message message = Message.of(Message.Type.CHAT, ROMEO, BALCONY, null, List.of());
    byte[] bytes = form.write(Envelope.of(message).withSessions(List.of(BALCONY, CHAMBER)));
    int at = 1 + 2 + 2 + 8; // behind version, author, session and number
    assertThat(bytes[at + 1]).isEqualTo((byte) 1);
    bytes[at + 1] = 0;
    assertThatThrownBy(() -> form.read(bytes, Written::new))
        .isInstanceOf(EnvelopeFormatException.class)
        .hasMessageContaining("several sessions");
    bytes[at] = (byte) 0xff;
    assertThatThrownBy(() -> form.read(bytes, Written::new))
        .isInstanceOf(EnvelopeFormatException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whatIsCutOrLongerIsNoEnvelope(long seed) {
    byte[] bytes = form.write(any(new SplittableRandom(seed)));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> form.read(cut, Written::new))
          .isInstanceOf(EnvelopeFormatException.class);
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThatThrownBy(() -> form.read(longer, Written::new))
        .isInstanceOf(EnvelopeFormatException.class);
  }

  @Test
  void anotherVersionIsAClearError() {
    byte[] bytes = form.write(any(new SplittableRandom(1)));
    for (byte version : new byte[] {0, 3}) {
      bytes[0] = version;
      assertThatThrownBy(() -> form.read(bytes, Written::new))
          .isInstanceOf(EnvelopeFormatException.class)
          .hasMessageContaining("version " + version);
    }
  }

  @Test
  void aStanzaThatIsTooLongIsAClearError() {
    byte[] bytes = form.write(any(new SplittableRandom(1)));
    assertThatThrownBy(() -> new EnvelopeCodec(10).read(bytes, Written::new))
        .isInstanceOf(EnvelopeFormatException.class)
        .hasMessageContaining("at most 10");
  }
}
