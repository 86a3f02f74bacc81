package im.zonda.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CategoriesTest {
  /// Stacks with the innermost frame first, as classes.
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          NETWORK,   io.netty.channel.epoll.Native io.netty.channel.epoll.EpollEventLoop
          NETWORK,   io.netty.channel.unix.Socket im.zonda.net.StreamChannel im.zonda.route.Router
          NETWORK,   io.netty.util.Recycler io.netty.channel.ChannelOutboundBuffer
          NETWORK,   sun.nio.ch.EPoll java.lang.Thread
          XML,       java.lang.StringLatin1 im.zonda.xml.XmlWriter im.zonda.net.StreamChannel
          XML,       im.zonda.xml.framing.XmppFramer io.netty.channel.epoll.EpollEventLoop
          XML,       im.zonda.stanza.Message im.zonda.home.account.AccountHome
          ADDRESSES, java.lang.String im.zonda.jid.Jid im.zonda.xml.XmlReader
          ADDRESSES, com.ibm.icu.impl.UTS46 im.zonda.jid.Jid
          STORAGE,   org.sqlite.core.NativeDB im.zonda.storage.sql.log.GroupCommit
          STORAGE,   sun.nio.ch.NioSocketImpl java.net.Socket org.postgresql.core.PGStream
          TLS,       sun.security.provider.SHA2 sun.security.ssl.HandshakeHash io.netty.channel.X
          TLS,       com.sun.crypto.provider.GaloisCounterMode io.netty.handler.ssl.SslHandler
          TLS,       im.zonda.net.tls.Certificates io.netty.handler.ssl.SniHandler
          LOGIN,     sun.security.provider.SHA2 im.zonda.hash.HashFunction im.zonda.auth.ScramKeys
          LOGIN,     im.zonda.stream.sasl.ScramServer im.zonda.stream.client.Authentication
          ROUTING,   java.util.HashMap im.zonda.route.Router io.netty.channel.epoll.EpollEventLoop
          ROUTING,   im.zonda.module.muc.room.Room
          REST,      im.zonda.metric.Timing im.zonda.home.account.AccountHome
          REST,      ch.qos.logback.classic.Logger im.zonda.route.Router
          REST,      java.util.concurrent.ThreadPoolExecutor java.lang.Thread
          """)
  void innermostDecisiveFrameDecides(Category category, String classes) {
    List<Frame> stack =
        Stream.of(classes.split(" ")).map(each -> Frame.of(each, "method")).toList();

    assertThat(Categories.of(stack)).isEqualTo(category);
  }

  @Test
  void pluginOwnsWhatItCallsOfTheJdk() {
    List<Frame> stack =
        List.of(
            Frame.of("java.lang.String", "hashCode"),
            new Frame("org.example.Shout", "onMessage", true),
            Frame.of("im.zonda.route.Router", "route"));

    assertThat(Categories.of(stack)).isEqualTo(Category.PLUGINS);
    assertThat(Categories.isString(stack)).isTrue();
    assertThat(Categories.site(stack)).isEqualTo(stack.get(1));
  }

  @Test
  void copyOfABuilderThatIsTooSmallIsGrowth() {
    Frame copy = Frame.of("java.util.Arrays", "copyOf");
    Frame grow = Frame.of("java.lang.AbstractStringBuilder", "ensureCapacityInternal");
    Frame append = Frame.of("java.lang.AbstractStringBuilder", "append");

    assertThat(Categories.isGrowth(List.of(copy, grow, append))).isTrue();
    assertThat(Categories.isGrowth(List.of(append, Frame.of("a.B", "c")))).isFalse();
    assertThat(Categories.isGrowth(List.of(copy, Frame.of("java.util.ArrayList", "grow"), grow)))
        .isFalse();
  }

  @Test
  void sampleWithoutStackIsRest() {
    assertThat(Categories.of(List.of())).isEqualTo(Category.REST);
    assertThat(Categories.site(List.of())).isNull();
  }
}
