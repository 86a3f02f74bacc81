package im.zonda.app.status;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Conditions under which balancers send clients to a server. Reads what the parts of the server
/// know already; asks neither the database nor other nodes.
///
/// @param hosts whether hosts are served
/// @param store whether the database stores
/// @param standing that of the node in its cluster; `MEMBER` without a cluster
/// @param listeners whether connections are accepted
public record Readiness(
    BooleanSupplier hosts,
    BooleanSupplier store,
    Supplier<Standing> standing,
    BooleanSupplier listeners) {
  /// What is missing, in words; empty if the server is ready.
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (!hosts.getAsBoolean()) {
      missing.add("hosts");
    }
    if (!store.getAsBoolean()) {
      missing.add("database");
    }
    switch (standing.get()) {
      case MEMBER -> {}
      case DRAINING -> missing.add("draining");
      case WAITING -> missing.add("cluster");
    }
    if (!listeners.getAsBoolean()) {
      missing.add("listeners");
    }
    return missing;
  }
}
