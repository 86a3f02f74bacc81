package im.zonda.cluster.infinispan;

import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.placement.Topology;
import java.io.IOException;
import java.util.List;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.notifications.Listener.Observation;
import org.infinispan.notifications.cachelistener.annotation.TopologyChanged;
import org.infinispan.notifications.cachelistener.event.TopologyChangedEvent;
import org.infinispan.partitionhandling.PartitionHandling;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jgroups.fork.ForkChannel;
import org.jspecify.annotations.Nullable;

/// An engine on Infinispan and JGroups. The segments are those of one distributed cache, in which
/// nothing is stored: Infinispan agrees on its owners. Frames go over a fork of the same channel.
public final class InfinispanEngine implements ClusterEngine {
  /// The number of segments; the same at all nodes for ever.
  public static final int SEGMENTS = 256;

  private static final String CACHE = "segments";
  private static final String FORK = "zonda";
  private static final String FRAMES = "frames";

  private final Member self;
  private final EngineSettings settings;
  private final TopologyCopy copy = new TopologyCopy();

  /// Guarded by `copy`.
  private long lastTopology = -1;

  private volatile @Nullable Peers peers;
  private volatile boolean closing;

  // Guarded by this object's monitor.
  private @Nullable JChannel channel;
  private @Nullable DefaultCacheManager caches;
  private boolean used;

  /// An engine that has not been started.
  public InfinispanEngine(Member self, EngineSettings settings) {
    this.self = self;
    this.settings = settings;
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public synchronized void start(Listener listener) throws IOException {
    if (used) {
      throw new IllegalStateException("started or closed before");
    }
    used = true;
    try {
      connect(listener);
    } catch (Exception e) {
      close();
      throw new IOException("the cluster's address " + settings.bind() + " cannot be used", e);
    }
  }

  private void connect(Listener listener) throws Exception {
    JChannel opened = new JChannel(ProtocolStack.create(settings));
    channel = opened;
    opened.name(self.toString());
    opened.addAddressGenerator(() -> MemberAddress.create(self));
    DefaultCacheManager started = new DefaultCacheManager(global(opened), true);
    caches = started;
    ForkChannel frames = new ForkChannel(opened, FORK, FRAMES);
    TcpTransport transport = opened.getProtocolStack().findProtocol(TcpTransport.class);
    Peers all = new Peers(self, to -> new PeerOutput(frames, transport, to));
    peers = all;
    started.defineConfiguration(CACHE, segments());
    // The first cache connects the channel.
    Cache<Object, Object> cache = started.getCache(CACHE);
    DistributionManager distribution = cache.getAdvancedCache().getDistributionManager();
    Runnable changed = () -> publish(listener, distribution, opened);
    cache.addListener(new Topologies(changed));
    frames.setReceiver(new FrameReceiver(listener, all, changed));
    frames.connect(settings.cluster());
    changed.run();
  }

  /// A holder, because a manager that is given a configuration makes a transport of its own.
  private ConfigurationBuilderHolder global(JChannel opened) {
    ConfigurationBuilderHolder holder = new ConfigurationBuilderHolder();
    GlobalConfigurationBuilder builder = holder.getGlobalConfigurationBuilder();
    builder
        .transport()
        .clusterName(settings.cluster())
        .nodeName(self.toString())
        .transport(new JGroupsTransport(opened));
    builder.jmx().disable();
    builder.metrics().gauges(false).histograms(false);
    builder.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
    return holder;
  }

  /// Parts of a cluster that was cut both keep their tables: which one is legal is for the protocol
  /// to decide.
  private static Configuration segments() {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.clustering().remoteTimeout("5s");
    builder.clustering().cacheMode(CacheMode.DIST_SYNC).hash().numOwners(2).numSegments(SEGMENTS);
    builder.clustering().partitionHandling().whenSplit(PartitionHandling.ALLOW_READ_WRITES);
    builder.clustering().stateTransfer().awaitInitialTransfer(false);
    return builder.build();
  }

  private void publish(Listener listener, DistributionManager distribution, JChannel opened) {
    synchronized (copy) {
      LocalizedCacheTopology table = distribution.getCacheTopology();
      View view = opened.getView();
      if (closing
          || view == null
          || !table.isConnected()
          || table.getTopologyId() <= lastTopology) {
        return;
      }
      Topology topology = copy.copy(table, view);
      if (topology != null) {
        lastTopology = table.getTopologyId();
        listener.topologyChanged(topology);
      }
    }
  }

  @Override
  public void send(Member to, List<byte[]> frames, Departure departure) {
    Peers all = peers;
    if (all != null) {
      all.send(to, frames, departure);
    }
  }

  @Override
  public void close() {
    closing = true;
    stop();
  }

  private synchronized void stop() {
    used = true;
    Peers all = peers;
    if (all != null) {
      all.close();
    }
    DefaultCacheManager started = caches;
    if (started != null) {
      started.stop();
      caches = null;
    }
    JChannel opened = channel;
    if (opened != null) {
      opened.close();
      channel = null;
    }
  }

  /// The channel, for tests that disturb it.
  synchronized @Nullable JChannel channel() {
    return channel;
  }

  /// Called by Infinispan for each new table, on a thread that must not be blocked.
  @org.infinispan.notifications.Listener(observation = Observation.POST)
  static final class Topologies {
    private final Runnable changed;

    Topologies(Runnable changed) {
      this.changed = changed;
    }

    /// Reads the table where it is in force.
    ///
    /// @param event not used
    @TopologyChanged
    public void changed(TopologyChangedEvent<Object, Object> event) {
      changed.run();
    }
  }
}
