package im.zonda.host;

import im.zonda.config.ServerConfig;
import im.zonda.metric.Meter;
import im.zonda.metric.Meters;
import im.zonda.metric.Reading;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The operations and the meters of the server itself and of the modules of its hosts.
public final class HostCatalogue implements Catalogue {
  private static final Logger LOG = LoggerFactory.getLogger(HostCatalogue.class);

  private final VirtualHosts hosts;
  private final List<Offer<?, ?>> own = new CopyOnWriteArrayList<>();
  private final Meters meters = new Meters(this::declaredMeters, HostCatalogue::meterFailed);

  HostCatalogue(VirtualHosts hosts) {
    this.hosts = hosts;
  }

  /// Adds operations of the server.
  ///
  /// @throws IllegalStateException if one has the name of another
  public synchronized void offer(List<? extends Offer<?, ?>> offers) {
    for (Offer<?, ?> each : offers) {
      if (Offer.find(own, each.operation().name()) != null) {
        throw new IllegalStateException("two operations " + each.operation());
      }
      own.add(each);
    }
  }

  /// What is counted and measured: by the server itself and by the modules of its hosts.
  public Meters meters() {
    return meters;
  }

  private Map<String, List<Reading>> declaredMeters() {
    Map<String, List<Reading>> declared = new LinkedHashMap<>();
    hosts.all().forEach(host -> declared.put(host.domain().domain(), host.meters()));
    return declared;
  }

  private static void meterFailed(Meter meter, RuntimeException cause) {
    LOG.atError().addKeyValue("meter", meter).setCause(cause).log("meter_not_read");
  }

  @Override
  public List<Operation<?, ?>> operations() {
    Map<String, Operation<?, ?>> all = new LinkedHashMap<>();
    own.forEach(each -> all.put(each.operation().name(), each.operation()));
    for (VirtualHost host : hosts.all()) {
      host.operations().forEach(each -> all.putIfAbsent(each.operation().name(), each.operation()));
    }
    return new ArrayList<>(all.values());
  }

  @Override
  public @Nullable Offer<?, ?> find(String name, @Nullable String host) {
    Offer<?, ?> server = Offer.find(own, name);
    VirtualHost found = host == null ? null : hosts.find(host);
    return server != null || found == null ? server : Offer.find(found.operations(), name);
  }

  @Override
  public @Nullable String hostOf(String domain) {
    if (hosts.find(domain) != null) {
      return domain;
    }
    for (VirtualHost host : hosts.all()) {
      ServerConfig config = host.config();
      String name = host.domain().domain();
      if (config.serviceDomains(name).contains(domain)) {
        return name;
      }
    }
    return null;
  }
}
