package im.zonda.net.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A service manager gets the states of the process as systemd expects them.
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class NotifySocketTest {
  @TempDir private Path folder;

  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

  @BeforeEach
  void needEpoll() {
    assumeTrue(Epoll.isAvailable(), "no epoll on this machine");
  }

  @AfterEach
  void end() {
    Future<?> _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private void listen(String path) throws InterruptedException {
    Channel _ =
        new Bootstrap()
            .group(loop)
            .channel(EpollDomainDatagramChannel.class)
            .handler(
                new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                  @Override
                  protected void channelRead0(
                      ChannelHandlerContext context, DomainDatagramPacket packet) {
                    received.add(packet.content().toString(StandardCharsets.US_ASCII));
                  }
                })
            .bind(new DomainSocketAddress(path))
            .sync()
            .channel();
  }

  @Test
  void statesArriveInOrder() throws Exception {
    String path = folder.resolve("notify").toString();
    listen(path);
    NotifySocket socket = NotifySocket.of(Map.of("NOTIFY_SOCKET", path));
    socket.send(NotifySocket.State.READY);
    socket.send(NotifySocket.State.RELOADING);
    socket.send(NotifySocket.State.STOPPING);
    assertThat(received.take()).isEqualTo("READY=1");
    assertThat(received.take()).isEqualTo("RELOADING=1");
    assertThat(received.take()).isEqualTo("STOPPING=1");
  }

  @Test
  void aNameMayBeAbstract() throws Exception {
    String name = "zonda-test-" + folder.getFileName();
    listen('\0' + name);
    new NotifySocket("@" + name).send(NotifySocket.State.READY);
    assertThat(received.take()).isEqualTo("READY=1");
  }

  @Test
  void withoutAManagerNothingIsSentAndWithoutItsSocketTheServerGoesOn() {
    assertThat(NotifySocket.of(Map.of()).path()).isNull();
    assertThat(NotifySocket.of(Map.of("NOTIFY_SOCKET", "")).path()).isNull();
    NotifySocket.of(Map.of()).send(NotifySocket.State.READY);
    new NotifySocket(folder.resolve("gone").toString()).send(NotifySocket.State.READY);
    assertThat(received).isEmpty();
  }
}
