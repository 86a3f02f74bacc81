package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.link.ToStream;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stream.client.StreamFixture;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A connection that breaks costs itself and no other of its loop.
final class LoopTest {
  /// Direct memory that is used up.
  private static final ByteBufAllocator NO_MEMORY =
      new HeapAllocator() {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
          throw new OutOfMemoryError("no memory for the network");
        }
      };

  private static Stanza message(String id) {
    return Message.of(Message.Type.CHAT, null, StreamFixture.ROMEO, id, List.of());
  }

  private static ConnectionContext context(Path folder) throws IOException {
    PemFiles files =
        SelfSigned.ensure(
            folder, List.of("example.org"), InstantSource.system(), new SecureRandom());
    return new ConnectionContext(
        Limits.defaults(),
        new Certificates(new CertificateFiles(List.of(files)), InstantSource.system()),
        Runnable::run);
  }

  private static Connection connection(
      ConnectionContext context, Loop loop, EmbeddedChannel channel) {
    Connection connection =
        new Connection(
            context,
            loop,
            channel,
            InetAddress.getLoopbackAddress(),
            new StreamFixture().context(Limits.defaults(), true, Runnable::run).profile(),
            null);
    channel.pipeline().addLast(connection);
    loop.add(connection);
    return connection;
  }

  private static ToStream.Deliver deliver(Stanza stanza) {
    return new ToStream.Deliver(stanza, 0, false);
  }

  /// As another thread does.
  private static void sendFromElsewhere(Loop loop, Connection to, Stanza stanza) {
    assertThat(to.push(deliver(stanza), 100_000)).isTrue();
    if (to.schedule()) {
      loop.ready(to);
    }
  }

  private static String written(EmbeddedChannel channel) {
    StringBuilder all = new StringBuilder();
    for (ByteBuf buffer = channel.readOutbound(); buffer != null; buffer = channel.readOutbound()) {
      all.append(buffer.toString(StandardCharsets.UTF_8));
      buffer.release();
    }
    return all.toString();
  }

  @Test
  void withoutMemoryForOneConnectionTheOthersGetWhatOtherThreadsSent(@TempDir Path folder)
      throws IOException {
    ConnectionContext context = context(folder);
    EmbeddedChannel first = new EmbeddedChannel();
    EmbeddedChannel second = new EmbeddedChannel();
    Loop loop = new Loop(first.eventLoop(), new OutboundBudget(1_000_000), 1 << 30);
    Connection broken = connection(context, loop, first);
    Connection whole = connection(context, loop, second);
    first.config().setAllocator(NO_MEMORY);

    sendFromElsewhere(loop, whole, message("1")); // taken after the one that is ready later
    sendFromElsewhere(loop, broken, message("lost"));
    first.runPendingTasks();
    assertThat(written(second)).contains("id='1'");
    assertThat(first.isOpen()).isFalse();
    assertThat(second.isOpen()).isTrue();

    sendFromElsewhere(loop, whole, message("2"));
    first.runPendingTasks();
    assertThat(written(second)).contains("id='2'");
  }

  @Test
  void withoutMemoryForOneConnectionTheSenderIsNotDisturbed(@TempDir Path folder)
      throws IOException {
    ConnectionContext context = context(folder);
    EmbeddedChannel channel = new EmbeddedChannel();
    Loop loop = new Loop(channel.eventLoop(), new OutboundBudget(1_000_000), 1 << 30);
    Connection broken = connection(context, loop, channel);
    channel.config().setAllocator(NO_MEMORY);

    broken.deliver(deliver(message("lost"))); // on the loop: it is encoded at once
    assertThat(channel.isOpen()).as("the sender may hold locks").isTrue();
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    assertThat(loop.connections()).isEmpty();
  }

  @Test
  void aStreamErrorThatCannotBeWrittenEndsTheConnectionAllTheSame(@TempDir Path folder)
      throws IOException {
    ConnectionContext context = context(folder);
    EmbeddedChannel channel = new EmbeddedChannel();
    Loop loop = new Loop(channel.eventLoop(), new OutboundBudget(1_000_000), 1 << 30);
    Connection broken = connection(context, loop, channel);
    channel.config().setAllocator(NO_MEMORY);

    broken.stream().shutdown();
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    assertThat(broken.stream().closed()).isTrue();
  }

  @Test
  void readingThatFailsForWantOfMemoryCutsTheConnection(@TempDir Path folder) throws IOException {
    ConnectionContext context = context(folder);
    EmbeddedChannel channel = new EmbeddedChannel();
    Loop loop = new Loop(channel.eventLoop(), new OutboundBudget(1_000_000), 1 << 30);
    connection(context, loop, channel);

    channel.pipeline().fireExceptionCaught(new OutOfMemoryError("no memory for the network"));
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    assertThat(loop.connections()).isEmpty();
  }

  /// Buffers that can be written to, and fail when they are to leave.
  private static final ByteBufAllocator STUCK =
      new HeapAllocator() {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
          return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity) {
            @Override
            public int readableBytes() {
              throw new IllegalStateException("asked while it is flushed");
            }
          };
        }
      };

  @Test
  void aConnectionThatCannotBeFlushedIsCutAndTheOthersGoOn(@TempDir Path folder)
      throws IOException {
    ConnectionContext context = context(folder);
    EmbeddedChannel first = new EmbeddedChannel();
    EmbeddedChannel second = new EmbeddedChannel();
    Loop loop = new Loop(first.eventLoop(), new OutboundBudget(1_000_000), 1 << 30);
    Connection broken = connection(context, loop, first);
    Connection whole = connection(context, loop, second);
    first.config().setAllocator(STUCK);

    // Both are to be flushed at the end of this turn of the loop, in this order.
    broken.deliver(deliver(message("lost")));
    whole.deliver(deliver(message("kept")));
    first.runPendingTasks();
    assertThat(written(second)).contains("id='kept'");
    assertThat(first.isOpen()).isFalse();
    assertThat(second.isOpen()).isTrue();

    whole.deliver(deliver(message("more")));
    first.runPendingTasks();
    assertThat(written(second)).contains("id='more'");
  }

  /// A task of the stream runs between the stanzas before it and those after it, and what it writes
  /// goes there; what the stream writes by itself does not run it.
  @Test
  void tasksAndStanzasKeepTheirOrder(@TempDir Path folder) throws IOException {
    ConnectionContext context = context(folder);
    EmbeddedChannel channel = new EmbeddedChannel();
    Loop loop = new Loop(channel.eventLoop(), new OutboundBudget(1_000_000), 1 << 30);
    Connection connection = connection(context, loop, channel);

    connection.deliver(deliver(message("1")));
    connection.enqueue(() -> {
      connection.write(message("3"));
      connection.deliver(deliver(message("6")));
      connection.write(message("4"));
    });
    connection.deliver(deliver(message("5")));
    connection.write(message("2"));
    channel.runPendingTasks();
    assertThat(written(channel).replaceAll("[^0-9]+", "")).isEqualTo("123456");
  }

  @Test
  void whatIsCollectedForManyConnectionsIsWrittenByAndBy(@TempDir Path folder) throws IOException {
    ConnectionContext context = context(folder);
    EmbeddedChannel first = new EmbeddedChannel();
    Loop loop = new Loop(first.eventLoop(), new OutboundBudget(1_000_000_000), 1 << 30);
    Stanza large = message("x".repeat(200_000));
    EmbeddedChannel[] channels = new EmbeddedChannel[20];
    long most = 0;
    for (int i = 0; i < channels.length; i++) {
      channels[i] = new EmbeddedChannel();
      Connection connection = connection(context, loop, channels[i]);
      connection.deliver(deliver(large));
      most = Math.max(most, loop.collected());
    }
    assertThat(most).isBetween(1_000_000L, 1_300_000L);

    first.runPendingTasks();
    assertThat(loop.collected()).isZero();
    for (EmbeddedChannel channel : channels) {
      assertThat(written(channel)).contains("xxx").hasSizeGreaterThan(200_000);
    }
  }

  /// A channel whose peer reads nothing.
  private static final class StuckChannel extends EmbeddedChannel {
    @Override
    protected void doWrite(ChannelOutboundBuffer in) {}
  }

  @Test
  void theFullestConnectionPaysAlsoWhenItIsOnAnotherLoop(@TempDir Path folder) throws IOException {
    ConnectionContext context = context(folder);
    OutboundBudget budget = new OutboundBudget(1_000_000);
    EmbeddedChannel hog = new StuckChannel();
    EmbeddedChannel small = new StuckChannel();
    Loop first = new Loop(hog.eventLoop(), budget, 1 << 30);
    Loop second = new Loop(small.eventLoop(), budget, 1 << 30);
    budget.over(List.of(first, second));
    connection(context, first, hog).deliver(deliver(message("x".repeat(900_000))));
    connection(context, second, small).deliver(deliver(message("x".repeat(200_000))));
    hog.runPendingTasks();
    first.relieve(); // nothing is to be done yet, and what waits is looked at once more
    assertThat(first.most()).isGreaterThan(900_000);

    small.runPendingTasks();
    assertThat(small.isOpen()).isTrue();
    assertThat(second.counters().overflows.value()).isZero();
    hog.runPendingTasks();
    assertThat(first.counters().overflows.value()).isEqualTo(1);
    assertThat(second.counters().overflows.value()).isZero();
    hog.close().syncUninterruptibly();
    small.close().syncUninterruptibly();
    assertThat(first.counters().waiting.value()).isZero();
    assertThat(first.counters().waitingEnded.value()).isZero();
    assertThat(second.counters().waiting.value()).isZero();
  }
}
