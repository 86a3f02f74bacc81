package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stream.client.StreamFixture;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The peer gets as many stanzas as were sent, also if one of them cannot be written.
final class UnwritableStanzaTest {
  private static final Jid ROMEO = StreamFixture.ROMEO;
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  /// Buffers into which the word `unwritable` cannot be written.
  private static final ByteBufAllocator CHOOSY =
      new HeapAllocator() {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
          return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity) {
            @Override
            public ByteBuf writeBytes(byte[] source, int offset, int length) {
              String text = new String(source, offset, length, StandardCharsets.UTF_8);
              if (text.contains("unwritable")) {
                throw new IllegalStateException("made to fail by the test");
              }
              return super.writeBytes(source, offset, length);
            }
          };
        }
      };

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private Connection connection;

  @BeforeEach
  void connect(@TempDir Path folder) throws IOException {
    PemFiles files =
        SelfSigned.ensure(
            folder, List.of("example.org"), InstantSource.system(), new SecureRandom());
    ConnectionContext context =
        new ConnectionContext(
            Limits.defaults(),
            new Certificates(new CertificateFiles(List.of(files)), InstantSource.system()),
            Runnable::run);
    Loop loop = new Loop(channel.eventLoop(), new OutboundBudget(1_000_000), 1 << 30);
    connection =
        new Connection(
            context,
            loop,
            channel,
            InetAddress.getLoopbackAddress(),
            new StreamFixture().context(Limits.defaults(), true, Runnable::run).profile(),
            null);
    channel.pipeline().addLast(connection);
    channel.config().setAllocator(CHOOSY);
    loop.add(connection);
  }

  private void deliver(Stanza... stanzas) {
    for (Stanza stanza : stanzas) {
      connection.deliver(new ToStream.Deliver(stanza, 0, false));
    }
    channel.runPendingTasks();
  }

  private static Message message(String id, String text) {
    Element body = Element.builder("jabber:client", "body").text(text).build();
    return Message.of(Message.Type.CHAT, JULIET, ROMEO, id, List.of(body));
  }

  private String written() {
    StringBuilder all = new StringBuilder();
    for (ByteBuf buffer = channel.readOutbound(); buffer != null; buffer = channel.readOutbound()) {
      all.append(buffer.toString(StandardCharsets.UTF_8));
      buffer.release();
    }
    return all.toString();
  }

  private static String text(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(256);
    stanza.writeTo(sink);
    return new String(sink.toByteArray(), StandardCharsets.UTF_8);
  }

  @Test
  void aStanzaThatCannotBeWrittenLeavesNoGapInTheCount() {
    deliver(message("1", "first"), message("2", "unwritable"), message("3", "third"));
    assertThat(written())
        .isEqualTo(
            text(message("1", "first"))
                + text(Message.of(Message.Type.HEADLINE, JULIET, ROMEO, null, List.of()))
                + text(message("3", "third")));
  }

  @Test
  void anAnswerThatCannotBeWrittenIsAnError() {
    Element payload = Element.builder("urn:example", "answer").text("unwritable").build();
    deliver(Iq.of(Iq.Type.RESULT, JULIET, ROMEO, "r1", payload));
    assertThat(written())
        .startsWith("<iq ")
        .contains("id='r1'")
        .contains("type='error'")
        .contains("<internal-server-error ");
  }

  @Test
  void aRequestThatCannotBeWrittenIsNoRequest() {
    Element payload = Element.builder("urn:example", "push").text("unwritable").build();
    deliver(Iq.of(Iq.Type.SET, JULIET, ROMEO, "s1", payload));
    assertThat(written()).startsWith("<message ").contains("type='headline'");
  }

  @Test
  void withoutAReplacementTheConnectionEnds() {
    deliver(Iq.of(Iq.Type.RESULT, JULIET, ROMEO, "unwritable", null));
    assertThat(channel.isOpen()).isFalse();
    assertThat(written()).isEmpty();
  }
}
