package im.zonda.net.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Connections that wait for the header, with a clock that the test advances.
class ProxyHeadersTest {
  private static final InetAddress PEER = InetAddress.ofLiteral("10.1.1.1");

  private final ProxyHeaders headers =
      new ProxyHeaders(
          new AddressRanges(List.of("10.0.0.0/8", "127.0.0.1")), Duration.ofSeconds(5));
  private final List<String> events = new ArrayList<>();

  /// Notes what reaches the handlers of a connection.
  private final class Notes extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      events.add("active");
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      events.add(bytes.toString(StandardCharsets.US_ASCII));
      bytes.release();
    }
  }

  private EmbeddedChannel connect(InetAddress peer) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.freezeTime();
    headers.await(
        channel,
        peer,
        new ProxyHeaders.Receiver() {
          @Override
          public void accept(InetAddress client) {
            events.add("client " + client.getHostAddress());
            channel.pipeline().addLast(new Notes());
          }

          @Override
          public void refused(String reason) {
            events.add("refused");
          }
        });
    return channel;
  }

  private static void write(EmbeddedChannel channel, byte[] bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void whatFollowsTheHeaderGoesToTheHandlersOfTheConnection() {
    EmbeddedChannel channel = connect(PEER);
    assertThat(headers.waiting()).isEqualTo(1);
    write(channel, text("PROXY TCP4 198.51.100.4 192.0.2.1 40000 5222\r\n<stream>"));
    write(channel, text("<more>"));
    assertThat(events).containsExactly("client 198.51.100.4", "active", "<stream>", "<more>");
    assertThat(headers.waiting()).isZero();
    channel.advanceTimeBy(1, TimeUnit.MINUTES);
    channel.runScheduledPendingTasks();
    assertThat(channel.isActive()).as("the time for the header is over").isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void aHeaderMayComeInParts() {
    EmbeddedChannel channel = connect(PEER);
    byte[] header = ProxyBytes.binaryFor("2001:db8::17", new byte[300]);
    for (byte each : header) {
      assertThat(events).isEmpty();
      write(channel, new byte[] {each});
    }
    write(channel, text("<stream>"));
    assertThat(events).containsExactly("client 2001:db8:0:0:0:0:0:17", "active", "<stream>");
    channel.finishAndReleaseAll();
  }

  @Test
  void aProxyThatSpeaksForItselfIsTheClient() {
    write(connect(PEER), ProxyBytes.binary(0x20, 0, 0));
    write(connect(PEER), ProxyBytes.line("PROXY UNKNOWN"));
    assertThat(events).containsExactly("client 10.1.1.1", "active", "client 10.1.1.1", "active");
  }

  /// Clients of this machine have privileges; those of the proxy's machine are none of them.
  @Test
  void row95_noClientOfAnotherMachineIsOnThisOne() {
    write(connect(PEER), ProxyBytes.lineFor("127.0.0.1"));
    write(connect(InetAddress.ofLiteral("127.0.0.1")), ProxyBytes.lineFor("127.0.0.9"));
    assertThat(events).containsExactly("client 10.1.1.1", "active", "client 127.0.0.9", "active");
  }

  @Test
  void row95_aStrangerIsRefusedBeforeItCanSendAHeader() {
    EmbeddedChannel channel = connect(InetAddress.ofLiteral("198.51.100.9"));
    assertThat(events).containsExactly("refused");
    assertThat(channel.isActive()).isFalse();
    assertThat(headers.waiting()).isZero();
  }

  @Test
  void row95_aSlowHeaderIsNotWaitedFor() {
    EmbeddedChannel channel = connect(PEER);
    write(channel, text("PROXY TCP4 198.51."));
    channel.advanceTimeBy(4_999, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    write(channel, text("1"));
    assertThat(channel.isActive()).isTrue();
    channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.isActive()).isFalse();
    assertThat(events).containsExactly("refused");
    assertThat(headers.waiting()).isZero();
  }

  @Test
  void row95_aHeaderThatIsTooLongEndsTheConnection() {
    EmbeddedChannel text = connect(PEER);
    write(text, text("PROXY UNKNOWN " + "x".repeat(10_000)));
    assertThat(text.isActive()).isFalse();
    EmbeddedChannel binary = connect(PEER);
    write(binary, ProxyBytes.binary(0x21, 0x11, 65_535, new byte[10_000]));
    assertThat(binary.isActive()).isFalse();
    assertThat(events).containsExactly("refused", "refused");
    assertThat(headers.waiting()).isZero();
  }

  @Test
  void row95_connectionsThatWaitAreBounded() {
    List<EmbeddedChannel> waiting = new ArrayList<>();
    for (int i = 0; i < ProxyHeaders.MAX_WAITING; i++) {
      waiting.add(connect(PEER));
    }
    assertThat(events).isEmpty();
    assertThat(connect(PEER).isActive()).isFalse();
    assertThat(events).containsExactly("refused");
    var _ = waiting.getFirst().close();
    assertThat(connect(PEER).isActive()).isTrue();
  }

  @Test
  void aConnectionThatEndsBeforeItsHeaderIsForgotten() {
    EmbeddedChannel channel = connect(PEER);
    write(channel, text("PROXY TCP4 198"));
    var _ = channel.close();
    assertThat(events).isEmpty();
    assertThat(headers.waiting()).isZero();
  }
}
