package im.zonda.app.load;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.owner.NodeRows;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.PubSubStore;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Makes publish-subscribe nodes with items for a load in the store of a Zonda server that does not
/// run. Their creator is `a0`.
final class LoadNodes {
  /// Nodes that wait for the disk at a time: their transactions share a commit.
  private static final int AT_ONCE = 500;

  private LoadNodes() {}

  /// Creates the nodes `load0` to `load(NODES-1)` of a service with that many items each, if called
  /// with DATA SERVICE NODES ITEMS.
  public static void main(String[] args) throws InterruptedException {
    if (args.length != 4) {
      System.err.println("nodes DATA SERVICE NODES ITEMS");
      System.exit(2);
    }
    make(
        Path.of(args[0]),
        Jid.of(args[1]),
        Integer.parseInt(args[2]),
        Integer.parseInt(args[3]),
        System.out);
  }

  /// Makes `load0` to `load(N-1)`; items of those that exist are replaced.
  public static void make(Path data, Jid service, int nodes, int items, PrintStream out)
      throws InterruptedException {
    InstantSource clock = InstantSource.system();
    String domain = service.domain().substring(service.domain().indexOf('.') + 1);
    ServerConfig config = ServerConfig.defaults(List.of(domain), data);
    try (SqlStores stores = SqlStores.open(data, config.storage(), config.limits(), clock);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
      for (int first = 0; first < nodes; first += AT_ONCE) {
        int count = Math.min(AT_ONCE, nodes - first);
        CountDownLatch done = new CountDownLatch(count);
        for (int i = first; i < first + count; i++) {
          String name = "load" + i;
          threads.execute(() -> {
            fill(stores.pubSub(), service, name, items, now);
            done.countDown();
          });
        }
        done.await();
      }
      out.println(stores.pubSub().count(service) + " nodes of " + service);
    }
  }

  private static void fill(PubSubStore store, Jid service, String name, int items, Instant now) {
    Jid creator = Jid.of("a0@" + service.domain().substring(service.domain().indexOf('.') + 1));
    NodeConfig config =
        NodeConfig.ofServices().with(NodeOption.MAX_ITEMS, List.of(String.valueOf(items)));
    if (config == null) {
      throw new IllegalArgumentException("not a number of items: " + items);
    }
    NodeRows.write(
        store, service, null, Node.create(name, creator, now, config), NodeConfig.ofServices());
    List<PubSubStore.Item> all = new ArrayList<>(items);
    for (int i = 0; i < items; i++) {
      String payload = "<x xmlns='urn:x'>" + "x".repeat(200) + "</x>";
      all.add(
          new PubSubStore.Item("item" + i, creator, now, payload.getBytes(StandardCharsets.UTF_8)));
    }
    store.publish(service, name, all, items);
  }
}
