package im.zonda.console.page;

import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The state of the server, which in a cluster is that of all nodes together.
///
/// @param status the result of [Health#STATUS] as plain data: what is counted is added, the
///   database and the disk are those of the node that is worst off, the rest is of the node that is
///   asked
/// @param versions the version of each node that has answered; empty without a cluster
/// @param silent the nodes that have not answered
record ServerState(
    Map<String, @Nullable Object> status, Map<String, String> versions, List<String> silent) {
  private static final String HOSTS = "hosts";

  /// Reads it; null if the visitor may not know it.
  static @Nullable ServerState of(Desk desk) {
    Operation<?, ?> operation = desk.may(Health.STATUS) ? desk.find(Health.STATUS) : null;
    if (operation == null) {
      return null;
    }
    List<String> nodes = desk.choices(operation);
    if (nodes.isEmpty()) {
      Map<String, @Nullable Object> own = desk.data(Health.STATUS, Map.of());
      return own == null ? null : new ServerState(own, Map.of(), List.of());
    }
    Map<String, CompletableFuture<@Nullable Record>> asked = new LinkedHashMap<>();
    nodes.forEach(node -> asked.put(node, ask(desk, node)));
    Map<String, @Nullable Object> joined = desk.data(Health.STATUS, Map.of());
    if (joined == null) {
      return null;
    }
    String self = Health.string(Health.member(joined, "cluster"), "node");
    Map<String, String> versions = new LinkedHashMap<>();
    List<String> silent = new ArrayList<>();
    asked.forEach((node, future) -> {
      Record result = future.join();
      if (result == null) {
        silent.add(node);
        return;
      }
      Map<String, @Nullable Object> one = operation.result().data(result);
      versions.put(node, Health.string(one, "version"));
      if (!self.startsWith(node + ".")) {
        join(joined, one);
      }
    });
    return new ServerState(joined, versions, silent);
  }

  private static CompletableFuture<@Nullable Record> ask(Desk desk, String node) {
    CompletableFuture<@Nullable Record> answer = new CompletableFuture<>();
    try {
      desk.operations()
          .later(() -> {
            Outcome<?> outcome = desk.run(Health.STATUS, Map.of(Operation.NODE, node));
            answer.complete(Desk.result(outcome));
          });
    } catch (RejectedExecutionException e) {
      answer.complete(null); // the server stops
    }
    return answer;
  }

  private static void join(Map<String, @Nullable Object> all, Map<String, @Nullable Object> one) {
    add(all, one, "sessions", List.of("connections", "online", "detached"));
    add(all, one, "homes", List.of("accounts", "services"));
    add(all, one, "memory", List.of("heapUsedBytes", "heapMaxBytes"));
    add(all, one, "log", List.of("queuedBytes", "commitsPerSecond", "commits", "failures"));
    if (Boolean.FALSE.equals(Health.member(one, "database").get("storing"))) {
      all.put("database", one.get("database"));
    }
    Map<?, ?> disk = Health.member(one, "disk");
    if (!disk.isEmpty() && free(disk) < free(Health.member(all, "disk"))) {
      all.put("disk", disk);
    }
    List<Map<?, ?>> hosts = new ArrayList<>();
    for (Map<?, ?> host : Health.list(all, HOSTS)) {
      long online = Health.number(host, "online");
      for (Map<?, ?> other : Health.list(one, HOSTS)) {
        if (Health.string(other, "host").equals(Health.string(host, "host"))) {
          online += Health.number(other, "online");
        }
      }
      Map<Object, @Nullable Object> sum = new LinkedHashMap<>(host);
      sum.put("online", online);
      hosts.add(sum);
    }
    all.put(HOSTS, hosts);
  }

  /// The part of a disk that is free.
  private static double free(Map<?, ?> disk) {
    long bytes = Health.number(disk, "bytes");
    return bytes == 0 ? 1 : (double) Health.number(disk, "freeBytes") / bytes;
  }

  private static void add(
      Map<String, @Nullable Object> all,
      Map<String, @Nullable Object> one,
      String group,
      List<String> numbers) {
    Map<Object, @Nullable Object> sum = new LinkedHashMap<>(Health.member(all, group));
    for (String name : numbers) {
      Object mine = sum.get(name);
      Object other = Health.member(one, group).get(name);
      if (mine instanceof Double fraction && other instanceof Number number) {
        sum.put(name, fraction + number.doubleValue());
      } else if (mine instanceof Number whole && other instanceof Number number) {
        sum.put(name, whole.longValue() + number.longValue());
      }
    }
    all.put(group, sum);
  }
}
