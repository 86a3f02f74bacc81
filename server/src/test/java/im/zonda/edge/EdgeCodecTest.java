package im.zonda.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.link.LinkCodec;
import im.zonda.link.LinkFormatException;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.Message;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EdgeCodecTest {
  private final EdgeCodec form = new EdgeCodec(1 << 16);

  @Test
  void everyValueForACoreIsReadAsItWasWritten() throws LinkFormatException {
    for (ToCore value : EdgeValues.toCore()) {
      byte[] written = EdgeCodec.write(value);
      ToCore read = form.readToCore(written);
      assertThat(read).hasSameClassAs(value);
      assertThat(EdgeCodec.write(read)).isEqualTo(written);
      if (!(value instanceof ToCore.Value(var _, ToSession.Received _))
          && !(value instanceof ToCore.Unacknowledged)) {
        assertThat(read).isEqualTo(value); // stanzas have no equality
      }
    }
  }

  @Test
  void everyValueForAnEdgeIsReadAsItWasWritten() throws LinkFormatException {
    for (ToEdge value : EdgeValues.toEdge()) {
      byte[] written = EdgeCodec.write(value);
      ToEdge read = form.readToEdge(written);
      assertThat(read).hasSameClassAs(value);
      assertThat(EdgeCodec.write(read)).isEqualTo(written);
      if (!(value instanceof ToEdge.WriteStanza)) {
        assertThat(read).isEqualTo(value);
      }
    }
  }

  /// It does not say how many stanzas the client has been sent.
  @Test
  void aReattachmentOfAFormerVersionIsRead() throws LinkFormatException {
    ToCore reattach =
        new ToCore.Reattach(
            9,
            Jid.of("juliet@example.org/balcony"),
            "0123abcd",
            "session",
            4,
            new SessionVersion(3, 0, 0));
    byte[] written = EdgeCodec.write(reattach);
    byte[] former = Arrays.copyOf(written, written.length - 1);
    former[1] = 9;
    assertThat(form.readToCore(former)).isEqualTo(reattach);
  }

  @Test
  void aPartOfAValueAndAValueWithMoreAreRejected() {
    for (ToCore value : EdgeValues.toCore()) {
      byte[] written = EdgeCodec.write(value);
      for (int length = 0; length < written.length; length++) {
        byte[] part = Arrays.copyOf(written, length);
        assertThatThrownBy(() -> form.readToCore(part)).isInstanceOf(LinkFormatException.class);
      }
      byte[] more = Arrays.copyOf(written, written.length + 1);
      assertThatThrownBy(() -> form.readToCore(more)).isInstanceOf(LinkFormatException.class);
    }
    for (ToEdge value : EdgeValues.toEdge()) {
      byte[] written = EdgeCodec.write(value);
      for (int length = 0; length < written.length; length++) {
        byte[] part = Arrays.copyOf(written, length);
        assertThatThrownBy(() -> form.readToEdge(part)).isInstanceOf(LinkFormatException.class);
      }
      byte[] more = Arrays.copyOf(written, written.length + 1);
      assertThatThrownBy(() -> form.readToEdge(more)).isInstanceOf(LinkFormatException.class);
    }
  }

  @Test
  void anotherVersionAnUnknownKindAndTooMuchAreRejected() {
    byte[] version = EdgeCodec.write(new ToCore.Gone(1));
    version[0]++;
    assertThatThrownBy(() -> form.readToCore(version)).hasMessageContaining("version");
    byte[] kind = EdgeCodec.write(new ToCore.Gone(1));
    kind[1] = 100;
    assertThatThrownBy(() -> form.readToCore(kind)).hasMessageContaining("kind");
    assertThatThrownBy(() -> form.readToEdge(kind)).hasMessageContaining("kind");
    byte[] large = new byte[form.maxBytes() + 1];
    assertThatThrownBy(() -> form.readToCore(large)).hasMessageContaining("longer");
  }

  @Test
  void theStreamOfAValueThatCannotBeReadIsKnown() throws LinkFormatException {
    for (ToCore value : EdgeValues.toCore()) {
      byte[] damaged = Arrays.copyOf(EdgeCodec.write(value), EdgeCodec.write(value).length + 1);
      if (value instanceof ToCore.Alive || value instanceof ToCore.Measured) {
        assertThatThrownBy(() -> EdgeCodec.streamOf(damaged)).hasMessageContaining("no stream");
      } else {
        assertThat(EdgeCodec.streamOf(damaged)).isEqualTo(stream(value));
      }
    }
  }

  private static long stream(ToCore value) {
    return switch (value) {
      case ToCore.Alive _, ToCore.Measured _ -> -1;
      case ToCore.Header each -> each.stream();
      case ToCore.FirstLevel each -> each.stream();
      case ToCore.Value each -> each.stream();
      case ToCore.Reattach each -> each.stream();
      case ToCore.Recover each -> each.stream();
      case ToCore.Unacknowledged each -> each.stream();
      case ToCore.Gone each -> each.stream();
    };
  }

  /// A stanza, so that the client's count stays right; of other values, their stream.
  @Test
  void aValueThatIsTooLargeIsReplaced() throws LinkFormatException {
    Message large =
        Message.of(
            Message.Type.CHAT,
            Jid.of("romeo@example.org/orchard"),
            Jid.of("juliet@example.org/balcony"),
            "x".repeat(form.maxBytes()),
            List.of());
    ToEdge value = new ToEdge.Value(5, new ToStream.Deliver(large, 8, true));
    byte[] frame = EdgeCodec.write(value);
    assertThat(form.isTooLong(frame)).isTrue();
    ToEdge.Value instead = (ToEdge.Value) form.readToEdge(EdgeCodec.instead(value, frame));
    assertThat(instead.stream()).isEqualTo(5);
    ToStream.Deliver deliver = (ToStream.Deliver) instead.value();
    assertThat(deliver.number()).isEqualTo(8);
    assertThat(deliver.report()).isTrue();
    assertThat(deliver.stanza().from()).isEqualTo(large.from());
    assertThat(deliver.stanza().id()).isNull();

    ToEdge state = new ToEdge.State(6, "x".repeat(form.maxBytes()), "proof");
    assertThat(form.readToEdge(EdgeCodec.instead(state, EdgeCodec.write(state))))
        .isEqualTo(new ToEdge.Value(6, LinkCodec.FAILURE));
  }

  /// No less than what a stream may be sent, and nothing that could not be read.
  @Test
  void theLargestStanzaThatCanBeReadFits() throws LinkFormatException {
    EdgeCodec usual = new EdgeCodec();
    String id = "x".repeat((64 << 20) - 100);
    Message large = Message.of(Message.Type.CHAT, null, null, id, List.of());
    byte[] frame = EdgeCodec.write(new ToEdge.Value(5, new ToStream.Deliver(large, 8, true)));
    assertThat(usual.isTooLong(frame)).isFalse();
    ToEdge.Value read = (ToEdge.Value) usual.readToEdge(frame);
    assertThat(((ToStream.Deliver) read.value()).stanza().id()).isEqualTo(id);
  }

  @Test
  void aStreamIsTakenOverWithABoundOrResumedSessionOnly() {
    byte[] written =
        EdgeCodec.write(
            new ToEdge.TakeOver(
                1, Jid.of("example.org"), "0123", null, new ToStream.PauseReading()));
    assertThatThrownBy(() -> form.readToEdge(written)).hasMessageContaining("neither");
  }
}
