package im.zonda.cluster.infinispan;

import java.util.List;
import org.jgroups.Message;
import org.jgroups.fork.UnknownForkHandler;
import org.jgroups.logging.LogFactory;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FORK;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.DiagnosticsHandler;
import org.jgroups.stack.Protocol;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

/// The protocols of the channel, the lowest first.
final class ProtocolStack {
  /// Bytes that may be under way to one receiver before the sender has to wait.
  private static final int CREDITS = 4 << 20;

  /// Larger messages are sent in fragments, in bytes.
  static final int FRAGMENT = 60_000;

  /// The largest packet between two nodes. A stranger's length field reserves no more memory.
  private static final int MAX_PACKET = 1 << 20;

  private static final int CONNECT_MILLIS = 1_000;

  private ProtocolStack() {}

  /// @throws Exception as JGroups declares it; none is to be expected
  static List<Protocol> create(EngineSettings settings) throws Exception {
    EngineSettings.Times times = settings.times();
    long merge = times.merge().toMillis();
    TcpTransport transport = transport(settings);
    return List.of(
        transport,
        new PeerDiscovery(settings.peers(), settings.bind()),
        new MERGE3().setMinInterval(Math.max(1, merge / 3)).setMaxInterval(merge),
        new FD_ALL3()
            .setTimeout(times.silence().toMillis())
            .setInterval(times.silence().toMillis() / 4),
        new LossVerification(transport).setTimeout(times.verification().toMillis()),
        new NAKACK2().useMcastXmit(false),
        new UNICAST3(),
        new STABLE(),
        new GMS().setJoinTimeout(times.join().toMillis()).printLocalAddress(false),
        new UFC().setMaxCredits(CREDITS),
        new MFC().setMaxCredits(CREDITS),
        new FRAG4().setFragSize(FRAGMENT),
        fork());
  }

  /// Discards frames that come before this node takes them: their links send them again.
  private static FORK fork() {
    FORK fork = new FORK();
    fork.setUnknownForkHandler(
        new UnknownForkHandler() {
          @Override
          public @Nullable Object handleUnknownForkStack(Message message, String stack) {
            return null;
          }

          @Override
          public @Nullable Object handleUnknownForkChannel(Message message, String channel) {
            return null;
          }
        });
    return fork;
  }

  private static TcpTransport transport(EngineSettings settings) throws Exception {
    TcpTransport transport = new TcpTransport(settings.tls());
    transport
        .setBindAddress(settings.bind().getAddress())
        .setBindPort(settings.bind().getPort())
        .setPortRange(0)
        .setExternalAddr(settings.advertised().getAddress())
        .setExternalPort(settings.advertised().getPort())
        .setBundlerType(FrameBundler.class.getName())
        .useVirtualThreads(false);
    // Frames are handled elsewhere at once: another thread would only have to wake up.
    transport.setMessageProcessingPolicy("direct");
    // Without it, each small message waits for the acknowledgement of the one before.
    transport.tcpNodelay(true);
    transport.setClientBindAddr(settings.bind().getAddress());
    transport.setSockConnTimeout(CONNECT_MILLIS).setMaxLength(MAX_PACKET).logDetails(false);
    // A closed connection makes the peer suspect at once; there is no second, unprotected port.
    transport.enableSuspectEvents(true);
    // It would answer anyone in the network.
    transport.setDiagnosticsHandler(
        new DiagnosticsHandler(
                LogFactory.getLog(DiagnosticsHandler.class),
                new DefaultSocketFactory(),
                new DefaultThreadFactory("diagnostics", true))
            .setEnabled(false));
    return transport;
  }
}
